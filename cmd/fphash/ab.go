package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/bench/report"
	"simhashkit/internal/gobench/ab"
	"simhashkit/internal/gobench/conditions"
	"simhashkit/internal/gobench/gotest"
	"simhashkit/internal/process"
	"simhashkit/internal/syntax"
	"simhashkit/internal/wholefile"
)

// pinAuto is the value of --pin that binds runs to the least busy processors.
const pinAuto = "auto"

// abFlags are the flags of fphash ab.
type abFlags struct {
	old, new   string // commands
	base, head string // revisions
	bench      string
	tags       string
	cpu        int
	same       bool // also measure packages that are identical on both sides

	ruleFlags
	options ab.Options
	pin     string
	output  output
	save    string
}

func newAB() *cobra.Command {
	var f abFlags
	command := &cobra.Command{
		Use:   "ab [PACKAGE...]",
		Short: "Run two versions alternately, and report whether the new one is slower",
		RunE:  f.run,
	}
	flags := command.Flags()
	flags.StringVar(&f.base, "base", "", "git `revision` of the old side")
	flags.StringVar(&f.head, "head", "", "git `revision` of the new side (default: the working tree)")
	flags.StringVar(&f.bench, "bench", ".", "run only benchmarks that match this `regexp`")
	flags.StringVar(&f.tags, "tags", "", "build `tags` of the packages")
	f.cpu = 1
	flags.Var(number{&f.cpu, 1, math.MaxInt}, "cpu", "GOMAXPROCS of the benchmarks")
	flags.BoolVar(&f.same, "same", false, "also measure packages whose test binaries are identical")
	flags.StringVar(&f.old, "old", "", "shell `command` of the old side")
	flags.StringVar(&f.new, "new", "", "shell `command` of the new side")
	flags.DurationVar(&f.options.Budget, "budget", 0, "`time` for all runs (default 15s for each benchmark, at most 30m)")
	f.ruleFlags.add(flags)
	flags.Uint64Var(&f.options.Seed, "seed", 0, "seed of the order of runs (default random)")
	choice(flags, &f.pin, "pin", pinAuto, "bind runs to the least busy processors: auto or none", []string{pinAuto, "none"})
	f.output.flags(flags)
	flags.StringVar(&f.save, "save", "", "write all samples to old.txt and new.txt in this `folder`")
	hideFlags(flags, verdictFlags)
	return command
}

func (f *abFlags) run(cmd *cobra.Command, packages []string) (err error) {
	if err := f.parse(cmd.Flags(), packages); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), process.EndSignals()...)
	defer stop()
	if f.save != "" {
		if err := refuseExisting(cmd, filepath.Join(f.save, "old.txt"), filepath.Join(f.save, "new.txt")); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
		if err := os.MkdirAll(f.save, 0o777); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	stderr := cmd.ErrOrStderr()
	p := newProgress(stderr)
	defer p.clear()
	b, err := f.prepare(ctx, packages, func(step string) { p.report(status{step: step}) })
	if err != nil {
		return abInterrupted(ctx, err)
	}
	defer func() {
		if closeErr := b.Close(); closeErr != nil {
			err = errors.Join(err, closeErr)
		}
	}()
	if len(b.Tasks) > 0 {
		fmt.Fprintf(stderr, "fphash: %s\n", f.options.Estimate(b.Tasks))
	}
	result, err := f.measure(ctx, b, p)
	p.clear()
	if result == nil {
		return abInterrupted(ctx, err)
	}
	saveErr := f.saveSamples(commandLine(ctx), result)
	err = f.output.finish(result.Report, cmd.OutOrStdout())
	if ctx.Err() != nil {
		err = errors.Join(fmt.Errorf("%w; the report has the rounds until then", errInterrupted), err)
	}
	if saveErr != nil { // the verdict is reported even if the samples cannot be saved
		return errors.Join(err, saveErr)
	}
	return err
}

// abInterrupted returns the error of a run without a report, with a hint if it was interrupted.
func abInterrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("%w before the first round; nothing was written", errInterrupted)
}

// parse converts the text flags into options, and refuses flags that cannot be combined.
func (f *abFlags) parse(flags *pflag.FlagSet, packages []string) (err error) {
	if flags.Changed("budget") && f.options.Budget <= 0 {
		return fmt.Errorf("--budget %v: expected a positive duration", f.options.Budget)
	}
	if f.options.Rules, err = f.ruleFlags.parse(flags.Changed); err != nil {
		return err
	}
	if !flags.Changed("seed") {
		f.options.Seed = rand.Uint64() >> 32 // ten digits are enough to type
	}
	if f.options, err = f.options.WithDefaults(); err != nil {
		return err
	}
	return f.checkSides(flags, packages)
}

// checkSides returns an error unless the flags define two sides of one kind: revisions or commands.
func (f *abFlags) checkSides(flags *pflag.FlagSet, packages []string) error {
	if f.old == "" && f.new == "" {
		if f.base == "" {
			return errors.New("expected two sides: --base REVISION with packages, or --old and --new with commands")
		}
		return nil
	}
	if err := refuse(flags.Changed, "cannot be combined with --old and --new: it applies only to packages", "bench", "tags", "cpu", "same"); err != nil {
		return err
	}
	switch {
	case f.base != "" || f.head != "" || len(packages) > 0:
		return errors.New("expected either packages with --base, or --old and --new")
	case f.old == "" || f.new == "":
		return errors.New("expected two commands, --old and --new")
	}
	return nil
}

// prepare builds both sides, names them, and calibrates their benchmarks.
func (f *abFlags) prepare(ctx context.Context, packages []string, progress func(step string)) (*gotest.Benchmarks, error) {
	if f.old != "" {
		progress("a first run of each command")
		task, err := ab.Commands(ctx, f.old, f.new, f.options.Budget)
		return &gotest.Benchmarks{Tasks: []ab.Task{task}}, err
	}
	o := &f.options
	if o.Old, o.New = f.base, cmp.Or(f.head, "working tree"); o.Old == o.New { // shows the noise of the machine
		o.New += " again"
	}
	b, err := gotest.Prepare(ctx, gotest.Options{Packages: packages, Old: f.base, New: f.head, Bench: f.bench, Tags: f.tags, CPU: f.cpu, Budget: o.Budget, Same: f.same, Progress: progress})
	if err != nil {
		return nil, err
	}
	for _, path := range b.Same {
		b.Notes = append(b.Notes, path+" was not measured: the test binaries of both sides are identical, so only files that they read could make a difference; --same measures it")
	}
	return b, nil
}

// measure runs both sides and returns the result, with notes on the state of the machine.
func (f *abFlags) measure(ctx context.Context, b *gotest.Benchmarks, p *progress) (*ab.Result, error) {
	if len(b.Tasks) == 0 {
		return &ab.Result{Report: &compare.Report{Alpha: f.options.Rules.Alpha, Same: b.Same, Notes: b.Notes}}, nil
	}
	watch := conditions.Watch(f.cpu, f.pin == pinAuto)
	defer watch.Release()
	f.options.Progress = func(now ab.Progress) {
		s := status{step: "measuring", count: now.Round, unit: "rounds", left: max(0, now.Budget-now.Elapsed), detail: now.Task}
		if now.Comparisons > 0 {
			s.detail = fmt.Sprintf("decided %d/%d  %s", now.Decided, now.Comparisons, now.Task)
		}
		p.report(s)
	}
	result, err := ab.Run(ctx, b.Tasks, f.options)
	if result != nil {
		result.Report.Same = b.Same
		result.Report.Notes = slices.Concat(result.Report.Notes, watch.Notes(), b.Notes)
	}
	return result, err
}

// saveSamples writes the output of both sides and the command that produced it.
func (f *abFlags) saveSamples(command string, r *ab.Result) error {
	if f.save == "" {
		return nil
	}
	for i, side := range []struct{ name, label string }{{"old.txt", f.options.Old}, {"new.txt", f.options.New}} {
		write := func(w io.Writer) error {
			if _, err := fmt.Fprintf(w, "# command: %s\n# side: %s\n", command, side.label); err != nil {
				return err
			}
			return r.Save(w, i)
		}
		if err := wholefile.Write(filepath.Join(f.save, side.name), write); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	return nil
}

// compareFlags are the flags of fphash compare.
type compareFlags struct {
	ruleFlags
	output output
}

func newCompare() *cobra.Command {
	var f compareFlags
	command := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare recorded benchmarks, and say whether they got worse",
		Args:  cobra.MinimumNArgs(1),
		RunE:  f.run,
	}
	flags := command.Flags()
	f.ruleFlags.add(flags)
	flags.StringVar(&f.rules.Table, "table", ".config", "split tables by this projection")
	flags.StringVar(&f.rules.Row, "row", ".fullname", "split rows by this projection")
	flags.StringVar(&f.rules.Col, "col", byFile, "split columns by this projection")
	flags.StringVar(&f.rules.Filter, "filter", "*", "compare only results that match this `query`")
	f.output.flags(flags)
	hideFlags(flags, verdictFlags)
	return command
}

const byFile = ".file"

// ruleFlags are the flags that decide the verdicts of ab and compare.
type ruleFlags struct {
	rules      compare.Options
	alpha      float64
	thresholds []string
}

func (f *ruleFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.thresholds, "threshold", nil, "smallest change that counts, `P%` or UNIT=P% (default 3%); repeatable")
	f.alpha = compare.DefaultAlpha
	flags.Var(share{&f.alpha, 0, below1}, "alpha", "probability of a false alarm in all comparisons together")
	suggestions(flags, &f.rules.Accept, "accept", nil, "`kinds` of gaps to accept: %s", compare.GapKinds())
	flags.BoolVar(&f.rules.Strict, "strict", false, "treat unclear comparisons as gaps")
	flags.StringVar(&f.rules.Ignore, "ignore", "", "ignore differences in these `keys`, such as cpu")
}

// parse returns the rules. Alpha and Threshold are set only if the user gave them; otherwise, files
// that fphash ab saved are judged by the rules in these files.
func (f *ruleFlags) parse(changed func(flag string) bool) (r compare.Options, err error) {
	r = f.rules
	if changed("alpha") {
		r.Alpha = f.alpha
	}
	if changed("threshold") {
		if r.Threshold, err = compare.ParseThresholds(f.thresholds); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (f *compareFlags) run(cmd *cobra.Command, args []string) (err error) {
	rules, err := f.parse(cmd.Flags().Changed)
	if err != nil {
		return err
	}
	inputs, err := readInputs(cmd.Context(), args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	report, err := compareInputs(inputs, rules)
	if err != nil {
		return err
	}
	return f.output.finish(report, cmd.OutOrStdout())
}

// compareInputs judges two files that fphash ab saved by the rounds of that run, and others as
// recordings.
func compareInputs(inputs []compare.Input, o compare.Options) (*compare.Report, error) {
	if len(inputs) == 2 && o.Table == ".config" && o.Row == ".fullname" && o.Col == byFile && o.Filter == "*" {
		if report, err := ab.Recorded(inputs[0], inputs[1], o); report != nil || err != nil {
			return report, err
		}
	}
	return compare.Compare(inputs, o)
}

// readInputs reads the files. The same file given twice makes two columns.
func readInputs(ctx context.Context, args []string, stdin io.Reader) (inputs []compare.Input, err error) {
	seen := map[string]int{}
	for _, arg := range args {
		label, path, ok := strings.Cut(arg, "=")
		if !ok {
			label, path = arg, arg
		}
		if seen[arg]++; seen[arg] > 1 && label == path {
			label = fmt.Sprintf("%s#%d", path, seen[arg])
		}
		text, err := readInput(ctx, path, stdin)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, compare.Input{Label: label, Name: path, Text: text})
	}
	return inputs, nil
}

// readInput reads a file, compressed or not; "-" is standard input.
func readInput(ctx context.Context, path string, stdin io.Reader) ([]byte, error) {
	name, file, err := openStream(ctx, []string{path}, stdin)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	// The reader of benchmarks has an error for UTF-16.
	if head := text[:min(len(text), 512)]; bytes.IndexByte(head, 0) >= 0 && syntax.LikeFile(head) != syntax.UTF16 {
		return nil, fmt.Errorf("%s is not a benchmark file: it is not text; expected lines like: BenchmarkName 1000 12.5 ns/op", name)
	}
	return text, nil
}

// output is the format and the destination of a comparison.
type output struct {
	format string
	out    string // "": to standard output
}

func (o *output) flags(flags *pflag.FlagSet) {
	choice(flags, &o.format, "format", "text", "output format: %s", append(compare.Formats(), htmlFormat))
	flags.StringVarP(&o.out, "out", "o", "", "output `file` (default stdout)")
}

// finish writes the report to the named file, or to standard output if there is no name. It returns
// the error that determines the exit code, with the verdict. In text format on standard output, the
// last line is already the verdict, so finish marks the error as reported.
func (o *output) finish(r *compare.Report, stdout io.Writer) error {
	var verdict error
	switch {
	case r.Regressions() > 0:
		verdict = answerNo{r.Verdict()}
	case r.OpenGaps() > 0:
		verdict = errors.New(r.Verdict())
	}
	err := writeTo(o.out, stdout, func(w io.Writer) error {
		if o.format == htmlFormat {
			return report.WriteComparison(w, r)
		}
		return compare.Write(w, r, o.format)
	})
	switch {
	case err != nil:
		return errors.Join(verdict, err)
	case verdict == nil || o.out != "" || o.format != "text":
		return verdict
	}
	return reported{verdict}
}

// htmlFormat is the format of an HTML page.
const htmlFormat = "html"
