package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/dedup/source"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/bytesize"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/english"
	"simhashkit/internal/tabular"
)

// dedupFlags are the flags of fphash dedup.
type dedupFlags struct {
	input inputFlags

	// Which records are near-duplicates, and which of them to keep.
	similarity, recall float64
	measure            string
	keep               string
	punctuation        bool
	keepDifferent      []string
	k                  int    // if only fingerprints are compared
	by                 string // if only fingerprints are compared

	list        string
	format, out string
	show        examplesShown
	against     []string
	update      bool

	// A run, which keeps its state in a folder.
	folder     string // "": no run
	remove     string
	duplicates bool
	memory     bytesize.Size
	oldFiles   []string // of --against

	changed func(flag string) bool
}

func newDedup() *cobra.Command {
	var f dedupFlags
	command := &cobra.Command{
		Use:   "dedup [FILE...]",
		Short: "Find near-duplicates, and which records to keep",
		RunE:  func(cmd *cobra.Command, args []string) error { return f.input.withFlags(f.run(cmd, args)) },
	}
	flags := command.Flags()
	f.changed = flags.Changed
	flags.VarP(similarityOf(&f.similarity), "similarity", "s", "minimum similarity `S` (default 0.9 for texts, 0.95 for vectors)")
	choice(flags, &f.measure, "measure", string(dedup.Words), "similarity: words in order, or jaccard of word sets", []dedup.Measure{dedup.Words, dedup.Jaccard})
	flags.StringVar(&f.keep, "keep", keepFirst, "keep first, longest, shortest, max:FIELD or min:FIELD")
	flags.BoolVar(&f.punctuation, "punctuation", false, "count each symbol as a word (default for folders of source code)")
	suggestions(flags, &f.keepDifferent, "keep-different", nil, "keep texts that differ in `X`: %s", keptDifferences)
	flags.Var(&f.show, "show", "show `N` dropped texts and how the kept texts differ, or only differences")
	f.recall = dedup.DefaultSpec(dedup.Words).Recall
	flags.Var(share{&f.recall, 0, below1}, "recall", "minimum `SHARE` of the near-duplicates to find")
	choice(flags, &f.list, "list", "", "write a list: %s", dedup.Lists())
	choice(flags, &f.format, "format", tabular.Text, "format of list or attributes: %s",
		append(tabular.Formats(), corpus.Parquet))
	outFlag(flags, &f.out)
	flags.StringArrayVar(&f.against, "against", nil, "also drop records similar to those of `OLD`; may be repeated")
	flags.BoolVar(&f.update, "update", false, "add the kept records to the index of --against")
	flags.StringVar(&f.folder, "run", "", "resume or begin a run, which keeps its state in `FOLDER`")
	flags.StringVar(&f.remove, "remove", "", "with --run, write copies without the dropped texts to `FOLDER`")
	flags.BoolVar(&f.duplicates, "only-duplicates", false, "with --run, omit texts without near-duplicates from the attributes")
	f.memory = corpus.DefaultMemory
	flags.Var(&f.memory, "memory", "with --run, memory limit; larger comparisons run on disk")
	f.input.registerRecords(flags)
	flags.VarP(number{&f.k, 0, math.MaxInt}, "k", "k", "compare fingerprints only: near-duplicates differ in at most `K` bits")
	choice(flags, &f.by, "by", "components", "with --k, how records form groups: %s", []string{"components", byFirst})
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
		return f.resume(cmd, args)
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
	for _, name := range f.keepDifferent {
		if err := expectOneOf("--keep-different", name, keptDifferences); err != nil {
			return err
		}
	}
	if !f.classic() {
		return refuse(f.changed, "requires --k, which compares fingerprints alone", slices.Concat([]string{"by", "features"}, definitionNames)...)
	}
	const reason = "cannot be combined with --k, which compares fingerprints alone"
	if f.show.differences {
		return fmt.Errorf("--show %s %s", showDifferences, reason)
	}
	return refuse(f.changed, reason, "similarity", "measure", "recall", "punctuation", "keep-different")
}

// checkKind refuses flags that do not apply to the records of FILE.
func (f *dedupFlags) checkKind(s *source.Source) error {
	var err error
	switch s.Kind {
	case source.Fingerprints:
		err = refuse(f.changed, onlyFingerprints(s), "similarity", "measure", "punctuation", "keep-different")
	case source.Vectors:
		reason := fmt.Sprintf("requires texts; %s contains vectors, which are compared by cosine", s.Name)
		err = refuse(f.changed, reason, "measure", "punctuation", "keep-different")
	}
	switch {
	case err != nil:
		return err
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
	if o.Keep, err = source.ParseKeep(f.keep); err != nil {
		return o, fmt.Errorf("--keep %w", err)
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
		method, err := source.MethodOf(spec, nil, f.input.workers)
		o.Method = &method
		return o, err
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

// classic reports whether only fingerprints are compared, which --k requests.
func (f *dedupFlags) classic() bool { return f.changed("k") }

// readsTwice reports whether texts or vectors are read a second time: to be verified or shown, or
// for the values of --keep.
func (f *dedupFlags) readsTwice() bool { return !f.classic() || f.show.n > 0 || f.keep != keepFirst }

const (
	keepFirst = "first" // the default of --keep
	byFirst   = "first" // a value of --by: drop only records near a kept one
)

// keptDifferences are the values of --keep-different.
var keptDifferences = []string{"numbers", "negation"}

// The value of --show for texts that differ in a way that their similarity hardly weighs, and the
// number of these texts.
const (
	showDifferences  = "differences"
	shownDifferences = 5
)

// examplesShown is the value of --show.
type examplesShown struct {
	n           int
	differences bool
}

func (e *examplesShown) Set(text string) (err error) {
	if e.differences = text == showDifferences; e.differences {
		e.n = shownDifferences
	} else if e.n, err = strconv.Atoi(text); err != nil || e.n < 0 {
		err = fmt.Errorf("expected a whole number, 0 or more, or %s", showDifferences)
	}
	return err
}

func (e *examplesShown) String() string {
	if e.differences {
		return showDifferences
	}
	return strconv.Itoa(e.n)
}

func (e *examplesShown) Type() string { return "N" }

// of returns the examples of a result.
func (e *examplesShown) of(r *dedup.Result) []dedup.Example {
	return r.Examples(e.n, e.differences)
}

// spec returns what the flags say about near-duplicates in a source.
func (f *dedupFlags) spec(s *source.Source) dedup.Spec {
	if f.classic() {
		return dedup.Spec{K: f.k, First: f.by == byFirst}
	}
	spec := s.DefaultSpec()
	if s.Kind == source.Fingerprints {
		return spec
	}
	spec.Recall = f.recall
	if s.Kind == source.Texts {
		spec.Measure = dedup.Measure(f.measure)
	}
	if f.changed("punctuation") {
		spec.Symbols = f.punctuation
	}
	if f.changed("similarity") {
		spec.Similarity = f.similarity
	}
	spec.KeepNumbers, spec.KeepNegations = slices.Contains(f.keepDifferent, "numbers"), slices.Contains(f.keepDifferent, "negation")
	return spec
}
