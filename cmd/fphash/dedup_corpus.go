package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/dedup/corpus"
	"simhashkit/dedup/corpus/parquet"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/bytesize"
	"simhashkit/internal/english"
	"simhashkit/internal/tabular"
)

// corpusFlags are the flags of a deduplication of many files, which can be resumed.
type corpusFlags struct {
	in            []string
	remove, shard string
	duplicates    bool
	memory        bytesize.Size
}

func (c *corpusFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&c.in, "in", nil, "files, globs and folders of documents, whose attributes go to the folder --out; may come several times")
	flags.StringVar(&c.remove, "remove", "", "with --in: write the records to keep into this folder, too")
	flags.StringVar(&c.shard, "shard", "", "with --in: compute the fingerprints of the i-th of n parts only, as 2/8")
	c.memory = corpus.DefaultMemory
	flags.Var(&c.memory, "memory", "with --in: compare on disk what takes more than this in memory")
	flags.BoolVar(&c.duplicates, "only-duplicates", false, "with --in: leave records without near-duplicates out of the attributes")
}

// refuse returns which flag does not go with a run over many files, or without one.
func (f *dedupFlags) refuseCorpus(args []string) error {
	if len(f.corpus.in) == 0 {
		for _, name := range []string{"remove", "shard", "memory", "only-duplicates"} {
			if f.changed(name) {
				return fmt.Errorf("--%s: expected only with --in", name)
			}
		}
		return nil
	}
	for _, name := range []string{"list", "against", "update", "verify", "data", "base", "max-line"} {
		if f.changed(name) {
			return fmt.Errorf("--%s: expected only without --in", name)
		}
	}
	switch {
	case len(args) > 0:
		return fmt.Errorf("both FILE %s and --in %s: expected --in for all files", args[0], f.corpus.in[0])
	case f.out == "":
		return errors.New("--in: expected --out FOLDER with it, where the attributes go")
	case f.corpus.memory <= 0:
		return errors.New("--memory 0: expected a size such as 4GiB")
	case f.corpus.shard != "" && f.corpus.remove != "":
		return errors.New("--remove: expected only without --shard: what is kept is known when all shards have ended")
	}
	return nil
}

// formatsOfAttributes are those that --format names with --in, the usual one first.
var formatsOfAttributes = []corpus.Format{corpus.JSONLines, corpus.CSV, parquet.Format}

func attributeFormats() (names []string) {
	for _, format := range formatsOfAttributes {
		names = append(names, format.Name)
	}
	return names
}

// formats lists what --format may name.
func (f *dedupFlags) formats() []string {
	if len(f.corpus.in) > 0 {
		return attributeFormats()
	}
	return tabular.Formats()
}

// attributes returns the format of the attributes.
func (f *dedupFlags) attributes() corpus.Format {
	for _, format := range formatsOfAttributes {
		if format.Name == f.format {
			return format
		}
	}
	return corpus.Format{} // the usual one
}

// parseShard returns i-1 and n of "i/n", 0 and 1 of nothing.
func parseShard(text string) (shard, shards int, err error) {
	if text == "" {
		return 0, 1, nil
	}
	i, n, _ := strings.Cut(text, "/")
	shard, err = strconv.Atoi(i)
	if err == nil {
		shards, err = strconv.Atoi(n)
	}
	if err != nil || shard < 1 || shard > shards {
		return 0, 0, fmt.Errorf("--shard %q: expected a part and how many there are, as in 2/8", text)
	}
	return shard - 1, shards, nil
}

// runCorpus is dedup --in.
func (f *dedupFlags) runCorpus(ctx context.Context, p *progress, stdout, stderr io.Writer) error {
	shard, shards, err := parseShard(f.corpus.shard)
	if err != nil {
		return err
	}
	source, err := f.newSource(ctx, stderr, p)
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
	run := &corpus.Run{Folder: f.out, Inputs: inputs, Source: source, By: f.by, Workers: f.input.workers, Memory: int64(f.corpus.memory),
		Format: f.attributes(), Duplicates: f.corpus.duplicates, Progress: corpusProgress(p), Notice: notice}
	bits := source.Bits()
	if run.K = f.k; !f.changed("k") {
		run.K = dedup.DefaultK(bits)
	} else if f.k >= bits {
		return fmt.Errorf("--k %d: expected 0 to %d, less than the %d bits of the fingerprints", f.k, bits-1, bits)
	}
	if f.corpus.remove != "" {
		if err := run.Removable(f.corpus.remove); err != nil {
			return fmt.Errorf("--remove: %w", err)
		}
	}
	if source.leaveOut != nil {
		run.LeftOut = func() int { return source.left }
	}
	sketched, err := run.Sketch(ctx, shard, shards)
	if err != nil {
		return err
	}
	p.clear()
	fmt.Fprintf(stderr, "fphash: fingerprints of %d %s in %d %s computed, of %d %s there before\n", sketched.Records, english.Plural(sketched.Records, "document", "documents"),
		sketched.Files, english.Plural(sketched.Files, "input", "inputs"), sketched.Before, english.Plural(sketched.Before, "input", "inputs"))
	if said := f.input.texts.seen.String(); said != "" {
		fmt.Fprintln(stderr, "fphash:", said)
	}
	if f.corpus.shard != "" {
		fmt.Fprintf(stdout, "Part %s is done. When all parts are: the same command without --shard.\n", f.corpus.shard)
		return source.verdict(source.left)
	}
	leftOut, err := f.finishCorpus(ctx, run, p, stdout, stderr)
	if err != nil {
		return err
	}
	return source.verdict(leftOut)
}

// finishCorpus joins the fingerprints and writes what was found. It returns how many documents were
// left out.
func (f *dedupFlags) finishCorpus(ctx context.Context, run *corpus.Run, p *progress, stdout, stderr io.Writer) (leftOut int, err error) {
	var explain func(join.Plan)
	if f.explain {
		explain = explainTo(p, stderr)
	}
	result, err := run.Find(ctx, strings.Join(f.corpus.in, " "), explain)
	if err != nil {
		return 0, err
	}
	if err := result.WriteAttributes(ctx); err != nil {
		return 0, err
	}
	where := fmt.Sprintf("Which record is in which group, and which to keep, is in %s.", filepath.Join(f.out, "*."+f.format))
	if f.corpus.remove != "" {
		kept, dropped, err := result.Remove(ctx, f.corpus.remove, func(ctx context.Context, in, out string, keep func(int) bool, whole func(int) error) error {
			leftOut := 0
			options := f.input.texts.options(f.countLeftOut(&leftOut))
			options.Whole = func() error { return whole(leftOut) }
			return documents.CopyKept(ctx, in, out, options, keep)
		})
		if err != nil {
			return 0, err
		}
		all := kept + dropped + result.LeftOut
		where += fmt.Sprintf(" Of %d %s, the %d to keep %s in %s, %d %s dropped", all, english.Plural(all, "document", "documents"),
			kept, english.Plural(kept, "is", "are"), f.corpus.remove, dropped, english.Plural(dropped, "is", "are"))
		if result.LeftOut > 0 {
			where += fmt.Sprintf(", and %d, which could not be read, %s left out", result.LeftOut, english.Plural(result.LeftOut, "is", "are"))
		}
		where += "."
	}
	p.clear()
	if err := result.NameRecords(ctx); err != nil {
		return 0, err
	}
	if f.input.texts.id != "" { // the numbers of records in their files come again in each
		warnOfSharedIDs(result, "attributes do", stderr)
	}
	if n := len(result.Others); n > 0 {
		fmt.Fprintf(stdout, "%s also has %d %s of inputs that are none of this run, such as %s: to keep what this run keeps, delete %s.\n\n",
			f.corpus.remove, n, english.Plural(n, "file", "files"), result.Others[0], english.Plural(n, "it", "them"))
	}
	f.input.sizes = result.Sizes
	notes := f.notes(result.Result)
	notes.Finder = ""
	notes.Lists = where
	return result.LeftOut, result.Summary(stdout, notes)
}

// countLeftOut returns what counts the documents that cannot be read, nil if the first one is to end
// the work.
func (f *dedupFlags) countLeftOut(n *int) func(error) {
	if !f.input.keepGoing {
		return nil
	}
	return func(error) { *n++ }
}

// leaveOut returns what is told of documents that cannot be read, nil if the first one is to end
// the work.
func (f *dedupFlags) leaveOut(stderr io.Writer, p *progress) func(error) {
	if !f.input.keepGoing {
		return nil
	}
	return func(err error) {
		p.clear()
		fmt.Fprintln(stderr, err)
	}
}
