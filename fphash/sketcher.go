package fphash

import (
	"reflect"
	"sync"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/minhash"
)

// Sketcher computes fingerprints with one definition: hash, encoding, width, widening, tie rule,
// seed or key, order of summation, lanes. Make one with New; a zero Sketcher panics.
//
// A Sketcher never changes and is safe for concurrent use: make one and share it. Buffers come from
// a pool, so there are no allocations per fingerprint. A Sketcher returned by Local, for one
// goroutine, avoids the small cost of the pool. The size of the buffers depends on the width: about
// 30 KB at 64 bits and 75 KB at 4096, or 60 and 75 KB with MinHash. At 4096 bits, the sums of
// vectors with more than 128 features take up to 100 KB more, depending on the types of weights.
// For byte strings, it also depends on their length: they are copied a few hundred at a time, and
// at most 1 MB is kept. It never depends on the number of dimensions or features.
type Sketcher struct {
	*definition
	workers int
	pool    sync.Pool // of *buffers
	own     *buffers  // buffers of a Sketcher returned by Local; else nil
	shared  *Sketcher // the Sketcher that Local was called on; else nil
}

// New returns a Sketcher for the definition. Zero fields have their defaults: New(Definition{})
// hashes the index's 8 little-endian bytes with xxh64 to 64 bits, ties give 0, the order is
// grouped, and the lanes are float64.
//
// New returns an error if a field or an option is invalid, or if the fingerprint would be wider
// than the hash's code and there is no widening. It also returns an error if the hash does not
// support the encoding, the widening, the seed or the key, if the definition has a Convention, or
// if the environment variable FPHASH_KERNEL names an unknown kernel.
func New(d Definition, options ...Option) (*Sketcher, error) {
	c, err := newConfig(d, options)
	if err != nil {
		return nil, err
	}
	made, err := newDefinition(c)
	if err != nil {
		return nil, err
	}
	return &Sketcher{definition: made, workers: c.workers}, nil
}

// Local returns a Sketcher with the same definition and its own buffers, for one goroutine at a
// time. Concurrent use gives wrong fingerprints; the race detector reports it. Cost: the buffers.
func (s *Sketcher) Local() *Sketcher {
	d := s.made()
	return &Sketcher{definition: d, workers: s.workers, own: newBuffers(d, s.workers), shared: s.origin()}
}

// origin returns the Sketcher that Local was called on, or s itself. Values that outlive a call may
// refer to it.
func (s *Sketcher) origin() *Sketcher {
	s.made()
	if s.shared != nil {
		return s.shared
	}
	return s
}

// made returns the definition of s. It panics if s was not made by New.
func (s *Sketcher) made() *definition {
	if s == nil || s.definition == nil {
		panic(notMade)
	}
	return s.definition
}

const notMade = "fphash: Sketcher was not made by New"

// Bits returns the width of the fingerprints.
func (s *Sketcher) Bits() int { return s.made().bits }

// Words returns the number of words of a fingerprint: ceil(Bits/64).
func (s *Sketcher) Words() int { return s.made().words }

// sketch stores the fingerprint of one vector, b.words words. It hashes a vector of at most one
// chunk in one call, and its sums never leave the kernel. The sums of a longer vector are kept in
// lanes.
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

// isPlain reports whether n 64-bit indices are the common case: the fingerprint has one word, the
// indices are hashed unchanged, and one call hashes the vector. The common case has its own path,
// because the branches of the general case cost as much as a hundred features of weight 1.
func (b *buffers) isPlain(n int) bool { return b.plain && n <= b.chunk }

// hashPlain is encode for the common case.
func (b *buffers) hashPlain(indices []uint64) []uint64 {
	codes := b.codes[:len(indices)]
	b.hashIntegers(codes, indices)
	return codes
}

// sketchCodes stores the fingerprint of a vector. Its features have the first weights.len codes,
// and word t of code i is at [t·stride+i].
func (b *buffers) sketchCodes(fingerprint, codes []uint64, stride int, weights column) (status Status) {
	if b.minhash {
		l := b.lanes.of(b.definition, unit)
		minhash.Sketch(l.minima, codes[:weights.len], b.scratch)
		return b.readSums(fingerprint, l)
	}
	weights = b.native(weights)
	if len(fingerprint) == 1 {
		fingerprint[0], status = b.single(signsOf(codes[:weights.len], weights, b.order))
		return status
	}
	var o outcome
	for t := range fingerprint {
		fingerprint[t] = o.word(b.definition, t, signsOf(codes[t*stride:][:weights.len], weights, b.order))
	}
	return o.status(fingerprint)
}

// single returns the one-word fingerprint with the given signs, and its status.
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

// sums returns the lanes of the vector, valid until the next call.
func (b *buffers) sums(features, weights column) lanes {
	l := b.lanes.of(b.definition, weights.kind)
	l.clear()
	b.add(l, features, weights)
	return l
}

// add hashes the features, a chunk at a time, and adds the weights to the lanes. For long vectors
// with weight 1, it first counts the bits, which is faster.
func (b *buffers) add(l lanes, features, weights column) {
	if weights.kind == unit && l.i64 != nil && features.len > b.chunk {
		l.addCounted(b.sums(features, weights))
		return
	}
	for at := 0; at < features.len; at += b.chunk {
		n := min(features.len-at, b.chunk)
		codes, some := b.encode(features.slice(at, at+n)), b.native(weights.slice(at, at+n))
		for t := range b.usedCodeWords() {
			b.addWord(l, t, codes[t*n:][:n], some)
		}
	}
}

// readSums stores the fingerprint for the lanes.
func (d *definition) readSums(fingerprint []uint64, l lanes) Status {
	var o outcome
	for t := range fingerprint {
		fingerprint[t] = o.word(d, t, l.signs(t))
	}
	return o.status(fingerprint)
}

// outcome combines the signs of all words.
type outcome struct {
	nonzero   uint64 // nonzero if some lane is not zero
	nonFinite uint64 // nonzero if some lane is not finite
}

// word adds the signs s of word t, and returns word t of the fingerprint.
func (o *outcome) word(d *definition, t int, s accumulate.Signs) uint64 {
	mask := ^uint64(0)
	if t == d.words-1 {
		mask = d.lastMask
	}
	o.nonzero |= ^s.Zero & mask
	o.nonFinite |= s.NonFinite & mask
	return (s.Positive | s.Zero&tieWords[d.tie]) & mask
}

// status returns the status. If a lane is not finite, it clears the fingerprint.
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

// defaults returns the Sketcher with the package defaults.
var defaults = sync.OnceValues(func() (*Sketcher, error) { return New(Definition{}) })

// Sketch64 returns the fingerprint of one vector with the package defaults: xxh64, little-endian
// indices, 64 bits, ties give 0, grouped order. The lanes have the type of floating-point weights:
// for float32 weights, the definition is that of New(Definition{Float32: true}).
//
// It is safe for concurrent use and, after the first calls, does not allocate. It returns the same
// status and error as Append, or the error of New for an invalid FPHASH_KERNEL.
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
	status := b.sketch(fingerprint[:], columnOf(features), columnOf(weights)) // in lanes of their type
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

// Features are hashed a chunk at a time. A chunk is so small that the codes are still in the L1
// cache when the weights are added (in L2 for codes wider than 2048 bits), and large enough to make
// the overhead of a call negligible. It is a multiple of 4, so that no group is split.
const (
	chunkWords = 512 // words of codes in a chunk, but at least chunkLeast codes
	chunkLeast = 128 // most documents are one chunk, even if codes are wide
)

// chunkOf returns the number of features in a chunk. MinHash takes twice as many, because so many
// features rarely leave a lane of 128 without any.
func chunkOf(d *definition) int {
	words := chunkWords
	if d.minhash {
		words *= 2
	}
	return max(words/d.codeWords&^7, chunkLeast)
}

// buffers are the memory that one goroutine needs to compute fingerprints. With them, nothing is
// allocated and the caller's slices do not escape.
type buffers struct {
	guard
	*definition
	chunk   int      // number of features hashed in one call
	codes   []uint64 // codes of a chunk
	narrow  []int32  // weights as int32
	wide    []int64  // weights that do not fit in int32
	keys    []uint64 // indices as 64 bits, or byte-swapped
	text    []byte   // indices as decimal digits, or byte strings
	ends    []int    // end of each string in text
	lanes   lanes    // sums of vectors longer than a chunk, and all minima
	scratch *minhash.Scratch
	offsets []int // offsets of a batch as int
	workers int
	helpers []*buffers // buffers of the other workers of a batch
}

func newBuffers(d *definition, workers int) *buffers {
	chunk := chunkOf(d)
	b := &buffers{
		definition: d, workers: workers, chunk: chunk,
		codes: make([]uint64, chunk*d.codeWords), keys: make([]uint64, chunk), narrow: make([]int32, chunk), wide: make([]int64, chunk),
	}
	if d.minhash {
		b.scratch = new(minhash.Scratch)
	}
	if d.bytes != nil {
		// This buffer grows if byte strings are longer on average.
		b.text, b.ends = make([]byte, 0, chunk*maxDigits+written), make([]int, chunk)
	}
	return b
}

// clone returns new buffers for the same definition.
func (b *buffers) clone() *buffers { return newBuffers(b.definition, b.workers) }

// borrow returns buffers for one call: the Sketcher's own, or buffers from its pool. If the call
// panics, they are not returned to the pool. borrow and giveBack are small enough to be inlined, so
// that a Sketcher's own buffers cost no call.
func borrow(s *Sketcher) *buffers {
	if s != nil && s.own != nil {
		return s.own
	}
	return s.fromPool()
}

func (s *Sketcher) fromPool() *buffers {
	d := s.made()
	if b, ok := s.pool.Get().(*buffers); ok {
		return b
	}
	return newBuffers(d, s.workers)
}

// giveBack returns borrowed buffers to the pool.
func giveBack(s *Sketcher, b *buffers) {
	b.entered()
	if s.own == nil {
		s.pool.Put(b)
	}
}
