package quality

import (
	"fmt"
	"slices"

	"simhashkit/datasets"
	"simhashkit/fphash"
)

// Every index of a workload occurs in many vectors, so it is hashed once for each keying, in one
// batch. The vectors then have positions for indices, and their hash is the look-up in the table of
// codes: all else is fphash as users have it, with its kernels, orders and tie rules.

// sketchFunc appends the fingerprints of all vectors of a workload.
type sketchFunc func(s *fphash.Sketcher, dst []uint64, status []fphash.Status) ([]uint64, []fphash.Status, error)

// table is a hash of positions: word t of the code of position i is codes[t·n+i].
type table struct {
	codes []uint64
	n     int
}

func (t *table) HashUint64s(dst, keys []uint64) {
	for from := 0; from < len(t.codes); from += t.n {
		word := t.codes[from : from+t.n]
		for i, k := range keys {
			dst[i] = word[k]
		}
		dst = dst[len(keys):]
	}
}

// turn complements the codes of the positions that have a sign, which gives the sums that weights
// of the opposite sign would.
func (t *table) turn(signs []bool, bits int) {
	for from := 0; from < len(t.codes); from += t.n {
		mask := ^uint64(0)
		if from+t.n == len(t.codes) {
			mask >>= -uint(bits) % 64
		}
		word := t.codes[from : from+t.n]
		for i, sign := range signs {
			if sign {
				word[i] ^= mask
			}
		}
	}
}

// newTable returns a table of n codes and a Sketcher that reads it.
func newTable(n, bits int) (*table, *fphash.Sketcher, error) {
	t := &table{make([]uint64, n*wordsOf(bits)), n}
	family := fphash.Family{Name: "table", Bits: bits, Integer: true, New: func(fphash.Key) (fphash.Hash, error) { return t, nil }}
	s, err := fphash.New(fphash.WithFamily(family), fphash.WithBits(bits), fphash.WithWorkers(1))
	if err != nil {
		return nil, nil, fmt.Errorf("quality: %w", err)
	}
	return t, s, nil
}

// generatedSketch sketches the set with weights of the type that the kind has.
func generatedSketch(kind Weights, v *vectors) sketchFunc {
	switch kind {
	case Unit:
		return unitSketch(v)
	case Counts:
		return weightedSketch(v, converted[int32](v.weights))
	}
	return weightedSketch(v, converted[float32](v.weights))
}

func unitSketch(v *vectors) sketchFunc {
	return func(s *fphash.Sketcher, dst []uint64, status []fphash.Status) ([]uint64, []fphash.Status, error) {
		return fphash.AppendBatchUnit(s, dst, status, v.offsets, v.positions)
	}
}

func weightedSketch[W datasets.Weight](v *vectors, weights []W) sketchFunc {
	return func(s *fphash.Sketcher, dst []uint64, status []fphash.Status) ([]uint64, []fphash.Status, error) {
		return fphash.AppendBatch(s, dst, status, v.offsets, v.positions, weights)
	}
}

func converted[W datasets.Weight](weights []float64) []W {
	out := make([]W, 0, len(weights))
	for _, x := range weights {
		out = append(out, W(x))
	}
	return out
}

// sketchAll stores the fingerprints of all vectors in dst. rows are their numbers in the user's
// set, nil where these are 0, 1, 2 and so on; errors count from 1.
func sketchAll(sketch sketchFunc, rows []int, s *fphash.Sketcher, dst []uint64, status []fphash.Status) ([]uint64, []fphash.Status, error) {
	dst, status, err := sketch(s, dst[:0], status[:0])
	if err != nil {
		return dst, status, fmt.Errorf("quality: %w", err)
	}
	if i := slices.Index(status, fphash.NotFinite); i >= 0 {
		if rows != nil {
			i = rows[i]
		}
		return dst, status, fmt.Errorf("quality: vector %d: %w", i+1, fphash.NotFinite.Err())
	}
	return dst, status, nil
}
