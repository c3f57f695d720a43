package fphash

import "sync"

// defaults is the Sketcher of the package defaults.
var defaults = sync.OnceValues(func() (*Sketcher, error) { return New() })

// Sketch64 returns the fingerprint of one vector under the package defaults: xxh64, little-endian
// indices, 64 bits, ties give 0, grouped order.
//
// It is the one line for the common case: safe for concurrent use and, after the first calls, free
// of allocation. Status and error are Append's; the error may be New's for a wrong FPHASH_KERNEL.
func Sketch64[F Feature, W Weight](features []F, weights []W) (uint64, Status, error) {
	if len(features) != len(weights) {
		return 0, NoInformation, errLengths(len(features), len(weights))
	}
	s, err := defaults()
	if err != nil {
		return 0, NoInformation, err
	}
	b := borrow(s)
	var fingerprint [1]uint64
	status := b.sketch(fingerprint[:], columnOf(features), columnOf(weights))
	giveBack(s, b)
	return fingerprint[0], status, nil
}

// SketchUnit64 is Sketch64 with weight 1 for every feature.
func SketchUnit64[F Feature](features []F) (uint64, Status, error) {
	s, err := defaults()
	if err != nil {
		return 0, NoInformation, err
	}
	b := borrow(s)
	var fingerprint [1]uint64
	status := b.sketch(fingerprint[:], columnOf(features), units(len(features)))
	giveBack(s, b)
	return fingerprint[0], status, nil
}
