package main

import (
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

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/bench/gobench/ab"
	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/gobench/conditions"
	"simhashkit/internal/gobench/gotest"
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
	ctx, stop := signal.NotifyContext(cmd.Context(), endSignals()...)
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
	s, err := f.sides(ctx, packages, func(step string) { p.report(status{step: step}) })
	if err != nil {
		return abInterrupted(ctx, err)
	}
	defer func() {
		if closeErr := s.close(); closeErr != nil {
			err = errors.Join(err, closeErr)
		}
	}()
	if len(s.tasks) > 0 {
		fmt.Fprintf(stderr, "fphash: %s\n", f.options.Estimate(s.tasks))
	}
	result, err := f.measure(ctx, s, p)
	p.clear()
	if result == nil {
		return abInterrupted(ctx, err)
	}
	saveErr := f.saveSamples(commandLine(ctx), s, result)
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
	if err := f.options.Check(); err != nil {
		return err
	}
	if err := expectOneOf("format", f.output.format, comparisonFormats()); err != nil {
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
	if err := refuse(flags.Changed, "cannot be combined with --old and --new: it applies only to packages", "tags", "cpu", "same"); err != nil {
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

// abSides are the two programs that ab runs alternately.
type abSides struct {
	tasks    []ab.Task
	old, new string // labels
	notes    []string
	same     []string // packages that are not measured, since their test binaries are identical
	close    func() error
}

// sides builds both sides and calibrates their benchmarks.
func (f *abFlags) sides(ctx context.Context, packages []string, progress func(step string)) (*abSides, error) {
	if f.old != "" || f.new != "" {
		return f.commands(ctx, progress)
	}
	return f.revisions(ctx, packages, progress)
}

func (f *abFlags) commands(ctx context.Context, progress func(step string)) (*abSides, error) {
	progress("a first run of each command")
	tasks, err := ab.Commands(ctx, f.old, f.new, f.bench, f.options.Budget)
	return &abSides{tasks: tasks, old: "old", new: "new", close: func() error { return nil }}, err
}

func (f *abFlags) revisions(ctx context.Context, packages []string, progress func(step string)) (*abSides, error) {
	o := gotest.Options{Packages: packages, Old: f.base, New: f.head, Bench: f.bench, Tags: f.tags, CPU: f.cpu, Budget: f.options.Budget, Same: f.same, Progress: progress}
	s := &abSides{old: f.base, new: f.head}
	if s.new == "" {
		s.new = "working tree"
	}
	if s.old == s.new { // comparing a revision with itself shows the noise of the machine
		s.new += " again"
	}
	b, err := gotest.Prepare(ctx, o)
	if err != nil {
		return nil, err
	}
	s.notes = b.Notes
	for _, path := range b.Same {
		s.notes = append(s.notes, path+" was not measured: the test binaries of both sides are identical, so only files that they read could make a difference; --same measures it")
	}
	s.tasks, s.same, s.close = b.Tasks, b.Same, b.Close
	return s, nil
}

// measure runs both sides and returns the result, with notes on the state of the machine.
func (f *abFlags) measure(ctx context.Context, s *abSides, p *progress) (*ab.Result, error) {
	if len(s.tasks) == 0 {
		return &ab.Result{Report: &compare.Report{Alpha: cmp.Or(f.options.Alpha, compare.DefaultAlpha), Same: s.same, Notes: s.notes}}, nil
	}
	watch, release := f.bind()
	defer release()
	o := f.options
	o.Old, o.New = s.old, s.new
	o.Progress = func(b ab.Progress) { p.report(abStatus(b)) }
	result, err := ab.Run(ctx, s.tasks, o)
	if result != nil {
		result.Report.Same = s.same
		result.Report.Notes = slices.Concat(result.Report.Notes, watch.Notes(), s.notes)
	}
	return result, err
}

// bind binds this goroutine and its child processes to the least busy processors, if the system
// allows it, and starts to watch them.
func (f *abFlags) bind() (watch *conditions.Monitor, release func()) {
	allowed, err := conditions.Allowed()
	b := conditions.Binding{Processors: allowed, Allowed: len(allowed), Wanted: f.cpu}
	release = func() {}
	if f.pin == pinAuto && err == nil {
		chosen := conditions.LeastBusy(f.cpu, allowed)
		if undo, err := conditions.Bind(chosen); err == nil {
			b.Processors, b.Bound, release = chosen, true, undo
		}
	}
	return conditions.Watch(b), release
}

func abStatus(p ab.Progress) status {
	s := status{step: "measuring", count: p.Round, unit: "rounds", left: max(0, p.Budget-p.Elapsed), detail: p.Task}
	if p.Comparisons > 0 {
		s.detail = fmt.Sprintf("decided %d/%d  %s", p.Decided, p.Comparisons, p.Task)
	}
	return s
}

// saveSamples writes the output of both sides and the command that produced it.
func (f *abFlags) saveSamples(command string, s *abSides, r *ab.Result) error {
	if f.save == "" {
		return nil
	}
	for i, side := range []struct{ name, label string }{{"old.txt", s.old}, {"new.txt", s.new}} {
		write := func(w io.Writer) error {
			if _, err := fmt.Fprintf(w, "# command: %s\n# side: %s\n", command, side.label); err != nil {
				return err
			}
			return r.Save(w, i == 1, f.thresholds)
		}
		if err := wholefile.Write(filepath.Join(f.save, side.name), write); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	return nil
}
