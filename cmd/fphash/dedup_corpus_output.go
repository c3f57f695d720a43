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
	"simhashkit/fphash/index/join"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/english"
)

// finishCorpus finds the near-duplicates and writes the outputs. It returns the number of documents
// that were left out.
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
	where := fmt.Sprintf("Groups, and which document of each to keep: %s.", filepath.Join(f.out, "*."+f.format))
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
	var examples shown
	if f.show.n > 0 {
		if examples, err = drawn(ctx, result.Result, f.show, result.Reread()); err != nil {
			return 0, err
		}
	}
	if err := result.NameRecords(ctx, examples.records()...); err != nil {
		return 0, err
	}
	if f.input.texts.id != "" { // the default ids are record numbers, which repeat in each file
		warnOfSharedIDs(result, "attributes do", stderr)
	}
	if n := len(result.Others); n > 0 {
		fmt.Fprintf(stdout, "%s also has %d %s of inputs that are not in this run, such as %s: --prune deletes %s.\n\n",
			f.remove, n, english.Plural(n, "file", "files"), result.Others[0], english.Plural(n, "it", "them"))
	}
	if err := writeExamples(stdout, result.Result, examples); err != nil {
		return 0, err
	}
	notes := f.notes(result.Result, f.input.definition.Sketch)
	notes.Kind, notes.Old, notes.Unverified = textInput.record(), strings.Join(f.against, " "), run.Unverified
	notes.Lists = where
	notes.Lead, notes.Sources = mostLosses(result)
	return result.LeftOut, result.Summary(stdout, notes)
}

// shownLosses is the number of inputs that mostLosses names.
const shownLosses = 5

// mostLosses describes the inputs that lose the most records. The lead is a warning about inputs
// that lose more than half. Both are "" for a single input or without losses.
func mostLosses(r *corpus.Result) (lead, sources string) {
	losses := r.Losses()
	if len(r.Inputs()) < 2 || len(losses) == 0 {
		return "", ""
	}
	shown := losses[:min(len(losses), shownLosses)]
	var list, halved []string
	for _, l := range losses {
		if 2*l.Dropped > l.Records {
			halved = append(halved, fmt.Sprintf("%s loses %d of its %s", l.Input.Name, l.Dropped, english.Count(l.Records, "document")))
		}
	}
	if len(halved) > 0 {
		lead = "Look before you drop: " + halved[0]
		if n := len(halved) - 1; n > 0 {
			lead += fmt.Sprintf(", and %d other %s more than half", n, english.Plural(n, "file loses", "files lose"))
		}
		lead += "."
	}
	for _, l := range shown {
		list = append(list, fmt.Sprintf("%s %d of %d", l.Input.Name, l.Dropped, l.Records))
	}
	sources = "Dropped by file: " + strings.Join(list, ", ")
	if others := losses[len(shown):]; len(others) > 0 {
		dropped := 0
		for _, l := range others {
			dropped += l.Dropped
		}
		sources += fmt.Sprintf("; %d in %d other %s", dropped, len(others), english.Plural(len(others), "file", "files"))
	}
	return lead, sources + "."
}

// pruneRun deletes outputs that earlier runs wrote for inputs that no longer exist.
func (f *corpusFlags) pruneRun(ctx context.Context, run *corpus.Run, stderr io.Writer) error {
	n, err := run.Prune(ctx, f.remove)
	if n > 0 {
		fmt.Fprintf(stderr, "fphash: deleted %s of earlier runs whose inputs or documents no longer exist\n", english.Count(n, "file"))
	}
	return err
}

// orForce adds a hint about --force to the error of a file that would be replaced.
func orForce(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; --force replaces it", err)
	}
	return err
}
