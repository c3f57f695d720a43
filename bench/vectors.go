package bench

import (
	"fmt"
	"strconv"

	"simhashkit/datasets"
)

// stream is how many features the vectors of fixed sizes have together.
const stream = 131_072

// vectors are sparse vectors in CSR form; weights that are nil are unit weights.
type vectors[W weight] struct {
	offsets []int
	indices []uint64
	weights []W
}

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
	return kept(in, fmt.Sprint("vectors ", s.weights, s.data, s.nnz, s.cpus > 0), func() (*vectors[W], error) {
		if s.data != "" {
			return vectorsOfData[W](in.Data, s.weights == datasets.Unit)
		}
		nnz, err := strconv.Atoi(s.nnz)
		if err != nil {
			return nil, err
		}
		count := max(stream/nnz, 1)
		if s.cpus > 0 {
			count = batchVectors
		}
		v := &vectors[W]{indices: randomWords(5, count*nnz)}
		for i := range count + 1 {
			v.offsets = append(v.offsets, i*nnz)
		}
		if s.weights != datasets.Unit {
			v.weights = someWeights[W](count * nnz)
		}
		return v, nil
	})
}
