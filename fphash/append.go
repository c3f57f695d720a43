package fphash

import (
	"fmt"
	"slices"

	"simhashkit/asm/accumulate"
)

// Append appends the fingerprint of the vector whose value in dimension features[i], or for the
// word features[i], is weights[i]: s.Words() words.
//
// Features may come in any order; repeated ones add up. With floating-point weights the order of
// the features is part of the input (see Order): pass them in ascending order to have fingerprints
// that others can reproduce.
//
// The status says whether the fingerprint means anything: one of a vector that is empty or whose
// sums are not finite is appended too, so that positions stay right. The error is for misuse, with
// nothing appended: lengths that differ, byte strings for a hash that takes none. Append allocates
// only if dst has no room and when byte strings are longer than before.
func Append[F Feature, W Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, Status, error) {
	if len(features) != len(weights) {
		return dst, NoInformation, errLengths(len(features), len(weights))
	}
	b := borrow(s)
	if indices, ok := any(features).([]uint64); ok && b.isPlain(len(indices)) {
		fingerprint, status := b.single(signsOf(b.hashPlain(indices), b.native(columnOf(weights)), b.order))
		giveBack(s, b)
		return append(dst, fingerprint), status, nil
	}
	return appendAny(s, b, dst, columnOf(features), columnOf(weights))
}

// AppendUnit is Append with weight 1 for every feature, and several times faster: the fingerprint's
// bit j is that of most codes.
func AppendUnit[F Feature](s *Sketcher, dst []uint64, features []F) ([]uint64, Status, error) {
	b := borrow(s)
	if indices, ok := any(features).([]uint64); ok && b.isPlain(len(indices)) {
		fingerprint, status := b.single(accumulate.SketchUnit(b.hashPlain(indices)))
		giveBack(s, b)
		return append(dst, fingerprint), status, nil
	}
	return appendAny(s, b, dst, columnOf(features), units(len(features)))
}

// appendAny is Append for whatever is not the common case.
func appendAny(s *Sketcher, b *buffers, dst []uint64, features, weights column) (_ []uint64, status Status, err error) {
	status = NoInformation
	if err = b.checkVector(features, weights); err == nil {
		at := len(dst)
		dst = b.extend(dst)
		status = b.sketch(dst[at:], features, weights)
	}
	giveBack(s, b)
	return dst, status, err
}

// extend returns dst with room for one more fingerprint, which is to be stored.
func (d *definition) extend(dst []uint64) []uint64 {
	return slices.Grow(dst, d.words)[:len(dst)+d.words]
}

func errLengths(features, weights int) error {
	return fmt.Errorf("fphash: len(features) is %d but len(weights) is %d", features, weights)
}
