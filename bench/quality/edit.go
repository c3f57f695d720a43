package quality

import (
	"fmt"
	"math"
	"slices"

	"simhashkit/datasets"
)

// EditRates are the parts of the features that edited copies have replaced in a workload.
var EditRates = []float64{0.01, 0.03, 0.05, 0.1, 0.2}

// Edit returns n edited copies of vectors of a set, the near-duplicates that few sets have enough
// of, and says which vector each copy was made from. A copy has one of the parts of its features
// replaced, one feature at least, by features of the set: an index that occurs in many vectors
// comes often, with the weight of one of them. A feature for which eight draws give only indices
// that the vector has is removed. The weights that stay lose up to the same part of their size or,
// in a set of whole numbers, that part of them lose 1.
func Edit(set *datasets.CSR[float32], rates []float64, n int, seed uint64) (copies datasets.CSR[float32], of []int, err error) {
	e := editor{set: set, random: newRandom(seed, forEdits, 0)}
	e.whole = !slices.ContainsFunc(set.Weights, func(w float32) bool { return float64(w) != math.Trunc(float64(w)) })
	var from []int
	for i := range set.Len() {
		if set.Offsets[i] < set.Offsets[i+1] {
			from = append(from, i)
		}
	}
	shuffle(e.random, from)
	for i := range n {
		if len(from) == 0 {
			break
		}
		row := from[i%len(from)]
		// the second round gives each vector another rate than the first
		copied := e.edit(row, rates[(i+i/len(from))%len(rates)])
		if err := copies.Append(&copied); err != nil {
			return copies, nil, fmt.Errorf("quality: %w", err)
		}
		of = append(of, row)
	}
	return copies, of, nil
}

// editor makes edited copies of the vectors of a set.
type editor struct {
	set    *datasets.CSR[float32]
	whole  bool // all weights are whole numbers
	random random
}

func (e *editor) edit(row int, rate float64) datasets.Row[float32] {
	const draws = 8
	indices, weights := e.set.Row(row)
	copied := datasets.Row[float32]{Indices: slices.Clone(indices), Weights: slices.Clone(weights)}
	e.jitter(copied.Weights, rate)
	has := map[uint64]bool{}
	places := make([]int, len(indices))
	for i, index := range indices {
		has[index], places[i] = true, i
	}
	shuffle(e.random, places)
	var removed []int
	for _, at := range places[:max(1, int(math.Round(rate*float64(len(places)))))] {
		found := false
		for try := 0; try < draws && !found; try++ {
			drawn := int(e.random.below(uint64(e.set.NNZ())))
			if index := e.set.Indices[drawn]; !has[index] {
				has[index], found = true, true
				copied.Indices[at] = index
				if weights != nil {
					copied.Weights[at] = e.set.Weights[drawn]
				}
			}
		}
		if !found && len(removed)+1 < len(places) {
			removed = append(removed, at)
		}
	}
	slices.Sort(removed)
	for _, at := range slices.Backward(removed) {
		copied.Indices = slices.Delete(copied.Indices, at, at+1)
		if weights != nil {
			copied.Weights = slices.Delete(copied.Weights, at, at+1)
		}
	}
	return copied
}

// jitter makes weights smaller, and none greater, so that none is infinite.
func (e *editor) jitter(weights []float32, rate float64) {
	const steps = 1 << 20
	for i, w := range weights {
		part := float64(rate * float64(e.random.below(steps)) / steps)
		switch {
		case !e.whole:
			weights[i] = float32(float64(w) * (1 - part))
		case math.Abs(float64(w)) > 1 && e.random.below(steps) < uint64(rate*steps):
			weights[i] -= float32(math.Copysign(1, float64(w)))
		}
	}
}
