package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/english"
)

func (f *corpusFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	f.patterns = args
	f.force, _ = cmd.Flags().GetBool("force")
	if err := f.check(); err != nil {
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
	if err := f.detectTexts(ctx, stderr); err != nil {
		return err
	}
	if err := f.checkCopies(ctx, inputs); err != nil {
		return err
	}
	spec := f.spec(textInput, f.patterns)
	f.input.apply(spec)
	source, err := f.newSource(ctx, stderr, p)
	if err != nil {
		return err
	}
	if spec.Similarity == 0 {
		if spec.K, err = f.threshold(f.input.definition.Sketch, source.Bits()); err != nil {
			return err
		}
	}
	run := &corpus.Run{Folder: f.out, Inputs: inputs, Source: source, Spec: spec, Texts: f.textsAgain, Workers: f.input.workers, Memory: int64(f.memory),
		Format: f.attributes(), Force: f.force, Numbered: f.input.texts.id == "", Duplicates: f.duplicates, Progress: corpusProgress(p), Notice: notice}
	if keep, _ := parseKeep(f.keep); keep.name != "" {
		run.Preferred, run.Values = keep.name, f.valuesAgain(keep, func(err error) { notice(err.Error()) })
	}
	var oldRuns []*corpus.Run
	if run.Against, oldRuns, err = f.old(ctx, run, source.sketcher.Features(), stderr, p); err != nil {
		return err
	}
	if err := run.Lock(f.shard != ""); err != nil {
		return err
	}
	defer func() { _ = run.Unlock() }()
	if f.remove != "" {
		if err := run.Removable(f.remove); err != nil {
			return orForce(fmt.Errorf("--remove: %w", err))
		}
	}
	if source.leaveOut != nil {
		run.LeftOut = func() int { return source.left }
	}
	if spec.Similarity > 0 || f.show.n > 0 || run.Values != nil {
		for _, in := range inputs {
			if readOnce(in.Path) {
				return fmt.Errorf("%s: expected a file, which can be read twice; fphash dedup reads pipes", in.Path)
			}
		}
	}
	for _, old := range run.Against {
		if old.Read == nil {
			run.Unverified = old.Name + " has fingerprints only"
			if len(f.keepDifferent) > 0 {
				return fmt.Errorf("--keep-different: expected --against with texts, and %s", run.Unverified)
			}
		}
	}
	sketched, err := run.Sketch(ctx, shard, shards)
	if err != nil {
		return orForce(err)
	}
	p.clear()
	fmt.Fprintf(stderr, "fphash: computed fingerprints of %s in %s; %s had fingerprints before\n",
		english.Count(sketched.Records, "document"), english.Count(sketched.Files, "input"), english.Count(sketched.Before, "input"))
	f.input.texts.report(stderr)
	if f.shard != "" {
		fmt.Fprintf(stdout, "Part %s is done. When all parts are done, run the same command without --shard.\n", f.shard)
		return source.verdict(source.left)
	}
	for _, old := range oldRuns {
		err := old.Lock(false)
		if err == nil {
			_, err = old.Sketch(ctx, 0, 1)
			err = errors.Join(err, old.Unlock())
		}
		if err != nil {
			return fmt.Errorf("--against: %w", err)
		}
		f.input.texts.reportMissing(stderr)
	}
	leftOut, err := f.finishCorpus(ctx, run, p, stdout, stderr)
	if err != nil {
		return err
	}
	return source.verdict(leftOut)
}

// detectTexts detects the fields of the texts and ids, unless flags name them. It refuses vectors
// and fingerprints.
func (f *corpusFlags) detectTexts(ctx context.Context, stderr io.Writer) error {
	f.input.ctx, f.input.stderr = ctx, stderr
	if t := &f.input.texts; !t.given() && !t.withoutFields() {
		file, kind, err := f.input.firstKind(f.patterns)
		if err == nil && kind != textInput {
			err = fmt.Errorf("%s holds %s, expected texts; fphash dedup takes %s", file, kind, kind)
		}
		if err != nil {
			return err
		}
	}
	return f.input.detectFields(f.patterns)
}

// textsAgain reads the texts of a file again. It is a dedup.Values.
func (f *corpusFlags) textsAgain(ctx context.Context, path string, want func(int) bool) iter.Seq2[[]byte, error] {
	return f.input.wanted(ctx, []string{path}, "", want, func(document *documents.Document) ([]byte, error) { return document.Text, nil })
}

// valuesAgain returns a function that reads the values of --keep.
func (f *corpusFlags) valuesAgain(p preferred, report func(error)) dedup.Values[[]byte] {
	kind := ""
	return func(ctx context.Context, path string, want func(int) bool) iter.Seq2[[]byte, error] {
		return f.input.wanted(ctx, []string{path}, p.field, want, func(document *documents.Document) ([]byte, error) {
			return p.value(document, &kind, f.input.keepGoing, report)
		})
	}
}
