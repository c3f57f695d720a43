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
		Short: "Run two programs alternately and say whether one is slower",
		Long: `ab runs the benchmarks of two sides in turn, in an order that a coin draws, each
run in a process of its own, until it is clear whether the new side is slower or
the budget is used. Drift of the machine then hits both sides, and differences
between processes are noise that can be seen. A benchmark that hangs is stopped
when its time is up, and named; the others are compared. The sides are

  two revisions of Go packages. --base main compares the working tree as it is,
  uncommitted edits too, with revision main; --head names another revision. They
  are built in git worktrees in a temporary folder, which are removed afterwards;
  the working tree is not touched. What builds the same on both sides is not measured.

  two commands, --old and --new, for the shell, that print results in Go
  benchmark format. Where {} stands in both, it is replaced by a regular
  expression for a single benchmark, as go test -bench takes it, so that what is
  decided is not run any more. Let them take many short samples, 30 of 1 ms say:
  the better quartile of a run counts, which others then rarely disturb.

Two kernels or hashes are two columns of one file, as they are measured in turn:
fphash bench --kernel generic,avx2 --runs 6, and then
fphash compare --col '/kernel@(generic avx2)' fphash-bench.txt.

With --control one side runs against itself, and nothing is decided early: that
is the noise of this machine, and what could be seen in spite of it.

A regression is a change for the worse that is significant and larger than
--threshold. All comparisons together raise a false alarm with a probability of
--alpha at most, early stopping included: order of runs alone is what chance is
computed from, so neither drift nor processes that differ nor bursts of load
change that. See fphash compare for the verdicts and for units that are exact;
bytes and allocations that do not vary on either side are judged as strictly.

Times are those of the better quartile of a run's samples, which last about 1 ms,
and their mean, which is judged too: it shows what a program does now and then.

Exit codes:

  0  no regression was found; comparisons may be unclear
  1  a regression, also if something else could not be compared
  2  no regression was found, but something could not be compared, as by
     fphash compare; or nothing could be run, or the run was interrupted`,
		Example: `  fphash ab --base main ./...
  fphash ab --base v1.2.0 --head v1.3.0 --bench 'Parse|Write' ./encoding
  fphash ab --old './old.test -test.run=^$ -test.bench={} -test.benchtime=1ms -test.count=30' \
            --new './new.test -test.run=^$ -test.bench={} -test.benchtime=1ms -test.count=30'
  fphash ab --control --bench Parse ./encoding`,
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.base, "base", "", "compare with this git `revision` of the packages")
	flags.StringVar(&f.head, "head", "", "the newer `revision` (default: the working tree as it is)")
	flags.StringVar(&f.bench, "bench", ".", "benchmarks of packages, or for {}, that match this `regexp`, as by go test -bench")
	flags.StringVar(&f.tags, "tags", "", "build tags of packages")
	flags.IntVar(&f.cpu, "cpu", 1, "GOMAXPROCS of the benchmarks of packages")
	flags.BoolVar(&f.same, "same", false, "measure packages too whose test binaries are the same on both sides, byte for byte")
	flags.StringVar(&f.old, "old", "", "the older `command`")
	flags.StringVar(&f.new, "new", "", "the newer `command`")
	flags.BoolVar(&f.options.Control, "control", false, "one side against itself: what is the noise of this machine?")
	flags.DurationVar(&f.options.Budget, "budget", ab.DefaultBudget, "time for a benchmark; what is decided early leaves its time to the others")
	f.ruleFlags.add(flags)
	flags.Uint64Var(&f.options.Seed, "seed", 0, "of the order of runs (default: another one each time)")
	choice(flags, &f.pin, "pin", pinAuto, "processors that the runs are bound to: auto (the least busy ones), or none, as for taskset", []string{pinAuto, "none"})
	f.output.flags(flags)
	flags.StringVar(&f.save, "save", "", "write all samples into this `folder`, as old.txt and new.txt")
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
	s, err := f.sides(ctx, packages, func(step string) { p.show(func() string { return step }) })
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
	// noise is written without a verdict
	if failed := errors.Join(writeErr, saveErr); failed != nil || f.options.Control {
		// what took long to find is not to be lost because a disk is full
		return errors.Join(verdict, failed)
	}
	return f.output.withoutRepeat(verdict)
}

// abInterrupted says what an interrupted run leaves behind.
func abInterrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("%w: part of a run is no verdict, nothing written", errInterrupted)
}

// parse turns the flags that are text into options, and refuses what does not go together.
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
