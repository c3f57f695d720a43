package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"simhashkit/dedup/corpus"
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
	if f.shard == "" {
		if err := run.Lock(); err != nil {
			return err
		}
		defer func() { _ = run.Unlock() }()
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
	fmt.Fprintf(stderr, "fphash: fingerprints of %s in %s computed, of %s there before\n",
		english.Count(sketched.Records, "document"), english.Count(sketched.Files, "input"), english.Count(sketched.Before, "input"))
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
