package join

import (
	"context"

	"simhashkit/fphash/index"
)

// lookups is how many fingerprints a part looks up, where those with unsure bits are asked for one
// by one.
const lookups = 1024

func lookupParts(rows int) int { return (rows + lookups - 1) / lookups }

// lookupStage looks every fingerprint up in a structure: unsure bits belong to many blocks at once,
// which structures know how to deal with.
func lookupStage(j *Join) stage {
	var s index.Structure
	return stage{
		prepare: func(_ context.Context, workers int) (err error) {
			s, err = index.Build(j.columns(), index.Options{K: min(j.K, j.Set.Bits), Workers: workers})
			return err
		},
		parts: lookupParts(j.Set.Len()),
		run: func(w *worker, part int, emit sink) error {
			from := part * lookups
			return w.lookUp(j, s, from, min(from+lookups, j.Set.Len()), emit)
		},
	}
}

// columns returns the set that fingerprints of the first one are looked up in.
func (j *Join) columns() *index.Set {
	if j.Against == nil {
		return j.Set
	}
	return j.Against
}

// maskAt returns the mask at a position; those of Against follow those of Set. Both have masks.
func (j *Join) maskAt(position uint32) []uint64 {
	set, i := j.Set, int(position)
	if n := set.Len(); i >= n {
		set, i = j.Against, i-n
	}
	stride := set.Stride()
	return set.Masks[i*stride : i*stride+stride]
}

// lookUp emits the pairs of the fingerprints from ≤ a < to of the first set.
func (w *worker) lookUp(j *Join, s index.Structure, from, to int, emit sink) (err error) {
	w.full = false
	ahead := uint64(0)
	if j.Against != nil {
		ahead = uint64(j.Set.Len())
	}
	for a := from; a < to && !w.stopped(); a++ {
		if w.matches, err = s.AppendWithin(w.matches[:0], j.Set.Query(a), min(j.K, j.Set.Bits)); err != nil {
			return err
		}
		for _, m := range w.matches {
			if j.Against == nil && m.Position <= a {
				continue
			}
			if w.full = !emit(near{uint64(a), ahead + uint64(m.Position), uint16(m.Distance)}); w.full {
				return nil
			}
		}
	}
	return nil
}
