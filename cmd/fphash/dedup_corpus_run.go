package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/dedup/corpus"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/english"
)

func (f *corpusFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := capKernel(f.kernel); err != nil {
		return err
	}
	p := newProgress(stderr)
	defer p.clear()
	shard, shards, err := parseShard(f.shard)
	if err != nil {
		return err
	}
	notice := func(text string) {
		p.clear()
		fmt.Fprintln(stderr, "fphash:", text)
	}
	inputs, err := f.inputs(ctx, notice)
	if err != nil {
		return err
	}
	if err := f.autoSettings(ctx, inputs, p, stderr); err != nil {
		return err
	}
	source, err := f.newSource(ctx, stderr, p)
	if err != nil {
		return err
	}
	run := &corpus.Run{Folder: f.out, Inputs: inputs, Source: source, By: f.by, Recall: float64(f.recall), Workers: f.input.workers, Memory: int64(f.memory),
		Format: f.attributes(), Force: f.force, Duplicates: f.duplicates, Progress: corpusProgress(p), Notice: notice}
	for _, name := range []string{f.input.texts.weighing.table, f.input.texts.weighing.list} {
		if name != "" {
			run.Reads = append(run.Reads, name)
		}
	}
	if f.audit != "" {
		run.Also = map[string]string{f.audit: "the sheet of --audit"}
	}
	if run.K, err = f.threshold("", source.Bits()); err != nil {
		return err
	}
	if p, _ := parseKeep(f.keep); p.name != "" {
		run.Preferred, run.Values = p.name, p.valuesAgain(&f.input, func(err error) { notice(err.Error()) })
	}
	var oldRuns []*corpus.Run
	if run.Against, oldRuns, err = f.old(ctx, run, source.sketcher.Features(), stderr, p); err != nil {
		return err
	}
	if f.remove != "" {
		if err := run.Removable(f.remove); err != nil {
			return orForce(fmt.Errorf("--remove: %w", err))
		}
	}
	if source.leaveOut != nil {
		run.LeftOut = func() int { return source.left }
	}
	if err := f.rereadable(inputs); err != nil && (f.asksForTexts() || run.Values != nil) {
		return err
	}
	run.Texts = f.input.textsAgain
	if f.verify != "" {
		if run.Verify, err = f.verifier(ctx, nil, nil); err != nil {
			return err
		}
		defer run.Verify.Close()
	}
	if err := f.keepSettings(); err != nil {
		return err
	}
	sketched, err := run.Sketch(ctx, shard, shards)
	if err != nil {
		return orForce(err)
	}
	p.clear()
	fmt.Fprintf(stderr, "fphash: fingerprints of %d %s in %d %s computed, of %d %s there before\n", sketched.Records, english.Plural(sketched.Records, "document", "documents"),
		sketched.Files, english.Plural(sketched.Files, "input", "inputs"), sketched.Before, english.Plural(sketched.Before, "input", "inputs"))
	if said := f.input.texts.seen.String(); said != "" {
		fmt.Fprintln(stderr, "fphash:", said)
	}
	if f.shard != "" {
		fmt.Fprintf(stdout, "Part %s is done. When all parts are: the same command without --shard.\n", f.shard)
		return source.verdict(source.left)
	}
	for _, old := range oldRuns {
		if _, err := old.Sketch(ctx, 0, 1); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
	}
	leftOut, err := f.finishCorpus(ctx, run, p, stdout, stderr)
	if err != nil {
		return err
	}
	return source.verdict(leftOut)
}

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
			options := f.input.texts.options(f.countLeftOut(&leftOut))
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

// countLeftOut returns what counts the documents that cannot be read, nil if the first one is to
// end the work.
func (f *corpusFlags) countLeftOut(n *int) func(error) {
	if !f.input.keepGoing {
		return nil
	}
	return func(error) { *n++ }
}

// leaveOut returns what is told of documents that cannot be read, nil if the first one is to end
// the work.
func (f *corpusFlags) leaveOut(stderr io.Writer, p *progress) func(error) {
	if !f.input.keepGoing {
		return nil
	}
	return func(err error) {
		p.clear()
		fmt.Fprintln(stderr, err)
	}
}
