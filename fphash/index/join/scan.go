package join

import (
	"context"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
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
	columns, first, ahead := j.Against, 0, uint64(j.Set.Len())
	if columns == nil {
		columns, first, ahead = j.Set, from+1, 0
	}
	for c := first; c < columns.Len(); c += scanColumns {
		c2 := min(c+scanColumns, columns.Len())
		w.query = compareAll(w.query[:0], j.Set, from, to, columns, c, c2, j.K)
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

// compareAll appends the pairs within k of fingerprints from ≤ a < to of rows and c ≤ b < c2 of
// columns, by their places among those.
func compareAll(dst []hamming.QueryMatch, rows *index.Set, from, to int, columns *index.Set, c, c2, k int) []hamming.QueryMatch {
	if rows.Masks == nil && columns.Masks == nil {
		w := rows.Stride()
		return hamming.AppendWithinBatch(dst, columns.Words[c*w:c2*w], rows.Words[from*w:to*w], w, k)
	}
	for a := from; a < to; a++ {
		for b := c; b < c2; b++ {
			if d := rows.Distance(a, columns, b); d <= k {
				dst = append(dst, hamming.QueryMatch{Query: a - from, Match: hamming.Match{Index: b - c, Distance: d}})
			}
		}
	}
	return dst
}
