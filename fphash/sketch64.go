package fphash

import "sync"

// defaults is the Sketcher of the package defaults.
var defaults = sync.OnceValues(func() (*Sketcher, error) { return New() })

// Sketch64 returns the fingerprint of one vector under the package defaults: xxh64, little-endian
// indices, 64 bits, ties give 0, grouped order.
//
// It is the one line for the common case: safe for concurrent use and, after the first calls, free
// of allocation. The errors are Append's, and New's for a wrong FPHASH_KERNEL.
func Sketch64[F Feature, W Weight](features []F, weights []W) (uint64, error) {
	if len(features) != len(weights) {
		return 0, errLengths[F](len(features), len(weights))
	}
	return sketchDefault(features, weights)
}

// Unit64 is Sketch64 with weight 1 for every feature.
func Unit64[F Feature](features []F) (uint64, error) {
	return sketchDefault(features, ones[:len(features)])
}

func sketchDefault[F Feature, W weight](features []F, weights []W) (uint64, error) {
	s, err := defaults()
	if err != nil {
		return 0, err
	}
	b := borrow(s)
	var fingerprint [1]uint64
	status := sketch(b, fingerprint[:], features, weights)
	giveBack(s, b)
	return fingerprint[0], status.Err()
}
