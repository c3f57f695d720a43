package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/bench/gobench/ab"
)

// pinAuto binds runs to the least busy processors.
const pinAuto = "auto"

// abFlags are the flags of fphash ab.
type abFlags struct {
	old, new   string // commands
	base, head string // revisions
	bench      string
	tags       string
	cpu        int
	same       bool // measure what is the same on both sides

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
		Short: "Run two versions in turn, and say whether the new one is slower",
		Long: `ab runs the benchmarks of an old and a new side in random order, each run in its own
process, until it is clear whether the new side is slower or the budget is used up. So
drift of the machine hits both sides. A benchmark that hangs is stopped and named.

The sides are two revisions of Go packages (--base, and --head or the working tree with
its uncommitted edits), built in temporary git worktrees; or two shell commands (--old
and --new) that print results in Go benchmark format. In commands, {} is replaced by a
regular expression for one benchmark; let them take about 30 samples of 1 ms.

A regression is a significant change for the worse of more than --threshold. Significance
comes from a permutation test over the random order of runs, so drift cannot cause false
alarms. fphash help verdicts has the details.

Exit codes: 0 no regression; 1 a regression; 2 no regression, but something could not be
compared or run.`,
		Example: `  fphash ab --base main ./...
  fphash ab --base v1.2.0 --head v1.3.0 --bench 'Parse|Write' ./encoding
  fphash ab --old './old.test -test.run=^$ -test.bench={} -test.benchtime=1ms -test.count=30' \
            --new './new.test -test.run=^$ -test.bench={} -test.benchtime=1ms -test.count=30'`,
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.base, "base", "", "compare with this git `revision` of the packages")
	flags.StringVar(&f.head, "head", "", "the newer `revision` (default: the working tree)")
	flags.StringVar(&f.bench, "bench", ".", "only benchmarks that match this `regexp`")
	flags.StringVar(&f.tags, "tags", "", "build `tags` of the packages")
	flags.IntVar(&f.cpu, "cpu", 1, "GOMAXPROCS of the benchmarks")
	flags.BoolVar(&f.same, "same", false, "also measure packages whose test binaries are identical")
	flags.StringVar(&f.old, "old", "", "the older `command`")
	flags.StringVar(&f.new, "new", "", "the newer `command`")
	flags.BoolVar(&f.options.Control, "control", false, "run one side against itself: the noise of this machine")
	flags.DurationVar(&f.options.Budget, "budget", ab.DefaultBudget, "time for each benchmark, on average")
	f.ruleFlags.add(flags)
	flags.Uint64Var(&f.options.Seed, "seed", 0, "seed of the order of runs (default random)")
	choice(flags, &f.pin, "pin", pinAuto, "bind runs to the least busy processors: auto, none, or a list as for taskset", []string{pinAuto, "none"})
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
	result, err := f.measure(ctx, s, p)
	p.clear()
	if err != nil {
		return abInterrupted(ctx, err)
	}
	saveErr := f.saveSamples(commandLine(cmd), s, result)
	write := func(w io.Writer) error { return writeComparison(w, result.Report, f.output.format) }
	if f.options.Control {
		write = func(w io.Writer) error { return ab.WriteNoise(w, result, f.output.format) }
	}
	writeErr := f.output.write(result.Report, write, cmd.OutOrStdout(), stderr)
	verdict := outcome(result.Report)
	// --control prints no verdict
	if failed := errors.Join(writeErr, saveErr); failed != nil || f.options.Control {
		// a full disk must not lose results that took long to measure
		return errors.Join(verdict, failed)
	}
	return f.output.withoutRepeat(verdict)
}

// abInterrupted returns the error of an interrupted run, which writes nothing.
func abInterrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("%w: part of a run is no verdict, nothing written", errInterrupted)
}

// parse converts the text flags into options, and refuses flags that cannot be combined.
func (f *abFlags) parse(flags *pflag.FlagSet, packages []string) (err error) {
	if f.options.Budget <= 0 {
		return fmt.Errorf("--budget %v: expected a positive one", f.options.Budget)
	}
	if f.options.Rules, err = f.ruleFlags.parse(flags.Changed); err != nil {
		return err
	}
	if !flags.Changed("seed") {
		f.options.Seed = rand.Uint64() >> 32 // ten digits are enough to type
	}
	if f.cpu < 1 {
		return fmt.Errorf("--cpu %d: expected a positive one", f.cpu)
	}
	if err := f.options.Check(); err != nil {
		return err
	}
	what, formats := "format", comparisonFormats()
	if f.options.Control {
		what, formats = "format of --control", ab.NoiseFormats()
	}
	if err := expectOneOf(what, f.output.format, formats); err != nil {
		return err
	}
	return f.checkSides(flags, packages)
}
