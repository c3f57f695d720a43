package corpus

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"simhashkit/internal/wholefile"
)

// members returns the records of one input, by its number, and what was found of them.
func (r *Result) members(ctx context.Context, input int) iter.Seq2[Attributes, error] {
	return func(yield func(Attributes, error) bool) {
		record := 0
		for _, n := range r.counts[:input] {
			record += n
		}
		position, end := r.positionOf(record), record+r.counts[input]
		for stored, err := range r.run.read(ctx, r.run.Inputs[input]) {
			if err == nil && record == end {
				err = fmt.Errorf("%s: more records than before: something else writes here", r.run.stored(r.run.Inputs[input]))
			}
			m := Attributes{Record: stored, Canonical: true}
			if err == nil && stored.Informative && position < len(r.cluster) && r.Records.Set.ID(position) == uint64(record) {
				m.Cluster = int(r.cluster[position])
				m.Canonical = m.Cluster == 0 || r.Groups.Members(m.Cluster - 1)[0] == uint32(position)
				position++
			}
			record++
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// positionOf returns how many records before that one are in the set.
func (r *Result) positionOf(record int) int {
	set := &r.Records.Set
	if set.IDs == nil {
		return record
	}
	low, high := 0, set.Len()
	for low < high {
		middle := (low + high) / 2
		if set.ID(middle) < uint64(record) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// WriteAttributes writes a file of attributes for each input, whole or not at all: id, fingerprint,
// cluster_id (the number of the group, null where there is none) and is_canonical (true for the one
// of a group that is to be kept, and for all that are in none). Rows are in the order of the input.
func (r *Result) WriteAttributes(ctx context.Context) error {
	p := Progress{Stage: StageAttributes}
	for _, in := range r.run.Inputs {
		p.Total += size(in.Path)
	}
	for i, in := range r.run.Inputs {
		path := r.run.Attributes(in)
		if err := makeFolderOf(path); err != nil {
			return err
		}
		write := func(w io.Writer) error { return r.writeAttributes(ctx, w, i, &p) }
		if err := wholefile.Write(path, write); err != nil {
			return err
		}
		p.Done += size(in.Path)
		r.run.tell(p)
	}
	return nil
}

func (r *Result) writeAttributes(ctx context.Context, w io.Writer, input int, p *Progress) error {
	t := r.run.format().New(w, Columns{Bits: r.run.Source.Bits(), Numbers: r.numbers})
	for m, err := range r.members(ctx, input) {
		if err != nil {
			return err
		}
		if p.Records++; p.Records%4096 == 0 {
			r.run.tell(*p)
		}
		if r.run.Duplicates && m.Cluster == 0 {
			continue
		}
		if err := t.Write(m); err != nil {
			return err
		}
	}
	return t.Close()
}

// Copier writes a copy of a file without the records that are not to be kept; records are numbered
// from 0.
type Copier func(ctx context.Context, in, out string, keep func(record int) bool) error

// Remove writes, below a folder, a copy of each input without the records that are to be dropped.
// It returns how many records were kept, and how many dropped.
func (r *Result) Remove(ctx context.Context, folder string, copy Copier) (keptRecords, dropped int, err error) {
	p := Progress{Stage: StageRemoving}
	for _, in := range r.run.Inputs {
		if err := Outside(in, folder); err != nil {
			return 0, 0, err
		}
		if err := notItself(in.Path, r.removed(folder, in)); err != nil {
			return 0, 0, err
		}
		p.Total += size(in.Path)
	}
	for i, in := range r.run.Inputs {
		var keep []bool
		for m, err := range r.members(ctx, i) {
			if err != nil {
				return keptRecords, dropped, err
			}
			keep = append(keep, m.Canonical)
			if m.Canonical {
				keptRecords++
			} else {
				dropped++
			}
		}
		out := r.removed(folder, in)
		if err := makeFolderOf(out); err != nil {
			return keptRecords, dropped, err
		}
		err := copy(ctx, in.Path, out, func(record int) bool {
			if p.Records++; p.Records%512 == 0 {
				r.run.tell(p)
			}
			return record < len(keep) && keep[record]
		})
		if err != nil {
			return keptRecords, dropped, err
		}
		p.Done += size(in.Path)
		r.run.tell(p)
	}
	return keptRecords, dropped, nil
}

// removed is the copy of an input.
func (r *Result) removed(folder string, in Input) string {
	return filepath.Join(folder, filepath.FromSlash(in.Name))
}

// notItself refuses to write over an input.
func notItself(in, out string) error {
	a, errA := os.Stat(in)
	b, errB := os.Stat(out)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return fmt.Errorf("%s: expected another folder for what is kept: it would take the place of its own input", in)
	}
	return nil
}
