package dedup

import (
	"context"
	"math"

	"simhashkit/datasets"
)

// RereadVectors is Reread for vectors.
type RereadVectors func(ctx context.Context, records []uint64, take func(record uint64, indices []uint64, weights []float64) error) error

// Vectors verifies candidates by the cosine of their vectors, which are read again. Those of
// candidates go to a temporary file, 16 bytes for each nonzero weight.
type Vectors struct {
	Similarity float64
	Read       RereadVectors
	Folder     string // of the temporary file; "" is the system's

	store *store
}

// Close removes the temporary file.
func (v *Vectors) Close() error { return v.store.close() }

// Load reads the vectors of the records.
func (v *Vectors) Load(ctx context.Context, records []uint64) (err error) {
	if v.store, err = newStore(v.Folder, records); err != nil {
		return err
	}
	var numbers []uint64
	err = v.Read(ctx, records, func(_ uint64, indices []uint64, weights []float64) error {
		numbers = weighed(numbers[:0], indices, weights)
		return v.store.add(numbers)
	})
	if err == nil {
		err = v.store.end()
	}
	return err
}

// weighed appends a vector in the form that a store keeps: indices, then weights.
func weighed(dst []uint64, indices []uint64, weights []float64) []uint64 {
	dst = append(dst, indices...)
	for _, w := range weights {
		dst = append(dst, math.Float64bits(w))
	}
	return dst
}

// sparse is a vector as it comes from the store.
type sparse struct {
	indices []uint64
	weights []float64
}

func (v *Vectors) vector(record uint64) (sparse, error) {
	numbers, err := v.store.append(nil, record)
	if err != nil {
		return sparse{}, err
	}
	half := len(numbers) / 2
	s := sparse{numbers[:half], make([]float64, half)}
	for i, bits := range numbers[half:] {
		s.weights[i] = math.Float64frombits(bits)
	}
	return s, nil
}

// Compare returns the cosine of two vectors.
func (v *Vectors) Compare(a, b uint64) (float64, bool, error) {
	x, err := v.vector(a)
	if err != nil {
		return 0, false, err
	}
	y, err := v.vector(b)
	if err != nil {
		return 0, false, err
	}
	cosine := v.cosine(x, y)
	return cosine, cosine >= v.Similarity, nil
}

// cosine is that of two vectors; rounding does not turn equal directions into unlike ones.
func (v *Vectors) cosine(a, b sparse) float64 {
	cosine := datasets.Cosine(a.indices, a.weights, b.indices, b.weights)
	if cosine > 1-1e-12 {
		return 1
	}
	return cosine
}

// Select compares each record with the kept ones before it that are near, until one is similar.
func (v *Vectors) Select(ctx context.Context, records []uint64, old int, near func(i, j int) bool) ([]int, []float32, error) {
	return selectByPairs(ctx, len(records), old, near, func(i, j int) (float64, bool, error) {
		return v.Compare(records[i], records[j])
	})
}
