package datasets

import (
	"cmp"
	"math"
	"slices"
)

// Cosine returns the cosine of the angle between two vectors, computed in float64. The result is
// the same on every machine. Nil weights mean unit weights. Repeated indices add up, in any order.
// The cosine with a zero vector is 0. Cosine panics if a vector has weights, but not as many as
// indices.
//
// Rows in strictly ascending order take one pass. Other rows are copied and sorted first.
func Cosine[W Weight](aIndices []uint64, aWeights []W, bIndices []uint64, bWeights []W) float64 {
	a, b := toVector(aIndices, aWeights), toVector(bIndices, bWeights)
	// toVector scales the weights: norms is at most nnz^2, and tiny only if a vector is zero.
	norms := a.dot(a) * b.dot(b)
	if norms == 0 {
		return 0
	}
	return max(-1, min(1, a.dot(b)/math.Sqrt(norms)))
}

// vector is a sparse vector in strictly ascending order. It is scaled by a power of two so that its
// largest weight is in [0.5, 1): squares neither overflow nor underflow.
type vector struct {
	indices []uint64
	weights []float64
}

func toVector[W Weight](indices []uint64, weights []W) vector {
	if weights != nil && len(weights) != len(indices) {
		panic("datasets: indices and weights of different lengths")
	}
	v := vector{indices, make([]float64, len(indices))}
	for i := range indices {
		v.weights[i] = 1
		if weights != nil {
			v.weights[i] = float64(weights[i])
		}
	}
	v.scale()
	for i := 1; i < len(indices); i++ {
		if indices[i-1] >= indices[i] {
			v = v.merged()
			v.scale()
			break
		}
	}
	return v
}

func (v vector) scale() {
	largest := 0.0
	for _, w := range v.weights {
		largest = max(largest, math.Abs(w))
	}
	_, exponent := math.Frexp(largest)
	for i, w := range v.weights {
		v.weights[i] = math.Ldexp(w, -exponent)
	}
}

// merged returns the vector in ascending order. Repeated indices are summed in their original
// order.
func (v vector) merged() vector {
	order := make([]int, len(v.indices))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v.indices[i], v.indices[j]) })
	var m vector
	for _, i := range order {
		if last := len(m.indices) - 1; last >= 0 && m.indices[last] == v.indices[i] {
			m.weights[last] += v.weights[i]
			continue
		}
		m.indices = append(m.indices, v.indices[i])
		m.weights = append(m.weights, v.weights[i])
	}
	return m
}

func (v vector) dot(u vector) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(v.indices) && j < len(u.indices); {
		switch {
		case v.indices[i] < u.indices[j]:
			i++
		case v.indices[i] > u.indices[j]:
			j++
		default:
			// The conversion prevents a fused multiply-add, which rounds differently.
			sum += float64(v.weights[i] * u.weights[j])
			i++
			j++
		}
	}
	return sum
}
