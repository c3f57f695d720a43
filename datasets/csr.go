package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Weight is the constraint for the types of feature weights.
type Weight interface {
	int32 | int64 | float32 | float64
}

// CSR holds sparse vectors in compressed sparse row form. The features of vector i are
// Indices[Offsets[i]:Offsets[i+1]]; their weights are Weights[Offsets[i]:Offsets[i+1]].
//
// Offsets starts at 0, never decreases, and has one entry more than there are vectors. The zero CSR
// has no entries and is an empty set. Weights == nil means unit weights: each listed feature counts
// once, and each repeat counts again. IDs is nil if no vector has an id; otherwise it has one entry
// per vector. Offsets, Indices and Weights are the slices that the computing packages take, so a
// CSR can be passed without copying.
type CSR[W Weight] struct {
	Offsets []int
	Indices []uint64
	Weights []W
	IDs     []string // names of the vectors, such as file paths; "" for a vector without a name
}

// Row is one vector with its id and its line in the source. A reader reuses the same Row, so the
// slices are valid only until the next call.
type Row[W Weight] struct {
	ID      []byte   // nil if the vector has no id
	Indices []uint64 // weighted: ascending, without repeats; unit: as in the source
	Weights []W      // nil for unit weights
	Line    int      // line number in the source, from 1; 0 if the source has no lines
}

// Len returns the number of vectors.
func (c *CSR[W]) Len() int { return max(len(c.Offsets)-1, 0) }

// NNZ returns the total number of features listed in the vectors.
func (c *CSR[W]) NNZ() int { return len(c.Indices) }

// Row returns the features of vector i without copying; weights is nil for unit weights. It panics
// if i is out of range.
func (c *CSR[W]) Row(i int) (indices []uint64, weights []W) {
	from, to := c.Offsets[i], c.Offsets[i+1]
	if c.Weights != nil {
		weights = c.Weights[from:to:to]
	}
	return c.Indices[from:to:to], weights
}

// ID returns the id of vector i, or "" if it has none.
func (c *CSR[W]) ID(i int) string {
	if c.IDs == nil {
		return ""
	}
	return c.IDs[i]
}

// Append adds a copy of the row. The first row with features decides whether the CSR has weights.
// Append returns an error if another row with features disagrees, or if the row has different
// numbers of indices and weights. The CSR is then unchanged.
func (c *CSR[W]) Append(row *Row[W]) error {
	if row.Weights != nil && len(row.Weights) != len(row.Indices) {
		return fmt.Errorf("datasets: row has %d indices and %d weights", len(row.Indices), len(row.Weights))
	}
	if len(row.Indices) > 0 && c.NNZ() > 0 && (row.Weights == nil) != (c.Weights == nil) {
		return fmt.Errorf("datasets: rows with and without weights in one set (row %d)", c.Len()+1)
	}
	if row.Weights != nil && c.NNZ() == 0 && c.Weights == nil {
		c.Weights = []W{}
	} else if row.Weights == nil && len(row.Indices) > 0 {
		c.Weights = nil
	}
	n := c.Len()
	c.Indices = append(c.Indices, row.Indices...)
	c.Weights = append(c.Weights, row.Weights...)
	if c.Offsets == nil {
		c.Offsets = append(c.Offsets, 0)
	}
	c.Offsets = append(c.Offsets, len(c.Indices))
	if c.IDs == nil && len(row.ID) > 0 {
		c.IDs = make([]string, n, n+1)
	}
	if c.IDs != nil {
		c.IDs = append(c.IDs, string(row.ID))
	}
	return nil
}

// Validate returns an error if the slices are inconsistent. Use it for a CSR built by hand: every
// CSR that this package returns without an error is valid.
func (c *CSR[W]) Validate() error {
	if len(c.Offsets) == 0 {
		if len(c.Indices) > 0 || len(c.Weights) > 0 {
			return fmt.Errorf("datasets: %d indices and %d weights, but no offsets", len(c.Indices), len(c.Weights))
		}
	} else if c.Offsets[0] != 0 {
		return fmt.Errorf("datasets: offsets start at %d, not at 0", c.Offsets[0])
	} else if last := c.Offsets[c.Len()]; last != len(c.Indices) {
		return fmt.Errorf("datasets: offsets end at %d, but there are %d indices", last, len(c.Indices))
	}
	for i := range c.Len() {
		if c.Offsets[i] > c.Offsets[i+1] {
			return fmt.Errorf("datasets: offsets fall from %d to %d at vector %d", c.Offsets[i], c.Offsets[i+1], i)
		}
	}
	if c.Weights != nil && len(c.Weights) != len(c.Indices) {
		return fmt.Errorf("datasets: %d indices and %d weights", len(c.Indices), len(c.Weights))
	}
	if c.IDs != nil && len(c.IDs) != c.Len() {
		return fmt.Errorf("datasets: %d vectors and %d ids", c.Len(), len(c.IDs))
	}
	return nil
}

// summer sorts the indices of rows and sums repeated indices.
type summer[W Weight] struct {
	unsorted bool // the indices of the row are not in strictly ascending order
	placed   []placed[W]
}

// placed is a feature with its position in the source.
type placed[W Weight] struct {
	index  uint64
	place  int
	weight W
}

// next records whether the next index of the row is out of order.
func (s *summer[W]) next(row *Row[W], index uint64) {
	if n := len(row.Indices); n > 0 && index <= row.Indices[n-1] {
		s.unsorted = true
	}
}

// sum sorts the row by index, sums repeated indices in source order, and drops sums that are zero.
// If a sum overflows, it returns the place of the overflow and false.
func (s *summer[W]) sum(row *Row[W], places []int) (place int, ok bool) {
	s.placed = s.placed[:0]
	for i, index := range row.Indices {
		s.placed = append(s.placed, placed[W]{index, places[i], row.Weights[i]})
	}
	slices.SortFunc(s.placed, func(a, b placed[W]) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.place, b.place))
	})
	row.Indices, row.Weights = row.Indices[:0], row.Weights[:0]
	for at := 0; at < len(s.placed); {
		index, sum := s.placed[at].index, s.placed[at].weight
		for at++; at < len(s.placed) && s.placed[at].index == index; at++ {
			if sum, ok = addWeights(sum, s.placed[at].weight); !ok {
				return s.placed[at].place, false
			}
		}
		if sum != 0 {
			row.Indices = append(row.Indices, index)
			row.Weights = append(row.Weights, sum)
		}
	}
	return 0, true
}

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
	places := make([]int, len(v.indices))
	for i := range places {
		places[i] = i
	}
	row := Row[float64]{Indices: slices.Clone(v.indices), Weights: v.weights}
	new(summer[float64]).sum(&row, places) // no sum overflows, since no weight is above 1
	return vector{row.Indices, row.Weights}
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
