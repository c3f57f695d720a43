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
func Append[F Feature, W Weight](s AnySketcher, dst []uint64, features []F, weights []W) ([]uint64, Status, error) {
	if len(features) != len(weights) {
		return dst, NoInformation, errLengths(len(features), len(weights))
	}
	b := borrow(s)
	if keys, ok := any(features).([]uint64); ok && b.isPlain(len(keys)) && isNative[W]() {
		fingerprint, status := b.single(sketchWord(b.hashPlain(keys), weights, b.order))
		giveBack(s, b)
		return append(dst, fingerprint), status, nil
	}
	return appendAny(s, b, dst, features, weights)
}

// appendAny is Append for whatever is not the common case. It goes by itself so that the common one
// saves few registers.
func appendAny[F Feature, W Weight](s AnySketcher, b *buffers, dst []uint64, features []F, weights []W) (_ []uint64, status Status, err error) {
	if err = checkFeatures[F](b.definition); err == nil {
		at := len(dst)
		dst = slices.Grow(dst, b.words)[:at+b.words]
		status = sketchAny(b, dst[at:], features, weights)
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
	return appendUnitAny(s, b, dst, features)
}

// appendUnitAny is appendAny with weight 1.
func appendUnitAny[F Feature](s AnySketcher, b *buffers, dst []uint64, features []F) (_ []uint64, status Status, err error) {
	if err = checkFeatures[F](b.definition); err == nil {
		at := len(dst)
		dst = slices.Grow(dst, b.words)[:at+b.words]
		status = sketchUnitAny(b, dst[at:], features)
	}
	giveBack(s, b)
	return dst, status, err
}

// sketch stores the fingerprint of one vector, b.words words.
func sketch[F feature, W weight](b *buffers, fingerprint []uint64, features []F, weights []W) Status {
	if keys, ok := any(features).([]uint64); ok && b.isPlain(len(keys)) {
		var status Status
		fingerprint[0], status = b.single(sketchWord(b.hashPlain(keys), weights, b.order))
		return status
	}
	n := len(features)
	switch {
	case n > b.chunk && isUnit(weights):
		countFeatures(&b.coder, features)
		return readSigns(fingerprint, b.definition, b.counted)
	case n > b.chunk:
		v := only[W](&b.lanes)
		v.clear()
		addFeatures(&b.coder, v, features, weights)
		return readSigns(fingerprint, b.definition, v.signs)
	}
	return readCodes(b.definition, fingerprint, encode(&b.coder, features), n, weights)
}

// readCodes stores the fingerprint of the vector that has the weights and whose features have the
// first len(weights) codes. Word t of code i is at [t·stride+i].
func readCodes[W weight](d *definition, fingerprint, codes []uint64, stride int, weights []W) (status Status) {
	n := len(weights)
	if len(fingerprint) == 1 {
		fingerprint[0], status = d.single(sketchWord(codes[:n], weights, d.order))
		return status
	}
	var o outcome
	for t := range fingerprint {
		fingerprint[t] = o.word(d, t, sketchWord(codes[t*stride:][:n], weights, d.order))
	}
	return o.status(fingerprint)
}

func errLengths(features, weights int) error {
	return fmt.Errorf("fphash: len(features) is %d but len(weights) is %d", features, weights)
}
