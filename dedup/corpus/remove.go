package corpus

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Copier writes a copy of a file without the records that are not to be kept; records are numbered
// from 0. Once all records are read it calls whole with the number of documents that it could not
// read, and makes no copy if that is an error. It may be called for several files at a time.
type Copier func(ctx context.Context, in, out string, keep func(record int) bool, whole func(leftOut int) error) error

// Remove writes, below a folder, a copy of each input without the records that are to be dropped,
// several at a time. It returns how many records were kept, and how many dropped: with LeftOut, all
// documents of the inputs. An input that is not what was compared is an error, and has no copy.
// Others is set.
func (r *Result) Remove(ctx context.Context, folder string, copy Copier) (keptRecords, dropped int, err error) {
	if err := r.run.Removable(folder); err != nil {
		return 0, 0, err
	}
	ours, err := r.run.claim(folder)
	if err != nil {
		return 0, 0, err
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
	if ours {
		r.Others, err = r.run.others(func(in Input) string { return removed(folder, in) })
	}
	return keptRecords, dropped, err
}

// removeFrom copies one input, and returns how many records are kept.
func (r *Result) removeFrom(ctx context.Context, input int, folder string, copy Copier, p *count) (int, error) {
	in := r.run.Inputs[input]
	before, err := stateOf(in.Path) // members compares the fingerprints with it or a newer one
	if err != nil {
		return 0, err
	}
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
	out := removed(folder, in)
	if err := makeFolderOf(out); err != nil {
		return 0, err
	}
	n := 0
	err = copy(ctx, in.Path, out, func(record int) bool {
		if n++; n%512 == 0 {
			p.add(512, 0)
		}
		return record < len(keep) && keep[record]
	}, func(leftOut int) error {
		if n != len(keep) || leftOut != r.leftOut[input] {
			return fmt.Errorf("%s: %d records and %d that cannot be read, expected the %d and %d that were compared: the file has changed since; run again", in.Path, n, leftOut, len(keep), r.leftOut[input])
		}
		return unchanged(in, before)
	})
	if err != nil {
		return 0, err
	}
	p.add(n%512, size(in.Path))
	return kept, nil
}

// unchanged returns an error if an input is another one than before.
func unchanged(in Input, before state) error {
	now, err := stateOf(in.Path)
	if err == nil && !now.same(before) {
		err = fmt.Errorf("%s: the file changed while it was read; run again", in.Path)
	}
	return err
}

// removed is the copy of an input.
func removed(folder string, in Input) string {
	return filepath.Join(folder, filepath.FromSlash(in.Name))
}

// Removable makes a folder for Remove, and returns why Remove cannot write there, which is better
// known before all work than after it: it would write over an input, where attributes are, or, but
// for Force, into a folder with files that no run has written.
func (r *Run) Removable(folder string) error {
	if real(folder) == real(r.Folder) || within(filepath.Join(r.Folder, kept), folder) {
		return fmt.Errorf("corpus: %s: expected another folder for what is kept than that of the attributes", folder)
	}
	inputs := map[string]string{}
	for _, in := range r.Inputs {
		inputs[real(in.Path)] = in.Path
	}
	attributes := map[string]Input{}
	for _, in := range r.Inputs {
		attributes[real(r.Attributes(in))] = in
	}
	for _, in := range r.Inputs {
		if err := Outside(in, folder); err != nil {
			return err
		}
		out := removed(folder, in)
		if other, ok := inputs[real(out)]; ok || sameFile(in.Path, out) {
			return fmt.Errorf("%s: expected another folder for what is kept: what is kept of %s would take the place of an input", cmp.Or(other, in.Path), in.Path)
		}
		if other, ok := attributes[real(out)]; ok {
			return fmt.Errorf("%s: expected another folder for what is kept: the attributes of %s would be there, too", out, other.Path)
		}
	}
	// Before what is there: another process may note the folder and write its first copy meanwhile.
	foreign := foreignIn(folder)
	if ours, err := r.hasCopies(folder); err != nil {
		return err
	} else if foreign != "" && !ours && !r.Force {
		return fmt.Errorf("corpus: %s: %w, which no run of %s has written", foreign, fs.ErrExist, r.Folder)
	}
	return makeFolderOf(filepath.Join(folder, "any"))
}

// foreignIn names a file of the folder, "" if there is none. What stands in a folder of copies is
// replaced and pruned by later runs, so it has to be empty before the first of them.
func foreignIn(folder string) string {
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) == 0 {
		return ""
	}
	return filepath.Join(folder, entries[0].Name())
}

// sameFile reports whether both are there and one file, such as by a link.
func sameFile(a, b string) bool {
	ofA, errA := os.Stat(a)
	ofB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(ofA, ofB)
}
