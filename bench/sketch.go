package bench

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"

	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/libraries"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
)

const mixed = "mixed"

// sketchOf computes whole fingerprints, of indices or of the data set.
type sketchOf struct {
	hashes        []string
	encodings     []fphash.Encoding
	weights       []string
	bits, sizes   []int // sizes are values of nnz
	kernels       pick
	data          bool  // use the data set instead of sizes
	fit           bool  // use the hash's width if it is less than bits
	cpus, vectors []int // workers and sizes of batches; if empty, one vector per call
}

func (p sketchOf) addTo(g *grid) error {
	families, err := g.families(p.hashes)
	if err != nil {
		return err
	}
	sizes := namesOf(choose(g.NNZ, p.sizes), strconv.Itoa)
	data := ""
	if p.data {
		if g.Data == "" {
			return nil
		}
		data, sizes = g.Data, []string{mixed}
	}
	for _, family := range families {
		for _, encoding := range choose(g.Encodings, p.encodings) {
			if family.Integer && encoding != fphash.LE64 {
				continue
			}
			for _, weights := range g.types(p.weights) {
				for _, f := range choose(g.Bits, p.bits) {
					if p.fit && len(g.Bits) == 0 {
						f = min(f, family.Bits)
					}
					// MinHash needs a hash of 64 bits or more, whatever the width
					if weights == set && family.Bits >= 64 || weights != set && family.Bits >= f {
						p.put(g, sketchCase{family: family, encoding: encoding, weights: weights, bits: f, data: data}, sizes)
					}
				}
			}
		}
	}
	return nil
}

// put adds the case for every kernel, size, number of vectors and number of workers.
func (p sketchOf) put(g *grid, s sketchCase, sizes []string) {
	cpus, vectors := p.cpus, p.vectors
	if len(cpus) == 0 {
		cpus, vectors = []int{0}, []int{0}
	}
	table := slices.Concat(hashTable(s.family.Name), kernelsOf(s.weights))
	for _, v := range g.variants(p.kernels, table, naiveOf(s.weights)...) {
		s.naive = v.kernel == terms.Naive
		for _, s.nnz = range sizes {
			for _, s.vectors = range vectors {
				for _, s.cpus = range cpus {
					if s.cpus <= runtime.GOMAXPROCS(0) {
						g.put(timedCase{Name: s.name(v.kernel), Unit: terms.NanosecondsPerFeature, tier: v.tier, prepare: s.prepare})
					}
				}
			}
		}
	}
}

type sketchCase struct {
	family   fphash.Family
	encoding fphash.Encoding
	weights  string
	bits     int
	naive    bool
	data     string // "" for vectors of a fixed size
	nnz      string
	cpus     int // workers of a batch; 0: one vector per call
	vectors  int // size of the batch
}

// Batch sizes, in vectors of 100 features. A large batch takes at least 20 ms on one core, so the
// time to wake a second core hardly matters; its name has no vectors=. A medium batch takes a few
// milliseconds, a small one less than a millisecond.
const (
	largeBatch  = 160_000
	mediumBatch = 10_000
	smallBatch  = 1000
)

func (s sketchCase) name(kernel string) benchname.Name {
	encoding, cpus, vectors := "", "", ""
	if s.encoding != fphash.LE64 {
		encoding = s.encoding.String()
	}
	if s.cpus > 0 {
		cpus = strconv.Itoa(s.cpus)
	}
	if s.vectors > 0 && s.vectors != largeBatch {
		vectors = strconv.Itoa(s.vectors)
	}
	return benchname.New(terms.Sketch, "hash", s.family.Name, "weights", s.weights, "f", strconv.Itoa(s.bits), "kernel", kernel,
		"encoding", encoding, "cpus", cpus, "vectors", vectors, "data", s.data, "nnz", s.nnz)
}

func (s sketchCase) prepare(in *inputs) (*trial, error) { return weightTypes[s.weights].sketch(s, in) }

// sketcher appends the fingerprint of a vector.
type sketcher[W weight] func(dst, indices []uint64, weights []W) ([]uint64, error)

func sketchTrial[W weight](s sketchCase, in *inputs) (*trial, error) {
	v, err := vectorsOf[W](s, in)
	if err != nil {
		return nil, err
	}
	same := s
	same.cpus = min(s.cpus, 1) // the fingerprints do not depend on the number of workers
	want, err := kept(in, fmt.Sprint("expected ", same), func() ([]uint64, error) { return expected(s, v) })
	if err != nil {
		return nil, err
	}
	if s.cpus > 0 {
		return batchTrial(s, v, want)
	}
	sketch, err := sketcherOf[W](s)
	if err != nil {
		return nil, err
	}
	// An operation is one vector of a fixed size, or one pass over a data set.
	perOperation, per := 1, len(v.indices)/v.count()
	if s.data != "" {
		perOperation, per = v.count(), len(v.indices)
	}
	next, dst := 0, make([]uint64, 0, wordsOf(s.bits))
	return &trial{
		family: &s.family,
		per:    per,
		loop: func(times int) {
			for range times * perOperation {
				indices, weights := v.at(next)
				if next++; next == v.count() {
					next = 0
				}
				dst, _ = sketch(dst[:0], indices, weights) // verify checked the errors
				sink ^= dst[0]
			}
		},
		verify: func() error { return sameFingerprints(v, sketch, want, wordsOf(s.bits)) },
	}, nil
}

func sameFingerprints[W weight](v *vectors[W], sketch sketcher[W], want []uint64, words int) error {
	var got []uint64
	for i := range v.count() {
		var err error
		indices, weights := v.at(i)
		got, err = sketch(got[:0], indices, weights)
		if err != nil {
			return fmt.Errorf("vector %d: %w", i, err)
		}
		for t := range words {
			if w := want[i*words+t]; got[t] != w {
				return wrongAnswer{fmt.Sprintf("vector %d word %d", i, t), got[t], w}
			}
		}
	}
	return nil
}

func sketcherOf[W weight](s sketchCase) (sketcher[W], error) {
	if s.naive {
		return naiveSketcher[W](s)
	}
	sketch := fphash.SimHash
	if s.weights == set {
		sketch = fphash.MinHash
	}
	shared, err := fphash.New(fphash.Definition{Encoding: s.encoding, Bits: s.bits, Kind: sketch, Float32: s.weights == datasets.Float32}, fphash.WithFamily(s.family))
	if err != nil {
		return nil, err
	}
	f := shared.Local()
	if s.unweighted() {
		return func(dst, indices []uint64, _ []W) ([]uint64, error) {
			dst, _, err := fphash.AppendUnit(f, dst, indices)
			return dst, err
		}, nil
	}
	return func(dst, indices []uint64, weights []W) ([]uint64, error) {
		dst, _, err := fphash.Append(f, dst, indices, weights)
		return dst, err
	}, nil
}

// coder returns a function that hashes indices with the library of the hash, one key at a time.
func (s sketchCase) coder() (func(indices []uint64) [][]uint64, error) {
	family, _ := libraries.Of(s.family)
	library, err := family.New(plainKey(family))
	if err != nil {
		return nil, err
	}
	hash, err := quality.Encoded(library, s.encoding)
	if err != nil {
		return nil, err
	}
	var codes []uint64
	words := make([][]uint64, wordsOf(s.bits))
	return func(indices []uint64) [][]uint64 {
		n := len(indices)
		codes = slices.Grow(codes[:0], n*family.Words())[:n*family.Words()]
		hash(codes, indices)
		for t := range words {
			words[t] = codes[t*n : (t+1)*n]
		}
		return words
	}, nil
}

// naiveSketcher returns the loop that most programs use: it hashes key by key and adds bit by bit.
func naiveSketcher[W weight](s sketchCase) (sketcher[W], error) {
	code, err := s.coder()
	if err != nil {
		return nil, err
	}
	accumulate := naiveAccumulator[W](s.weights == datasets.Unit)
	return func(dst, indices []uint64, weights []W) ([]uint64, error) {
		for _, codes := range code(indices) {
			dst = append(dst, accumulate(codes, weights))
		}
		dst[len(dst)-1] &= lastWordMask(s.bits)
		return dst, nil
	}, nil
}

// expected computes the fingerprints of the distinct vectors with the library of the hash and the
// oracle.
func expected[W weight](s sketchCase, v *vectors[W]) (want []uint64, err error) {
	bits := s.bits
	if s.weights == set {
		s.bits = 64 // MinHash uses one 64-bit code per feature at every width
	}
	code, err := s.coder()
	if err != nil {
		return nil, err
	}
	oracle := oracleFor[W]()
	for i := range v.distinct {
		indices, weights := v.at(i)
		codes := code(indices)
		if s.weights == set {
			for k, c := range codes[0] {
				codes[0][k] = splitMix64(c)
			}
			fingerprint := make([]uint64, wordsOf(bits))
			minHashOracle(fingerprint, codes[0])
			want = append(want, fingerprint...)
		} else {
			for t := range wordsOf(bits) {
				want = append(want, oracle(codes[t], weights, s.naive))
			}
		}
		want[len(want)-1] &= lastWordMask(bits)
	}
	return want, nil
}

func wordsOf(bits int) int { return (bits + 63) / 64 }

// lastWordMask returns a mask of the bits that a fingerprint uses in its last word.
func lastWordMask(bits int) uint64 { return ^uint64(0) >> (-uint(bits) % 64) }

// batchTrial times one call that sketches all vectors with s.cpus workers.
func batchTrial[W weight](s sketchCase, v *vectors[W], want []uint64) (*trial, error) {
	f, err := fphash.New(fphash.Definition{Encoding: s.encoding, Bits: s.bits, Float32: s.weights == datasets.Float32}, fphash.WithFamily(s.family), fphash.WithWorkers(s.cpus))
	if err != nil {
		return nil, err
	}
	var fingerprints []uint64
	var status []fphash.Status
	sketch := func() (err error) {
		fingerprints, status, err = fphash.AppendBatch(f, fingerprints[:0], status[:0], v.offsets, v.indices, v.weights)
		return err
	}
	return &trial{
		family:   &s.family,
		per:      len(v.indices),
		parallel: true,
		loop: func(times int) {
			for range times {
				_ = sketch() // verify checked the error
				sink ^= fingerprints[0]
			}
		},
		verify: func() error {
			if err := sketch(); err != nil {
				return err
			}
			for i, got := range fingerprints {
				if w := want[i%len(want)]; got != w {
					return wrongAnswer{fmt.Sprintf("word %d of the batch", i), got, w}
				}
			}
			return nil
		},
	}, nil
}
