package corpus

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"simhashkit/internal/filetree"
)

// Copier writes a copy of a file with only the records to keep. Calls may be concurrent.
type Copier func(ctx context.Context, in, out string, copying Copying) error

// Copying has callbacks for a Copier. If one returns an error, the copy fails and gets no final
// name.
type Copying struct {
	Keep  func(record int) bool   // reports whether to keep the record with this number, from 0
	Whole func(leftOut int) error // called after the last record

	// Ready is called before the file temp is renamed to path, or with an empty temp before path is
	// removed.
	Ready func(path, temp string) error
}

// Remove writes a copy of each input without its dropped records below a folder, several at a time.
// If an input has changed, Remove returns an error and writes no copy of it.
func (r *Result) Remove(ctx context.Context, folder string, copy Copier) error {
	if err := r.run.Removable(folder); err != nil {
		return err
	}
	notes, err := r.run.notesToAdd()
	if err != nil {
		return err
	}
	if err := cmp.Or(r.begin(notes), r.run.removeTemp(folder, []string{""})); err != nil {
		return err
	}
	p := r.newCount("removing", r.news)
	if err := r.eachInput(ctx, func(i int) error { return r.removeFrom(ctx, i, folder, notes, copy, p) }); err != nil {
		return err
	}
	r.copies = folder
	r.noticeOthers(notes.others(folder, true))
	return nil
}

// removeFrom copies one input.
func (r *Result) removeFrom(ctx context.Context, input int, folder string, notes *notes, copy Copier, p *count) error {
	of := &r.news[input]
	in := *of.input
	before, err := stateOf(in.Path)
	if err != nil {
		return err
	}
	if err := r.unchanged(of); err != nil { // since before, or earlier
		return err
	}
	dropped := make([]bool, of.n)
	for _, record := range r.droppedOf(input) {
		dropped[record] = true
	}
	out := removed(folder, in)
	if err := makeFolderOf(out); err != nil {
		return err
	}
	n := 0
	var copying Copying
	copying.Keep = func(record int) bool {
		if n++; n%512 == 0 {
			p.add(512, 0)
		}
		return record < len(dropped) && !dropped[record]
	}
	copying.Whole = func(leftOut int) error {
		if n != len(dropped) || leftOut != of.leftOut {
			return fmt.Errorf("%s: %d records and %d that cannot be read, expected the %d and %d that were compared: the file has changed since; run again", in.Path, n, leftOut, len(dropped), of.leftOut)
		}
		return before.check(in.Path, "the file changed while it was read; run again")
	}
	copying.Ready = func(path, temp string) error { return notes.place(in, true, path, temp) }
	if err := copy(ctx, in.Path, out, copying); err != nil {
		return err
	}
	p.add(n%512, of.head.Bytes)
	return nil
}

// removed returns the path of the copy of an input.
func removed(folder string, in Input) string {
	return filepath.Join(folder, filepath.FromSlash(in.Name))
}

// Removable creates a folder for Remove. It returns an error if Remove would replace an input,
// another output or, without Force, a file that no run wrote. Call Removable before the other
// stages.
func (r *Run) Removable(folder string) error {
	var at filetree.Paths
	if at.Key(folder) == at.Key(r.Folder) || at.Within(filepath.Join(r.Folder, kept), folder) {
		return fmt.Errorf("corpus: %s: expected another folder for the kept documents than that of the attributes", folder)
	}
	if err := r.refuseOutputs(folder); err != nil {
		return err
	}
	n, err := r.notes()
	if err != nil {
		return err
	}
	if err := r.refuseReplaced(n, folder); err != nil {
		return err
	}
	return makeFolderOf(filepath.Join(folder, "any"))
}
