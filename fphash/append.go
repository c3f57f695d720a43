package fphash

import (
	"fmt"
	"reflect"
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
func Append[F Feature, W Weight](s AnySketcher, dst []uint64, features []F, weights []W) ([]uint64, Status, error) {
	if len(features) != len(weights) {
		return dst, NoInformation, errLengths(len(features), len(weights))
	}
	b := borrow(s)
	if keys, ok := any(features).([]uint64); ok && b.isPlain(len(keys)) {
		fingerprint, status := b.single(signsOf(b.hashPlain(keys), b.native(columnOf(weights)), b.order))
		giveBack(s, b)
		return append(dst, fingerprint), status, nil
	}
	return appendAny(s, b, dst, columnOf(features), columnOf(weights))
}

// appendAny is Append for whatever is not the common case. It goes by itself so that the common one
// saves few registers.
func appendAny(s AnySketcher, b *buffers, dst []uint64, features, weights column) (_ []uint64, status Status, err error) {
	status = NoInformation
	if err = b.checkFeatures(features.kind); err == nil {
		at := len(dst)
		dst = b.extend(dst)
		status = b.sketch(dst[at:], features, weights)
	}
	giveBack(s, b)
	return dst, status, err
}

// AppendUnit is Append with weight 1 for every feature, and several times faster: the fingerprint's
// bit j is that of most codes.
func AppendUnit[F Feature](s AnySketcher, dst []uint64, features []F) ([]uint64, Status, error) {
	b := borrow(s)
	if keys, ok := any(features).([]uint64); ok && b.isPlain(len(keys)) {
		fingerprint, status := b.single(accumulate.SketchUnit(b.hashPlain(keys)))
		giveBack(s, b)
		return append(dst, fingerprint), status, nil
	}
	return appendAny(s, b, dst, columnOf(features), units(len(features)))
}

// sketch stores the fingerprint of one vector, b.words words.
func (b *buffers) sketch(fingerprint []uint64, features, weights column) (status Status) {
	n := features.len
	switch {
	case features.kind == reflect.Uint64 && b.isPlain(n):
		fingerprint[0], status = b.single(signsOf(b.hashPlain(elements[uint64](features)), b.native(weights), b.order))
		return status
	case n > b.chunk && weights.kind == unit:
		b.count(features)
		return readSigns(fingerprint, b.definition, b.counted)
	case n > b.chunk:
		return readSigns(fingerprint, b.definition, b.sums(features, weights).signs)
	}
	return b.readCodes(fingerprint, b.encode(features), n, weights)
}

// readCodes stores the fingerprint of the vector that has the weights and whose features have the
// first weights.len codes. Word t of code i is at [t·stride+i].
func (c *coder) readCodes(fingerprint, codes []uint64, stride int, weights column) (status Status) {
	n := weights.len
	weights = c.native(weights)
	if len(fingerprint) == 1 {
		fingerprint[0], status = c.single(signsOf(codes[:n], weights, c.order))
		return status
	}
	var o outcome
	for t := range fingerprint {
		fingerprint[t] = o.word(c.definition, t, signsOf(codes[t*stride:][:n], weights, c.order))
	}
	return o.status(fingerprint)
}

// extend returns dst with room for one more fingerprint, which is to be stored.
func (d *definition) extend(dst []uint64) []uint64 {
	return slices.Grow(dst, d.words)[:len(dst)+d.words]
}

func errLengths(features, weights int) error {
	return fmt.Errorf("fphash: len(features) is %d but len(weights) is %d", features, weights)
}
