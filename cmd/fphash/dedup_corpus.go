package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text/weights"
	"simhashkit/dedup"
	"simhashkit/dedup/corpus"
	"simhashkit/dedup/corpus/parquet"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/bytesize"
	"simhashkit/internal/english"
)

// corpusFlags are the flags of fphash dedup-corpus.
type corpusFlags struct {
	nearFlags
	patterns      []string // arguments
	against       []string
	remove, shard string
	duplicates    bool
	prune, force  bool
	memory        bytesize.Size
}

func newDedupCorpus() *cobra.Command {
	f := corpusFlags{nearFlags: nearFlags{input: dedupInput{definition: newDefinitionFlags()}}, memory: corpus.DefaultMemory}
	command := &cobra.Command{
		Use:   "dedup-corpus FILES --out FOLDER",
		Short: "Find near-duplicates in many files of documents, in a run that resumes",
		Long: `dedup-corpus does what dedup does for documents in many files, as one set: files,
patterns such as 'corpus/*.parquet', and folders. It can be killed and taken up again,
and holds some 50 bytes a document, or less where --memory says so.

The folder --out gets a file of attributes for each input: id, fingerprint, cluster_id
(none for records without near-duplicates) and is_canonical (the one to keep of its
group). Fingerprints stay there, in fphash-run: the same command again computes those of
new and changed files only, and another --k or --by none at all.

--remove writes the records to keep as they were. A copy gets its name only if each
document of its input, which is still the one that was compared, is kept, dropped or
left out by --keep-going.

--against OLD compares with documents of before in place of each other, and drops what
is near one: its attributes name that. OLD is files, the folder of another run, or an
index. --keep says which document of a group is kept, and --prune deletes what is there
of inputs that have gone. --show 20 shows what is dropped beside what is kept for it.

--shard 2/8 computes the fingerprints of each eighth file, so that eight processes can
share the work; the command without it comes last.

A folder whose files are a document each (texts in .txt, or anything with --documents
files) is one input: its ids are paths, and --remove copies the files to keep.

dedup/corpus/README.md has the rest: what is written, what may change between runs, and
how much memory it takes.

Exit codes: 0 it has answered, whether there are duplicates or not; 1 it has, but
--keep-going left something out; 2 could not run.`,
		Example: `  fphash dedup-corpus texts.jsonl --text text --id id --out attributes
  fphash dedup-corpus texts.jsonl --text text --id id --out attributes --k 4 --remove kept
  fphash dedup-corpus '*.jsonl' --text text --out parts --shard 1/2`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.patterns = args
			f.force, _ = cmd.Flags().GetBool("force")
			return f.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "out", "o", "", "`folder` of the attributes, and of what a run has done")
	flags.StringVar(&f.remove, "remove", "", "write the records to keep into this `folder`, too")
	flags.StringVar(&f.format, "format", corpus.JSONLines.Name, "format of the attributes: "+joined(attributeFormats()))
	flags.StringArrayVar(&f.against, "against", nil, "compare with these `old` documents, not with each other: files, a run's folder or an index")
	flags.BoolVar(&f.prune, "prune", false, "delete what runs before have written for inputs that are none of this run")
	flags.BoolVar(&f.duplicates, "only-duplicates", false, "leave records without near-duplicates out of the attributes")
	f.nearFlags.register(flags)
	flags.StringVar(&f.shard, "shard", "", "compute the fingerprints of the i-th of n `parts` only, as 2/8")
	flags.Var(&f.memory, "memory", "compare on disk what takes more than this in memory")
	f.input.definition.register(flags, definitionNames...)
	flags.StringVar(&f.input.weights, "weights", "", "weight of the features of texts: "+joined(weights.Schemes())+" (default count)")
	f.input.changed = flags.Changed
	f.input.registerTexts(flags)
	kernelFlag(command, &f.kernel)
	return command
}

// check refuses what does not go together.
func (f *corpusFlags) check() error {
	switch {
	case len(f.patterns) == 0:
		return errors.New("expected FILES, patterns or folders of documents, whose attributes go to --out FOLDER")
	case f.out == "":
		return errors.New("expected --out FOLDER, where the attributes go")
	case f.memory <= 0:
		return errors.New("--memory 0: expected a size such as 4GiB")
	case f.shard != "" && f.prune:
		return errors.New("--prune: expected only without --shard, by the command that comes last")
	case f.shard != "" && f.remove != "":
		return errors.New("--remove: expected only without --shard: what is kept is known when all shards have ended")
	}
	if err := f.checkAgainst(); err != nil {
		return err
	}
	return f.nearFlags.check(attributeFormats())
}

// formatsOfAttributes are those that --format names, the usual one first.
var formatsOfAttributes = []corpus.Format{corpus.JSONLines, corpus.CSV, parquet.Format}

func attributeFormats() (names []string) {
	for _, format := range formatsOfAttributes {
		names = append(names, format.Name)
	}
	return names
}

// attributes returns the format of the attributes.
func (f *corpusFlags) attributes() corpus.Format {
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
	run := &corpus.Run{Folder: f.out, Inputs: inputs, Source: source, By: f.by, Workers: f.input.workers, Memory: int64(f.memory),
		Format: f.attributes(), Force: f.force, Duplicates: f.duplicates, Progress: corpusProgress(p), Notice: notice}
	if run.K, err = f.threshold(source.Bits()); err != nil {
		return err
	}
	if p, _ := parseKeep(f.keep); p.name != "" {
		run.Preferred = p.name
		run.Values = func(ctx context.Context, path string, count int, records []int) ([]float64, error) {
			return p.values(ctx, path, count, records, &f.input.texts)
		}
	}
	if f.remove != "" {
		if err := run.Removable(f.remove); err != nil {
			return orForce(fmt.Errorf("--remove: %w", err))
		}
	}
	if source.leaveOut != nil {
		run.LeftOut = func() int { return source.left }
	}
	if f.asksForTexts() {
		if err := f.rereadable(inputs); err != nil {
			return err
		}
	}
	run.Texts = f.input.textsAgain
	if f.verify != "" {
		if run.Verify, err = f.verifier(ctx, nil, nil); err != nil {
			return err
		}
		defer run.Verify.Close()
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
	if run.Against, err = f.old(ctx, run, stderr, p); err != nil {
		return err
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
		return 0, err
	}
	where := fmt.Sprintf("Which record is in which group, and which to keep, is in %s.", filepath.Join(f.out, "*."+f.format))
	if run.Against != nil {
		where = fmt.Sprintf("Which record to keep, and which old one each other is near, is in %s.", filepath.Join(f.out, "*."+f.format))
	}
	if f.remove != "" {
		kept, dropped, err := result.Remove(ctx, f.remove, func(ctx context.Context, in, out string, keep func(int) bool, whole func(int) error) error {
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
	notes.Lists = where
	notes.Sources = mostLosses(result)
	return result.LeftOut, result.Summary(stdout, notes)
}

// countLeftOut returns what counts the documents that cannot be read, nil if the first one is to end
// the work.
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
