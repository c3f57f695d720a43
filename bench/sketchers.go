package bench

import (
	"slices"

	"simhashkit/bench/libraries"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// sketcherOf returns the way of sketching that is to be timed.
func sketcherOf[W weight](s sketchCase) (sketcher[W], error) {
	if s.naive {
		return naiveSketcher[W](s)
	}
	sketch := fphash.SimHash
	if s.weights == set {
		sketch = fphash.MinHash
	}
	shared, err := fphash.New(fphash.WithSketch(sketch), fphash.WithFamily(s.family), fphash.WithEncoding(s.encoding), fphash.WithBits(s.bits), fphash.WithWiden(s.widen))
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

// coder returns a function that hashes a vector's indices by the plain calls of the library,
// widened where need be, and gives the words of the codes one by one.
func (s sketchCase) coder() (func(indices []uint64) [][]uint64, error) {
	family, _ := libraries.Of(s.family)
	family, err := family.Widen(s.widen, max(s.bits, family.Bits))
	if err != nil {
		return nil, err
	}
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

// naiveSketcher is the loop that most programs use: one key after the other through the library,
// one bit after the other into the lanes.
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

// expected returns the fingerprints that the definition gives, computed by the library and the
// oracle; of a batch those of its distinct vectors.
func expected[W weight](s sketchCase, v *vectors[W]) ([]uint64, error) {
	if s.weights == set {
		return expectedMinima(s, v)
	}
	code, err := s.coder()
	if err != nil {
		return nil, err
	}
	var want []uint64
	oracle := oracleFor[W]()
	for i := range v.distinct {
		indices, weights := v.at(i)
		for _, codes := range code(indices) {
			want = append(want, oracle(codes, weights, s.naive))
		}
		want[len(want)-1] &= lastWordMask(s.bits)
	}
	return want, nil
}

func wordsOf(bits int) int { return (bits + 63) / 64 }

// lastWordMask has the bits set that this many bits use of their last word.
func lastWordMask(bits int) uint64 { return ^uint64(0) >> (-uint(bits) % 64) }
