package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/internal/tabular"
)

// dedupFlags are the flags of fphash dedup.
type dedupFlags struct {
	specFlags
	input       dedupInput
	list        string
	format, out string
	against     []string
	oldFiles    []string // those of against that are not an index
	olds        []int    // number of records of each of them
	update      bool
	whyK        string // why k has its value; "" means the reason of specFlags.notes
}

func newDedup() *cobra.Command {
	f := dedupFlags{input: dedupInput{definition: newDefinitionFlags()}}
	command := &cobra.Command{
		Use:   "dedup [FILE...]",
		Short: "Find near-duplicates, and which records to keep",
		Long: `dedup finds records that are nearly the same, and drops all but one of each group.
FILE is a folder of texts, a file of texts (JSON lines, CSV, Parquet, lines, tar),
vectors (svmlight, Vowpal Wabbit, .mtx, .npz), or fingerprints of fphash sketch.

Two texts are near-duplicates if at least 90% of the words of the longer one also occur
in the other, in the same order. Case and punctuation do not count. Two vectors are
near-duplicates if their cosine is at least 0.95. --similarity sets another threshold.
Before dedup drops a record, it compares the record with the one that it keeps.

--against OLD also drops records that are similar to a record of OLD. OLD is a file as
above, or an index of fphash index build. --update adds the kept records to the index.

With --k, dedup compares only fingerprints: see fphash help fingerprints.

Exit codes: 0 done, 1 --keep-going left records out, 2 could not run.`,
		Example: `  fphash dedup texts.jsonl --show 5
  fphash dedup texts.jsonl --list drop --out drop.txt
  fphash dedup documents/ --similarity 0.8
  fphash dedup new.jsonl --against old.jsonl --list keep`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	f.specFlags.register(flags)
	choice(flags, &f.list, "list", "", "write a list: %s", dedup.Lists())
	choice(flags, &f.format, "format", tabular.Text, "format of the list: %s", tabular.Formats())
	flags.StringVarP(&f.out, "out", "o", "", "output `file`, compressed if it ends in .gz or .zst (default stdout)")
	flags.StringArrayVar(&f.against, "against", nil, "also drop records similar to those of `OLD`; may be repeated")
	namesInput(flags, "against")
	flags.BoolVar(&f.update, "update", false, "add the kept records to the index of --against")
	f.input.registerRecords(flags)
	f.specFlags.registerClassic(flags)
	kernelFlag(flags)
	hideFlags(flags, classicFlags)
	return command
}

func (f *dedupFlags) run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if err := f.checkAll(args); err != nil {
		return err
	}
	p := newProgress(stderr)
	defer p.clear()
	d := &f.input
	d.ctx, d.stdin, d.stderr, d.progress, d.whole = ctx, stdin, stderr, p, true
	args, err := d.openPipe(args)
	if err != nil {
		return err
	}
	kind, err := d.detect(args)
	if err != nil {
		return err
	}
	index, err := f.openIndex(stderr)
	if err != nil {
		return err
	}
	defer index.close()
	if err := f.checkKind(args, kind, index); err != nil {
		return err
	}
	find := dedup.Options{Workers: d.workers}
	if find.Spec = f.spec(kind, args); kind == fingerprintInput || index != nil {
		find.Spec = dedup.Spec{By: f.by} // K is set below
	}
	d.apply(find.Spec)
	if len(args) == 0 && kind != fingerprintInput && f.readsTwice(find.Spec, index) {
		if err := d.copyStdin(); err != nil {
			return err
		}
		defer d.copied.Close()
	}
	again, err := f.rereads(args, kind, index)
	if err != nil {
		return err
	}
	records, old, oldEmpty, err := f.read(args, kind, index)
	if err != nil {
		return err
	}
	if err := d.unused(); err != nil {
		return err
	}
	find.Old, find.OldEmpty, find.Own = old, oldEmpty, index.ownRecords(old)
	if find.Similarity == 0 {
		sketch := d.definition.sketchOf(records.Set.Definition)
		if find.K, err = f.threshold(sketch, records.Set.Bits); err != nil {
			return err
		}
		if index != nil && !f.classic() {
			find.K, find.By = index.info.K, dedup.First
			f.whyK = "that of the index"
		}
	}
	if find.Verify = again.verifier(find.Spec, f.olds, d.workers); find.Verify != nil {
		defer find.Verify.Close()
	}
	if find.Prefer, err = again.preference(f.keep); err != nil {
		return err
	}
	find.Progress = func(step dedup.Step, done float64) {
		p.report(status{step: string(step), part: done, count: int(done * float64(records.Len())), unit: "records"})
	}
	if f.explain {
		find.Explain = explainTo(p, stderr)
	}
	result, err := dedup.Find(ctx, records, find)
	if err != nil {
		return err
	}
	kept, err := index.kept(result)
	if err != nil {
		return err
	}
	if err := f.write(ctx, result, kind, again, p, stdout, stderr); err != nil {
		return err
	}
	if err := index.update(ctx, kept, p, stderr); err != nil {
		return err
	}
	return d.leftOut
}

// checkAll refuses flags that contradict each other.
func (f *dedupFlags) checkAll(args []string) error {
	if err := f.check(&f.input); err != nil {
		return err
	}
	switch {
	case f.list == "" && f.changed("format"):
		return fmt.Errorf("--format %s requires --list %s", f.format, strings.Join(dedup.Lists(), "|"))
	case f.update && len(f.against) == 0:
		return errors.New("--update requires --against INDEX, a file of fphash index build")
	}
	return f.refusePipes(args)
}

// checkKind refuses flags that do not apply to the records of FILE.
func (f *dedupFlags) checkKind(args []string, kind inputKind, index *dedupIndex) error {
	name := f.input.name(args)
	for _, flag := range []string{"similarity", "measure", "punctuation", "keep-different"} {
		switch {
		case !f.changed(flag):
		case kind == fingerprintInput:
			return fmt.Errorf("--%s: expected texts or vectors, and %s has fingerprints only", flag, name)
		case index != nil:
			return fmt.Errorf("--%s: expected --against with texts or vectors, and %s has fingerprints only", flag, index.path)
		case flag != "similarity" && kind == vectorInput:
			return fmt.Errorf("--%s: expected texts, and %s has vectors, which are compared by cosine", flag, name)
		}
	}
	for _, against := range f.oldFiles {
		old, err := os.Stat(against)
		if err != nil {
			continue // reading the file reports the error
		}
		for _, arg := range args {
			if info, err := os.Stat(arg); err == nil && os.SameFile(info, old) {
				return fmt.Errorf("--against %s: expected a file other than %s, whose records would all be dropped", against, arg)
			}
		}
	}
	return nil
}

// read reads the records of FILE and of --against. It returns all records, those of --against
// first, the number of records of --against, and how many of these have no fingerprint.
func (f *dedupFlags) read(args []string, kind inputKind, index *dedupIndex) (all *dedup.Records, oldLen, oldEmpty int, err error) {
	d := &f.input
	records, err := d.read(args, kind)
	if err != nil || len(f.against) == 0 {
		return records, 0, 0, err
	}
	var olds []*dedup.Records
	for _, name := range f.oldFiles {
		oldKind, err := d.detect([]string{name})
		if err == nil && (oldKind == textInput) != (kind == textInput) {
			err = fmt.Errorf("--against %s: expected %s as in %s, got %s", name, kind, records.Name, oldKind)
		}
		if err != nil {
			return nil, 0, 0, err
		}
		old, err := d.read([]string{name}, oldKind)
		if err != nil {
			return nil, 0, 0, err
		}
		olds, f.olds = append(olds, old), append(f.olds, old.Len())
	}
	if index != nil {
		entries, err := index.entries(records)
		if err != nil {
			return nil, 0, 0, err
		}
		olds = append(olds, entries)
	}
	for _, old := range olds {
		d.assumeDefinition(records, old.Name, &old.Set)
		if err := records.Set.Comparable(&old.Set); err != nil {
			return nil, 0, 0, fmt.Errorf("%s and %s: %w", records.Name, old.Name, err)
		}
		oldLen, oldEmpty = oldLen+old.Len(), oldEmpty+old.WithoutFingerprint()
	}
	return dedup.Joined(olds, records), oldLen, oldEmpty, nil
}

// write writes the list to --out or standard output, and the summary to standard error. Without
// --list, it writes the summary to --out or standard output.
func (f *dedupFlags) write(ctx context.Context, r *dedup.Result, kind inputKind, again *rereads, p *progress, stdout, stderr io.Writer) error {
	shown, err := again.shown(ctx, r, f.olds, f.show)
	if err != nil {
		return err
	}
	p.clear()
	summary := func(w io.Writer) error {
		if err := writeExamples(w, r, shown); err != nil {
			return err
		}
		notes := f.notes(r, f.input.definition.sketchOf(r.Records.Set.Definition))
		notes.WhyK = cmp.Or(f.whyK, notes.WhyK)
		notes.Kind, notes.Old, notes.Unverified = kind.record(), strings.Join(f.against, " "), again.why
		return r.Summary(w, notes)
	}
	if f.list == "" {
		return writeTo(f.out, stdout, summary)
	}
	if f.out == "" { // progress would mix with the list on a terminal
		r.Progress = nil
	}
	if err := writeTo(f.out, stdout, func(w io.Writer) error { return r.List(ctx, w, f.list, f.format) }); err != nil {
		return err
	}
	p.clear()
	warnOfSharedIDs(r, "the list does", stderr)
	return summary(stderr)
}

// name returns the name of FILE... in messages.
func (d *dedupInput) name(args []string) string {
	return cmp.Or(strings.Join(args, " "), inputName(""))
}
