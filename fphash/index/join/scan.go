package join

import (
	"context"

	"simhashkit/asm/hamming"
)

// How many fingerprints of the one set are compared with how many of the other at a time, where all
// are compared with all.
const (
	scanRows    = 256
	scanColumns = 4096
)

func scanParts(rows int) int { return (rows + scanRows - 1) / scanRows }

// scanStage compares all with all, without a key.
func scanStage(j *Join) stage {
	return stage{
		prepare: func(context.Context, int) error { return nil },
		parts:   scanParts(j.Set.Len()),
		run: func(w *worker, part int, emit sink) error {
			from := part * scanRows
			w.scan(j, from, min(from+scanRows, j.Set.Len()), emit)
			return nil
		},
	}
}

// scan emits the pairs of the fingerprints from ≤ a < to of the first set.
func (w *worker) scan(j *Join, from, to int, emit sink) {
	columns, first, ahead, stride := j.columns(), 0, uint64(j.Set.Len()), j.Set.Stride()
	if j.Against == nil {
		first, ahead = from+1, 0
	}
	for c := first; c < columns.Len(); c += scanColumns {
		c2 := min(c+scanColumns, columns.Len())
		w.query = hamming.AppendWithinBatch(w.query[:0], columns.Words[c*stride:c2*stride], j.Set.Words[from*stride:to*stride], stride, j.K)
		for _, m := range w.query {
			a, b := from+m.Query, c+m.Index
			if j.Against == nil && b <= a {
				continue
			}
			if w.full = !emit(near{uint64(a), ahead + uint64(b), uint16(m.Distance)}); w.full {
				return
			}
		}
		if w.stopped() {
			return
		}
	}
}
