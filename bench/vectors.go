package bench

import (
	"fmt"
	"strconv"

	"simhashkit/datasets"
)

// stream is how many features all vectors of a fixed size have.
const stream = 131_072

// distinctVectors is the largest number of distinct vectors of a batch. A larger batch repeats
// them, so that computing the expected fingerprints does not take seconds.
const distinctVectors = 10_000

// vectors are sparse vectors in CSR form; weights that are nil are unit weights.
type vectors[W weight] struct {
	offsets []int
	indices []uint64
	weights []W
	// how many there are before they come again
	distinct int
}

func (s sketchCase) unweighted() bool { return s.weights == datasets.Unit || s.weights == set }

func (v *vectors[W]) count() int { return len(v.offsets) - 1 }

func (v *vectors[W]) at(i int) (indices []uint64, weights []W) {
	from, to := v.offsets[i], v.offsets[i+1]
	if v.weights != nil {
		weights = v.weights[from:to]
	}
	return v.indices[from:to], weights
}

// vectorsOf returns the vectors of the case: those of the data set, or those of the fixed size: a
// stream of them, or a batch.
func vectorsOf[W weight](s sketchCase, in *Inputs) (*vectors[W], error) {
	return kept(in, fmt.Sprint("vectors ", s.weights, s.data, s.nnz, s.vectors), func() (*vectors[W], error) {
		if s.data != "" {
			return vectorsOfData[W](in.Data, s.unweighted())
		}
		nnz, err := strconv.Atoi(s.nnz)
		if err != nil {
			return nil, err
		}
		count := max(in.stream/nnz, 1)
		distinct := count
		if s.vectors > 0 {
			count, distinct = s.vectors, min(s.vectors, in.distinct)
		}
		v := &vectors[W]{indices: again(randomWords(5, distinct*nnz), count*nnz), distinct: distinct}
		for i := range count + 1 {
			v.offsets = append(v.offsets, i*nnz)
		}
		if !s.unweighted() {
			v.weights = again(someWeights[W](distinct*nnz), count*nnz)
		}
		return v, nil
	})
}

// again returns n elements: those of s, from the beginning again wherever they end.
func again[T any](s []T, n int) []T {
	if n == len(s) {
		return s
	}
	all := make([]T, 0, n)
	for len(all) < n {
		all = append(all, s[:min(len(s), n-len(all))]...)
	}
	return all
}
