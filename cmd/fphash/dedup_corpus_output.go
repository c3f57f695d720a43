package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/dedup/corpus"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/english"
)

// finishCorpus joins the fingerprints and writes what was found. It returns how many documents were
// left out.
func (f *corpusFlags) finishCorpus(ctx context.Context, run *corpus.Run, p *progress, stdout, stderr io.Writer) (leftOut int, err error) {
	var explain func(join.Plan)
	if f.explain {
		explain = explainTo(p, stderr)
	}
	result, err := run.Find(ctx, strings.Join(f.patterns, " "), explain)
	if err != nil {
		return 0, err
	}
	if f.prune {
		if err := f.pruneRun(ctx, run, stderr); err != nil {
			return 0, err
		}
	}
	if err := result.WriteAttributes(ctx); err != nil {
		return 0, orForce(err)
	}
	where := fmt.Sprintf("Which record is in which group, and which to keep, is in %s.", filepath.Join(f.out, "*."+f.format))
	if run.Against != nil {
		where = fmt.Sprintf("Which record to keep, and which old one each other is near, is in %s.", filepath.Join(f.out, "*."+f.format))
	}
	if f.remove != "" {
		kept, dropped, err := result.Remove(ctx, f.remove, func(ctx context.Context, in, out string, copying corpus.Copying) error {
			leftOut := 0
			options := f.input.texts.options(nil)
			if f.input.keepGoing {
				options.OnError = func(error) { leftOut++ }
			}
			options.Whole = func() error { return copying.Whole(leftOut) }
			options.Ready = copying.Ready
			return documents.CopyKept(ctx, in, out, options, copying.Keep)
		})
		if err != nil {
			return 0, orForce(err)
		}
		all := kept + dropped + result.LeftOut
		where += fmt.Sprintf(" Of %d %s, the %d to keep %s in %s, %d %s dropped", all, english.Plural(all, "document", "documents"),
			kept, english.Plural(kept, "is", "are"), f.remove, dropped, english.Plural(dropped, "is", "are"))
		if result.LeftOut > 0 {
			where += fmt.Sprintf(", and %d, which could not be read, %s left out", result.LeftOut, english.Plural(result.LeftOut, "is", "are"))
		}
		where += "."
	}
	if err := result.Complete(); err != nil {
		return 0, err
	}
	p.clear()
	var reread dedup.Reread
	if f.rereadable(run.Inputs) == nil {
		reread = result.Reread
	}
	shown, err := f.draw(ctx, result.Result, reread)
	if err != nil {
		return 0, err
	}
	if err := result.NameRecords(ctx, shown.records()...); err != nil {
		return 0, err
	}
	if err := f.writeSheet(result.Result, shown, stderr); err != nil {
		return 0, err
	}
	if f.input.texts.id != "" { // the numbers of records in their files come again in each
		warnOfSharedIDs(result, "attributes do", stderr)
	}
	if n := len(result.Others); n > 0 {
		fmt.Fprintf(stdout, "%s also has %d %s of inputs that are none of this run, such as %s: --prune deletes %s.\n\n",
			f.remove, n, english.Plural(n, "file", "files"), result.Others[0], english.Plural(n, "it", "them"))
	}
	if err := writeExamples(stdout, result.Result, shown); err != nil {
		return 0, err
	}
	f.input.sizes = result.Sizes
	notes := f.notes(result.Result)
	notes.Finder, notes.Texts = "", shown.texts
	notes.NoVerify = reread == nil || run.Against != nil
	notes.Lists = where
	notes.Sources = mostLosses(result)
	return result.LeftOut, result.Summary(stdout, notes)
}

// shownLosses is how many of the inputs that lose most are named.
const shownLosses = 5

// mostLosses names the inputs that lose most records; "" where there is one input, or none loses.
func mostLosses(r *corpus.Result) string {
	losses := r.Losses()
	if len(r.Inputs()) < 2 || len(losses) == 0 {
		return ""
	}
	shown := losses[:min(len(losses), shownLosses)]
	var list []string
	for _, l := range shown {
		list = append(list, fmt.Sprintf("%s %d of %d", l.Input.Name, l.Dropped, l.Records))
	}
	text := "Dropped by file: " + strings.Join(list, ", ")
	if others := losses[len(shown):]; len(others) > 0 {
		dropped := 0
		for _, l := range others {
			dropped += l.Dropped
		}
		text += fmt.Sprintf("; %d in %d other %s", dropped, len(others), english.Plural(len(others), "file", "files"))
	}
	return text + "."
}

// pruneRun deletes what runs before have written for inputs that are none of this run.
func (f *corpusFlags) pruneRun(ctx context.Context, run *corpus.Run, stderr io.Writer) error {
	n, err := run.Prune(ctx, f.remove)
	if n > 0 {
		fmt.Fprintf(stderr, "fphash: %d %s deleted that runs before wrote for inputs or documents that have gone\n", n, english.Plural(n, "file is", "files are"))
	}
	return err
}

// orForce adds to the error of a file that would be replaced how to replace it.
func orForce(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; --force replaces it", err)
	}
	return err
}
