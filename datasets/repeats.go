package datasets

import (
	"cmp"
	"slices"
)

// placed is a feature and where its token stands in the line.
type placed[W Weight] struct {
	index  uint64
	place  int
	weight W
}

// sumRepeats brings the row into ascending order of the index, sums repeated indices in the order
// of the line and drops sums that are zero.
func (r *SVMLightReader[W]) sumRepeats(body []byte) *SyntaxError {
	row := &r.row
	r.placed = r.placed[:0]
	for i, index := range row.Indices {
		r.placed = append(r.placed, placed[W]{index, r.places[i], row.Weights[i]})
	}
	slices.SortFunc(r.placed, func(a, b placed[W]) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.place, b.place))
	})
	row.Indices, row.Weights = row.Indices[:0], row.Weights[:0]
	for at := 0; at < len(r.placed); {
		index, sum := r.placed[at].index, r.placed[at].weight
		for at++; at < len(r.placed) && r.placed[at].index == index; at++ {
			var ok bool
			if sum, ok = addWeights(sum, r.placed[at].weight); !ok {
				place := r.placed[at].place
				return r.syntaxError(place, "a sum of repeated features that fits "+r.kind.name, tokenAt(body, place))
			}
		}
		if sum != 0 {
			row.Indices = append(row.Indices, index)
			row.Weights = append(row.Weights, sum)
		}
	}
	return nil
}
