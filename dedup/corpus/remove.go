package corpus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Copier writes a copy of a file without the records that are not to be kept; records are numbered
// from 0. It may be called for several files at a time.
type Copier func(ctx context.Context, in, out string, keep func(record int) bool) error

// Remove writes, below a folder, a copy of each input without the records that are to be dropped,
// several at a time. It returns how many records were kept, and how many dropped.
func (r *Result) Remove(ctx context.Context, folder string, copy Copier) (keptRecords, dropped int, err error) {
	for _, in := range r.run.Inputs {
		if err := Outside(in, folder); err != nil {
			return 0, 0, err
		}
		if err := notItself(in.Path, r.removed(folder, in)); err != nil {
			return 0, 0, err
		}
	}
	p := r.run.newCount(StageRemoving)
	kept := make([]int, len(r.run.Inputs))
	err = r.run.eachInput(ctx, func(i int) (err error) {
		kept[i], err = r.removeFrom(ctx, i, folder, copy, p)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	for i, n := range kept {
		keptRecords += n
		dropped += r.counts[i] - n
	}
	return keptRecords, dropped, nil
}

// removeFrom copies one input, and returns how many records are kept.
func (r *Result) removeFrom(ctx context.Context, input int, folder string, copy Copier, p *count) (int, error) {
	in := r.run.Inputs[input]
	kept := 0
	var keep []bool
	for m, err := range r.members(ctx, input) {
		if err != nil {
			return 0, err
		}
		keep = append(keep, m.Canonical)
		if m.Canonical {
			kept++
		}
	}
	out := r.removed(folder, in)
	if err := makeFolderOf(out); err != nil {
		return 0, err
	}
	n := 0
	err := copy(ctx, in.Path, out, func(record int) bool {
		if n++; n%512 == 0 {
			p.add(512, 0)
		}
		return record < len(keep) && keep[record]
	})
	if err != nil {
		return 0, err
	}
	p.add(n%512, size(in.Path))
	return kept, nil
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
