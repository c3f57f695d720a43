package fphash

import (
	"reflect"
	"sync"

	"simhashkit/asm/accumulate"
)

// sketch stores the fingerprint of one vector, b.words words. A vector of a chunk at most is hashed
// at once, and its sums never leave the kernel; those of a longer one are kept in lanes.
func (b *buffers) sketch(fingerprint []uint64, features, weights column) (status Status) {
	switch n := features.len; {
	case features.kind == reflect.Uint64 && b.isPlain(n):
		fingerprint[0], status = b.single(signsOf(b.hashPlain(elements[uint64](features)), b.native(weights), b.order))
		return status
	case n <= b.chunk:
		return b.sketchCodes(fingerprint, b.encode(features), n, weights)
	}
	return b.readSums(fingerprint, b.sums(features, weights))
}

// isPlain reports whether n indices of 64 bits are the common case: fingerprints of one word,
// indices that enter the hash as they are, and a vector that is hashed at once. It goes by itself
// because of what the general case decides on its way: that takes as many instructions as adding a
// hundred features of weight 1.
func (b *buffers) isPlain(n int) bool { return b.plain && n <= b.chunk }

// hashPlain is encode in the common case.
func (b *buffers) hashPlain(indices []uint64) []uint64 {
	codes := b.codes[:len(indices)]
	b.hashIntegers(codes, indices)
	return codes
}

// sketchCodes stores the fingerprint of the vector that has the weights and whose features have the
// first weights.len codes. Word t of code i is at [t·stride+i].
func (b *buffers) sketchCodes(fingerprint, codes []uint64, stride int, weights column) (status Status) {
	var o outcome
	if b.minhash {
		for t := range fingerprint {
			fingerprint[t] = o.word(b.definition, t, signsOfKeys(t, codes[:weights.len]))
		}
		return o.status(fingerprint)
	}
	weights = b.native(weights)
	if len(fingerprint) == 1 {
		fingerprint[0], status = b.single(signsOf(codes[:weights.len], weights, b.order))
		return status
	}
	for t := range fingerprint {
		fingerprint[t] = o.word(b.definition, t, signsOf(codes[t*stride:][:weights.len], weights, b.order))
	}
	return o.status(fingerprint)
}

// single returns the fingerprint of one word that has the signs.
func (d *definition) single(signs accumulate.Signs) (uint64, Status) {
	var o outcome
	word := o.word(d, 0, signs)
	switch {
	case o.nonFinite != 0:
		return 0, NotFinite
	case o.nonzero == 0:
		return word, NoInformation
	}
	return word, Informative
}

// sums returns the lanes of the vector, which stay there until the next call.
func (b *buffers) sums(features, weights column) lanes {
	l := b.lanes.of(b.definition, weights.kind)
	l.clear()
	b.add(l, features, weights)
	return l
}

// add hashes the features, a chunk at a time, and adds the weights to the lanes. Long vectors of
// weight 1 are counted first, which costs less.
func (b *buffers) add(l lanes, features, weights column) {
	if weights.kind == unit && l.i64 != nil && features.len > b.chunk {
		l.addCounted(b.sums(features, weights))
		return
	}
	for at := 0; at < features.len; at += b.chunk {
		n := min(features.len-at, b.chunk)
		codes, some := b.encode(features.slice(at, at+n)), b.native(weights.slice(at, at+n))
		for t := range b.words {
			l.addWord(t, codes[b.codeWord(t)*n:][:n], some, b.order)
		}
	}
}

// readSums stores the fingerprint of the lanes.
func (d *definition) readSums(fingerprint []uint64, l lanes) Status {
	var o outcome
	for t := range fingerprint {
		fingerprint[t] = o.word(d, t, l.signs(t))
	}
	return o.status(fingerprint)
}

// outcome gathers what the signs of all words say.
type outcome struct {
	nonzero   uint64 // any bit: some lane is not zero
	nonFinite uint64 // any bit: some lane is not finite
}

// word returns word t of the fingerprint.
func (o *outcome) word(d *definition, t int, s accumulate.Signs) uint64 {
	mask := ^uint64(0)
	if t == d.words-1 {
		mask = d.lastMask
	}
	o.nonzero |= ^s.Zero & mask
	o.nonFinite |= s.NonFinite & mask
	return (s.Positive | s.Zero&tieWords[d.tie]) & mask
}

// status concludes; the fingerprint is cleared if it is not finite.
func (o *outcome) status(fingerprint []uint64) Status {
	switch {
	case o.nonFinite != 0:
		clear(fingerprint)
		return NotFinite
	case o.nonzero == 0:
		return NoInformation
	}
	return Informative
}

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
