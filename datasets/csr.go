package datasets

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Weight is a type that the weights of features can have.
type Weight interface {
	int32 | int64 | float32 | float64
}

// CSR holds sparse vectors in compressed sparse row form: the features of vector i are
// Indices[Offsets[i]:Offsets[i+1]] with the weights at the same places.
//
// Offsets has one entry more than there are vectors, starts at 0 and never falls; the zero CSR,
// without any entry, is an empty one. Weights == nil means unit weights: every listed feature
// counts once, repeats count each time. IDs is nil when no vector has one; otherwise it has one
// entry a vector. The three slices Offsets, Indices and Weights are what the packages
// that compute take, so a CSR can be handed over without copying.
type CSR[W Weight] struct {
	Offsets []int
	Indices []uint64
	Weights []W
	IDs     []string // the name of a vector, such as a file's path; "" where there is none
}

// Row is one vector with what its source says about it. A reader fills the same Row again and
// again, so its slices are valid until the next call.
type Row[W Weight] struct {
	ID      []byte   // nil when there is none
	Indices []uint64 // ascending and without repeats when weighted, as written when unit
	Weights []W      // nil when unit
	Line    int      // line number in the source, from 1; 0 where there is none
}

// Len returns the number of vectors.
func (c *CSR[W]) Len() int { return max(len(c.Offsets)-1, 0) }

// NNZ returns the number of listed features of all vectors.
func (c *CSR[W]) NNZ() int { return len(c.Indices) }

// Row returns the features of vector i without copying; weights is nil when they are unit. It
// panics when i is out of range.
func (c *CSR[W]) Row(i int) (indices []uint64, weights []W) {
	from, to := c.Offsets[i], c.Offsets[i+1]
	if c.Weights != nil {
		weights = c.Weights[from:to:to]
	}
	return c.Indices[from:to:to], weights
}

// ID returns the id of vector i, "" when it has none.
func (c *CSR[W]) ID(i int) string {
	if c.IDs == nil {
		return ""
	}
	return c.IDs[i]
}

// Append adds a copy of the row. The first row that has features decides whether the CSR has
// weights; a row of the other kind, or with unequal lengths, is an error and leaves the CSR as it
// was.
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

// Validate returns an error when the slices do not fit together. Whatever this package returns
// without an error is valid; it is for sets put together by hand.
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

// summer sorts the indices of rows and sums repeated ones.
type summer[W Weight] struct {
	unsorted bool // the features of the row are not in strictly ascending order
	placed   []placed[W]
}

// placed is a feature and where it stands in the source.
type placed[W Weight] struct {
	index  uint64
	place  int
	weight W
}

// next notes whether the next index of the row is out of order.
func (s *summer[W]) next(row *Row[W], index uint64) {
	if n := len(row.Indices); n > 0 && index <= row.Indices[n-1] {
		s.unsorted = true
	}
}

// sum brings the row into ascending order of the index, sums repeated indices in the order of their
// places and drops sums that are zero. Where a sum does not fit it returns the place at which that
// happens, and false.
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

// sortedAtOnce is how many values are sorted without a look at the context, some milliseconds'
// work.
const sortedAtOnce = 1 << 18

// sortUnlessEnded calls sort, which sorts n values: sorting many takes longer than a user wants to
// wait. If the context ends first, it returns, and the sort of a long list goes on in a goroutine of
// its own.
func sortUnlessEnded(ctx context.Context, n int, sort func()) error {
	if err := ended(ctx); err != nil {
		return err
	}
	if n <= sortedAtOnce {
		sort()
		return nil
	}
	sorted := make(chan struct{})
	go func() {
		sort()
		close(sorted)
	}()
	select {
	case <-sorted:
		return nil
	case <-ctx.Done():
		return ended(ctx)
	}
}
