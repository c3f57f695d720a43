package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/dedup/source"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/english"
	"simhashkit/internal/tabular"
)

// dedupFlags are the flags of fphash dedup.
type dedupFlags struct {
	specFlags
	runFlags
	input       inputFlags
	list        string
	format, out string
	against     []string
	update      bool
}

func newDedup() *cobra.Command {
	f := dedupFlags{input: newInputFlags()}
	command := &cobra.Command{
		Use:   "dedup [FILE...]",
		Short: "Find near-duplicates, and which records to keep",
		Long: `dedup finds records that are nearly the same, and drops all but one of each group.
FILE is a folder of texts, a file of texts (JSON lines, CSV, Parquet, lines, tar),
vectors (svmlight, Vowpal Wabbit, .npz), or fingerprints of fphash sketch.

Two texts are near-duplicates if at least 90% of the words of the longer one also occur
in the other, in the same order. Case and punctuation do not count. Two vectors are
near-duplicates if their cosine is at least 0.95. --similarity sets another threshold.
Before dedup drops a record, it compares the record with the one that it keeps.
--against OLD also drops records that are similar to a record of OLD: of a file as above,
of those that a run kept, or of an index of fphash index build.

--run FOLDER keeps fingerprints and writes attributes of each text, so you can resume a
killed run or add files: see fphash help runs. With --k, dedup compares only fingerprints:
see fphash help fingerprints.

Exit codes: 0 done, 1 --keep-going left records out, 2 could not run.`,
		Example: `  fphash dedup texts.jsonl --show 5
  fphash dedup new.jsonl --against old.jsonl --list drop --out drop.txt
  fphash dedup texts.jsonl --run attributes --remove kept`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.input.withFlags(f.run(cmd, args)) },
	}
	flags := command.Flags()
	flags.SortFlags = false
	f.specFlags.register(flags)
	choice(flags, &f.list, "list", "", "write a list: %s", dedup.Lists())
	choice(flags, &f.format, "format", tabular.Text, "format of list or attributes: %s",
		append(tabular.Formats(), corpus.Parquet))
	flags.StringVarP(&f.out, "out", "o", "", "output `file`, compressed if it ends in .gz or .zst (default stdout)")
	flags.StringArrayVar(&f.against, "against", nil, "also drop records similar to those of `OLD`; may be repeated")
	namesInput(flags, "against")
	flags.BoolVar(&f.update, "update", false, "add the kept records to the index of --against")
	f.runFlags.register(flags)
	f.input.registerRecords(flags)
	f.specFlags.registerClassic(flags)
	kernelFlag(flags)
	hideFlags(flags, append(runFlagsRare, classicFlags...))
	return command
}

func (f *dedupFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := f.check(args); err != nil {
		return err
	}
	if f.folder != "" {
		return orForce(f.resume(cmd, args))
	}
	p := newProgress(stderr)
	defer p.clear()
	hints := f.input.hints(cmd, p)
	hints.Once = !f.readsTwice()
	s, err := f.input.open(ctx, args, hints, stderr)
	if err != nil {
		return err
	}
	defer s.Close()
	o, err := f.options(ctx, s, hints, p, stderr)
	defer closeAll(o)
	if err != nil {
		return err
	}
	result, err := source.Find(ctx, s, o)
	if err != nil {
		return err
	}
	defer result.Close()
	for _, assumed := range result.Assumed {
		writeAssumed(stderr, assumed)
	}
	for _, counts := range result.Counts {
		writeCounts(stderr, &counts.Missing)
	}
	if err := f.write(ctx, result, p, stdout, stderr); err != nil {
		return err
	}
	if err := addKept(result.Added, o.Indexes, stderr); err != nil {
		return err
	}
	return leftOut(result.LeftOut(), s.Kind.Noun())
}

// check refuses flags that contradict each other.
func (f *dedupFlags) check(args []string) error {
	if err := f.checkRun(args); err != nil {
		return err
	}
	switch {
	case f.folder == "" && f.format == corpus.Parquet:
		return fmt.Errorf("--format %s requires --run FOLDER", f.format)
	case f.folder == "" && f.list == "" && f.changed("format"):
		return fmt.Errorf("--format %s requires --list %s", f.format, strings.Join(dedup.Lists(), "|"))
	case f.update && len(f.against) == 0:
		return errors.New("--update requires --against INDEX, a file of fphash index build")
	}
	if i := slices.IndexFunc(f.against, source.ReadOnce); i >= 0 {
		return fmt.Errorf("--against %s: expected a file, which can be read twice", f.against[i])
	}
	return f.specFlags.check()
}

// checkKind refuses flags that do not apply to the records of FILE.
func (f *dedupFlags) checkKind(s *source.Source) error {
	for _, flag := range []string{"similarity", "measure", "punctuation", "keep-different"} {
		switch {
		case !f.changed(flag):
		case s.Kind == source.Fingerprints:
			return fmt.Errorf("--%s requires texts or vectors; %s contains only fingerprints", flag, s.Name)
		case flag != "similarity" && s.Kind == source.Vectors:
			return fmt.Errorf("--%s requires texts; %s contains vectors, which are compared by cosine", flag, s.Name)
		}
	}
	switch {
	case s.Kind == source.Texts && !f.classic() && f.changed("weights"):
		return errors.New("--weights requires --k for texts, which are compared by their words otherwise")
	case s.Kind != source.Texts && f.show.n > 0:
		return fmt.Errorf("--show requires texts; %s contains %s", s.Name, s.Kind)
	case s.Kind != source.Texts && f.keep != keepFirst:
		return fmt.Errorf("--keep %s requires texts; %s contains %s", f.keep, s.Name, s.Kind)
	case s.Kind == source.Texts:
		return f.input.texts.take(f.input.weights)
	}
	return nil
}

// options returns what source.Find takes. It opens the sources and indexes of --against, which the
// caller closes.
func (f *dedupFlags) options(ctx context.Context, s *source.Source, hints source.Hints, p *progress, stderr io.Writer) (o source.Options, err error) {
	if err := f.checkKind(s); err != nil {
		return o, err
	}
	spec := f.spec(s)
	o = source.Options{Spec: &spec, Workers: f.input.workers}
	if o.Keep, err = f.keepFlag(); err != nil {
		return o, err
	}
	if f.explain {
		o.Explain = explainTo(p, stderr)
	}
	for _, name := range f.against {
		if err := f.openOld(ctx, &o, s, name, hints, stderr); err != nil {
			return o, err
		}
	}
	if f.update && len(o.Indexes) == 0 {
		return o, fmt.Errorf("--update requires an index of fphash index build, got --against %s", strings.Join(f.against, " "))
	}
	if o.Spec.Similarity > 0 && s.Kind == source.Texts {
		return o, nil // Find knows the method
	}
	input := f.input
	if o.Spec.Similarity > 0 {
		d, _ := o.Spec.Candidates()
		input.definition.Kind, input.definition.Bits, input.definition.Widen = d.Kind, d.Bits, d.Widen
	}
	input.texts.whole = true
	var index *indexfile.Info
	if len(o.Indexes) > 0 && f.folder == "" {
		index = &o.Indexes[0].Info
	}
	kind := s.Kind
	for _, old := range o.Against {
		if kind == source.Fingerprints {
			kind = old.Kind
		}
	}
	method, err := input.method(ctx, kind, index)
	o.Method = &method
	return o, err
}

// openOld opens a file or an index of --against.
func (f *dedupFlags) openOld(ctx context.Context, o *source.Options, s *source.Source, name string, hints source.Hints, stderr io.Writer) error {
	switch {
	case corpus.IsRun(name):
		o.Runs = append(o.Runs, name)
		return nil
	case indexfile.IsFile(name):
		if len(f.keepDifferent) > 0 {
			return fmt.Errorf("--keep-different requires texts; %s contains only fingerprints", name)
		}
		x, err := source.OpenIndex(name, f.update)
		if err != nil {
			return err
		}
		if o.Indexes = append(o.Indexes, x); f.update {
			mended(stderr, x.Writer)
		}
		return nil
	case f.folder != "":
		f.oldFiles = append(f.oldFiles, name)
		return nil
	case s.Same(name) != "":
		return fmt.Errorf("--against %s: expected a file other than %s, whose records would all be dropped", name, s.Same(name))
	}
	old, err := f.input.open(ctx, []string{name}, hints, stderr)
	if err == nil {
		o.Against = append(o.Against, old)
	}
	return err
}

func closeAll(o source.Options) {
	for _, s := range o.Against {
		_ = s.Close() // it was only read
	}
	for _, x := range o.Indexes {
		_ = x.Close() // each addition is on disk already
	}
}

// addKept adds the kept records to the index of --update.
func addKept(e *indexfile.Entries, indexes []*source.Index, stderr io.Writer) error {
	for _, x := range indexes {
		if x.Writer == nil {
			continue
		}
		if err := x.Writer.Insert(e); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "fphash: %d %s added to %s; %s\n", e.Len(), english.Plural(e.Len(), "record was", "records were"), x.Path, indexSize(x.Writer))
	}
	return nil
}

// write writes the list to --out or standard output, and the summary to standard error. Without
// --list, it writes the summary to --out or standard output.
func (f *dedupFlags) write(ctx context.Context, r *source.Result, p *progress, stdout, stderr io.Writer) error {
	summary := func(w io.Writer) error {
		err := r.WriteExamples(ctx, w, f.show.of(r.Result))
		if p.clear(); err != nil {
			return err
		}
		return r.Summary(w)
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

// warnOfSharedIDs warns of ids that several records in the output have.
func warnOfSharedIDs(r interface{ SharedID() (string, int) }, written string, stderr io.Writer) {
	if id, n := r.SharedID(); n > 0 {
		fmt.Fprintf(stderr, "fphash: %d %s by several records, one of which has near-duplicates, such as %.60q: %s not tell them apart\n",
			n, english.Plural(n, "id is used", "ids are used"), id, written)
	}
}
