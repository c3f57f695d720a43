package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/datasets/documents"
	"simhashkit/dedup/source"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/docformat"
	"simhashkit/internal/english"
)

// checkRun refuses flags that cannot be combined with or without --run.
func (f *dedupFlags) checkRun(args []string) error {
	if f.folder == "" {
		if f.changed("run") {
			return errors.New("--run \"\": expected a folder, which is created if it does not exist")
		}
		return refuse(f.changed, "requires --run FOLDER", "remove", "only-duplicates", "memory")
	}
	reason := fmt.Sprintf("cannot be combined with --run, which reads texts and writes their attributes to %s", f.folder)
	if err := refuse(f.changed, reason, "list", "out", "update", "weights", "base", "max-line", "convention"); err != nil {
		return err
	}
	switch {
	case len(args) == 0 || slices.ContainsFunc(args, func(arg string) bool { return arg == "" || arg == docformat.StandardInput }):
		return errors.New("--run requires FILES: standard input cannot be read again when the run is resumed")
	case f.memory <= 0:
		return errors.New("--memory 0: expected a size such as 4GiB")
	case f.remove != "" && f.input.texts.charset != "":
		return errors.New("--remove cannot be combined with --charset, since the copies are byte for byte")
	}
	return nil
}

// resume begins or resumes the run in the folder of --run.
func (f *dedupFlags) resume(cmd *cobra.Command, patterns []string) error {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	p := newProgress(stderr)
	defer p.clear()
	run := &corpus.Run{Folder: f.folder, Workers: f.input.workers, Memory: int64(f.memory), Duplicates: f.duplicates, Show: f.show.of, Progress: p.reportStep}
	run.Force, _ = cmd.Flags().GetBool("force")
	run.Notice = func(text string) {
		p.clear()
		fmt.Fprintln(stderr, "fphash:", text)
	}
	if f.changed("format") {
		run.Format = f.format
		if err := expectOneOf("--format", f.format, corpus.Formats()); err != nil {
			return err
		}
	}
	hints := f.input.hints(cmd, p)
	hints.Once = true // the run itself checks that files do not change
	s, err := f.openInputs(ctx, run, patterns, hints)
	if err != nil {
		return err
	}
	defer s.Close()
	writeDetected(stderr, s, true)
	o, err := f.options(ctx, s, hints, p, stderr)
	if err != nil {
		return err
	}
	texts, err := f.define(ctx, run, s, o, hints)
	if err != nil {
		return err
	}
	result, err := run.Do(ctx, strings.Join(patterns, " "), f.remove, texts.Copy)
	p.clear()
	writeCounts(stderr, &texts.Missing)
	if err != nil {
		return err
	}
	if s.ID != "" { // the default ids are record numbers, which repeat in each file
		warnOfSharedIDs(result, "attributes do", stderr)
	}
	if err := result.WriteSummary(stdout); err != nil {
		return err
	}
	no := leftOut(result.LeftOut, "document")
	if before := result.LeftOut - texts.LeftOut(); before > 0 {
		no = fmt.Errorf("%w, %d by an earlier run, which reported %s", no, before, english.Plural(before, "it", "them"))
	}
	return no
}

// openInputs sets the inputs that the arguments name, and opens them.
func (f *dedupFlags) openInputs(ctx context.Context, run *corpus.Run, patterns []string, hints source.Hints) (*source.Source, error) {
	written := []string{f.folder}
	if f.remove != "" {
		written = append(written, f.remove)
	}
	inputs, leftOut, err := corpus.Inputs(patterns, written, hints.Expand)
	if err != nil {
		return nil, err
	}
	if leftOut > 0 {
		run.Notice(fmt.Sprintf("%d %s left out, since this command writes there: %s", leftOut, english.Plural(leftOut, "file is", "files are"), strings.Join(written, " or ")))
	}
	if run.Inputs = inputs; len(inputs) == 0 {
		return nil, errors.New("expected FILES, found only files that this command writes")
	}
	var paths []string
	for _, in := range inputs {
		if f.readsTwice() && source.ReadOnce(in.Path) {
			return nil, fmt.Errorf("%s: expected a file, which can be read twice; without --run, pipes are copied", in.Path)
		}
		paths = append(paths, in.Path)
	}
	s, err := source.Open(ctx, paths, hints)
	if err == nil && s.Kind != source.Texts {
		err = fmt.Errorf("--run requires texts; %s contains %s", paths[0], s.Kind)
	}
	return s, err
}

// define sets the method of the fingerprints, what is a near-duplicate, and the old documents. It
// reads no documents, so contradictions are found before any work.
func (f *dedupFlags) define(ctx context.Context, run *corpus.Run, s *source.Source, o source.Options, hints source.Hints) (texts *corpus.Documents, err error) {
	texts = &corpus.Documents{Options: s.Options(hints.OnError), Sketcher: o.Method.Texts, Hashed: o.Method.Hash.String(), Workers: f.input.workers}
	run.Source, run.Texts, run.Spec, run.OldName = texts, s.TextsOf, *o.Spec, strings.Join(f.against, " ")
	if hints.OnError != nil {
		run.LeftOut = texts.LeftOut
	}
	if o.Keep.Name != "" {
		run.Preferred, run.Values = o.Keep.Name, s.Values(o.Keep)
	}
	for _, in := range run.Inputs {
		if f.remove == "" || source.ReadOnce(in.Path) {
			continue
		}
		if err := documents.CopyKept(ctx, in.Path, "", texts.Options, nil); err != nil {
			return nil, fmt.Errorf("--remove: %w", err)
		}
	}
	for _, folder := range o.Runs {
		old, err := run.Earlier(folder)
		if err != nil {
			return nil, fmt.Errorf("--against: %w", err)
		}
		run.Against = append(run.Against, old)
	}
	for _, x := range o.Indexes {
		if err := x.Check(*o.Method); err != nil {
			return nil, fmt.Errorf("--against: %w", err)
		}
		run.Against = append(run.Against, corpus.OldIndex(x.Path, x.Info.Texts))
	}
	if run.OldFiles, _, err = corpus.Inputs(f.oldFiles, []string{f.folder}, hints.Expand); err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	if len(f.oldFiles) > 0 && len(run.OldFiles) == 0 {
		return nil, fmt.Errorf("--against %s: expected old documents, found only files that this command writes", f.oldFiles[0])
	}
	for i := range run.OldFiles {
		run.OldFiles[i].Old = true
	}
	return texts, nil
}
