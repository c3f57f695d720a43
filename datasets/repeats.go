package datasets

import (
	"cmp"
	"slices"
)

// summer brings rows into ascending order of the index and sums repeated indices.
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

// next notes whether the index that is next keeps the row in order.
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
