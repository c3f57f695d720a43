package fphash

import (
	"fmt"
	"slices"

	"simhashkit/asm/accumulate"
)

// Feature is what a vector has weights for: the number of a dimension or a byte string, such as a
// word. Byte strings enter a hash as they are, whatever the encoding of indices.
type Feature interface{ Index | Bytes }

// Index is the number of a dimension.
type Index interface{ uint32 | uint64 }

// Bytes is a byte string, in either of Go's forms; the same bytes are the same feature.
type Bytes interface{ string | []byte }

// Weight is the value of a vector in a dimension. Integers are summed exactly, in int64 that wraps;
// float32 in float32, and float64 in float64.
type Weight interface {
	int32 | int64 | float32 | float64
}

// Sketcher computes fingerprints of one definition: hash, encoding, width, widening, tie rule, seed
// or key, order of summation.
//
// It holds buffers, so that nothing is allocated per fingerprint, and is therefore not safe for
// concurrent use: give each goroutine its own Clone. Its memory depends on the width (about 25 KB
// at 64 bits, 150 KB at 4096) and, with features that are byte strings, on their length (room for
// the bytes of some hundred of them, of which at most 1 MB is kept), never on the number of
// dimensions or features.
type Sketcher struct {
	coder
	lanes   lanes // of all three types; used by vectors longer than a chunk
	workers int
	helpers []*Sketcher // clones for the other workers of a batch, kept for the next one
}

// New returns a Sketcher; without options xxh64 of the index's 8 little-endian bytes, 64 bits, ties
// give 0, grouped order.
//
// It fails if an option's value is out of range or unknown, if the fingerprint would be wider than
// the hash's code and no widening is asked for, if the hash does not take the encoding, the
// widening, the seed or the key, and if the environment variable FPHASH_KERNEL names a kernel that
// does not exist or cannot run here.
func New(options ...Option) (*Sketcher, error) {
	c, err := newConfig(options)
	if err != nil {
		return nil, err
	}
	d, err := newDefinition(c)
	if err != nil {
		return nil, err
	}
	return newSketcher(d, c.workers), nil
}

func newSketcher(d *definition, workers int) *Sketcher {
	return &Sketcher{
		coder: newCoder(d, chunkOf(d)), workers: workers,
		lanes: lanes{newLanes[int64](d.words).i64, newLanes[float32](d.words).f32, newLanes[float64](d.words).f64},
	}
}

// Clone returns another Sketcher of the same definition, for use by another goroutine. Cost: the
// buffers.
func (s *Sketcher) Clone() *Sketcher { return newSketcher(s.definition, s.workers) }

// Hash returns the name of the hash.
func (s *Sketcher) Hash() string { return s.family.Name }

// Encoding returns how an index enters the hash.
func (s *Sketcher) Encoding() Encoding { return s.encoding }

// Bits returns the width of a fingerprint.
func (s *Sketcher) Bits() int { return s.bits }

// Widen returns where the bits of the fingerprint come from that the hash does not give. It is
// WidenNone if there are none, whatever WithWiden asked.
func (s *Sketcher) Widen() Widen { return s.widen }

// Words returns the number of words of a fingerprint: ceil(Bits/64).
func (s *Sketcher) Words() int { return s.words }

// Tie returns the tie rule.
func (s *Sketcher) Tie() Tie { return s.tie }

// Order returns the order in which floating-point weights are summed.
func (s *Sketcher) Order() Order { return s.order }

// Seed returns the seed, as WithSeed gave it.
func (s *Sketcher) Seed() uint64 { return s.key.Seed }

// Append appends the fingerprint of the vector whose value in dimension features[i], or for the
// word features[i], is weights[i]: s.Words() words.
//
// Features may come in any order; repeated ones add up. With floating-point weights the order of
// the features is part of the input (see Order): pass them in ascending order to have fingerprints
// that others can reproduce. The error is ErrNoInformation or ErrNotFinite, with the fingerprint
// appended, or says, with nothing appended, that the lengths differ or that the hash takes no byte
// strings. Append allocates only if dst has no room and when byte strings are longer than before.
func Append[F Feature, W Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, error) {
	if len(features) != len(weights) {
		return dst, errLengths[F](len(features), len(weights))
	}
	if keys, ok := any(features).([]uint64); ok && s.isPlain(len(keys)) {
		return s.appendSigns(dst, sketchWord(s.hashPlain(keys), weights, s.order))
	}
	if err := checkFeatures(s.definition, features); err != nil {
		return dst, err
	}
	at := len(dst)
	dst = slices.Grow(dst, s.words)[:at+s.words]
	return dst, sketch(s, dst[at:], features, weights).Err()
}

// AppendUnit is Append with weight 1 for every feature, and several times faster: the fingerprint's
// bit j is that of most codes.
func AppendUnit[F Feature](s *Sketcher, dst []uint64, features []F) ([]uint64, error) {
	if keys, ok := any(features).([]uint64); ok && s.isPlain(len(keys)) {
		return s.appendSigns(dst, accumulate.SketchUnit(s.hashPlain(keys)))
	}
	if err := checkFeatures(s.definition, features); err != nil {
		return dst, err
	}
	at := len(dst)
	dst = slices.Grow(dst, s.words)[:at+s.words]
	return dst, sketch(s, dst[at:], features, ones[:len(features)]).Err()
}

// isPlain reports whether n indices of 64 bits are the common case: fingerprints of one word,
// indices that enter the hash as they are, and a vector that is hashed at once. It goes by itself
// because of what the general case decides on its way: that takes as many instructions as adding a
// hundred features of weight 1.
func (s *Sketcher) isPlain(n int) bool { return s.plain && n <= s.chunk }

// hashPlain returns the codes of the indices, which stay there until the next call.
func (s *Sketcher) hashPlain(keys []uint64) []uint64 {
	codes := s.codes[:len(keys)]
	s.hashIntegers(codes, keys)
	return codes
}

// appendSigns appends the fingerprint of one word that the signs are.
func (s *Sketcher) appendSigns(dst []uint64, signs accumulate.Signs) ([]uint64, error) {
	fingerprint, status := s.single(signs)
	return append(dst, fingerprint), status.Err()
}

// sketch stores the fingerprint of one vector, s.words words.
func sketch[F Feature, W weight](s *Sketcher, fingerprint []uint64, features []F, weights []W) Status {
	if keys, ok := any(features).([]uint64); ok && s.isPlain(len(keys)) {
		var status Status
		fingerprint[0], status = s.single(sketchWord(s.hashPlain(keys), weights, s.order))
		return status
	}
	n := len(features)
	if n > s.chunk {
		v := only[W](&s.lanes)
		v.clear()
		addFeatures(&s.coder, v, features, weights)
		return readLanes(fingerprint, s.definition, v)
	}
	return readCodes(s.definition, fingerprint, encode(&s.coder, features), n, weights)
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

func errLengths[F Feature](features, weights int) error {
	what := "indices"
	switch any(*new(F)).(type) {
	case string, []byte:
		what = "keys"
	}
	return fmt.Errorf("fphash: %d %s but %d weights", features, what, weights)
}
