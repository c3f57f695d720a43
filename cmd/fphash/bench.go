package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"simhashkit/asm/cpu"
	"simhashkit/bench"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
	"simhashkit/internal/wholefile"
)

// benchFlags are the flags of fphash bench.
type benchFlags struct {
	vectorReading
	options   bench.Options
	encodings []string
	patterns  []string
	match     string
	data      string
	samples   int
	time      time.Duration
	out       string
	runs      int
	runNumber int // of a further run, which the first has started; see furtherRuns
	list      bool
	tables    bool
}

func newBench() *cobra.Command {
	var f benchFlags
	command := &cobra.Command{
		Use:   "bench [DATA]",
		Short: "Measure hash functions × kernels, on fixed sizes and on real vectors",
		Long: `bench checks every kernel against a plain oracle. Then it measures, interleaved on one
core, hashing, accumulating, whole sketches and Hamming scans, and computes how good the
hashes are: effective bits, that is how many ideal bits would estimate angles as well.

It prints which hash to use, or tables if only times were asked for, and writes all
samples to a file in Go benchmark format. fphash compare and benchstat compare two such
files; fphash report draws one. Without flags, bench takes about two minutes. With DATA
it also measures on those vectors; the default is the Go installation's source files.
METHODOLOGY.md defines the figures.

To compare times, use --runs 3 or more: where the memory of a process happens to lie can
change times by 25% for as long as it runs. An interrupted run writes no file. fphash
help suites describes the suites and the other flags.

Exit codes: 0 measured; 1 all hashes are weak, or a kernel is wrong; 2 could not run.`,
		Example: `  fphash bench
  fphash bench vectors.svm.gz --out before.txt
  fphash bench --hash xxh64,splitmix64 --run 'Sketch|Hash'
  fphash bench --runs 6 --run 'Sketch|Accumulate' --out old.txt`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	suggestions(flags, &f.options.Hashes, "hash", nil, "hash functions (default all)", hashNames())
	suggestions(flags, &f.encodings, "encoding", nil, "encodings of indices: %s", encodingNames)
	suggestions(flags, &f.options.Kernels, "kernel", nil, "%s", append([]string{terms.Naive, terms.Library}, written(cpu.Tiers()...)...))
	flags.IntSliceVar(&f.options.Bits, "bits", nil, "widths of fingerprints, 1 to 4096")
	enumeration(flags, &f.options.Widen, "widen", "how a hash fills more bits than it has: %s", wideningNames)
	flags.IntSliceVar(&f.options.NNZ, "nnz", nil, "features of a vector, in cases of a fixed size")
	suggestions(flags, &f.options.Weights, "weights", nil, "types of weight", bench.AllWeights())
	suggestions(flags, &f.patterns, "pattern", nil, "patterns of indices for quality", bench.PatternNames())
	suggestion(flags, &f.options.Suite, "suite", bench.SuiteDefault, "%s", bench.Suites())
	flags.BoolVar(&f.options.Full, "full", false, "all combinations or sizes")
	flags.StringVar(&f.match, "run", "", "only the cases whose name matches this `regexp`")
	flags.BoolVar(&f.tables, "tables", false, "also print tables of all figures")
	flags.BoolVar(&f.list, "list", false, "only print the names of the cases")
	f.data = bench.DefaultData
	dataFlag(flags, &f.data)
	f.vectorReading.add(flags)
	flags.IntVar(&f.samples, "samples", bench.DefaultSamples, "samples of each case, at least 6 for an interval")
	flags.DurationVar(&f.time, "time", bench.DefaultSampleTime, "time of one sample")
	flags.IntVar(&f.runs, "runs", 1, "measure in so many processes, one after the other")
	flags.IntVar(&f.runNumber, runFlag, 0, "")
	_ = flags.MarkHidden(runFlag) // the flag exists
	flags.StringVarP(&f.out, "out", "o", "./fphash-bench.txt", "result `file`")
	hideFlags(flags, benchFlagsRare)
	return command
}

// run executes the command. The command line as typed goes into the result file.
func (f *benchFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := dataArgument(cmd.Flags(), args); err != nil {
		return err
	}
	samples, sampleTime := bench.Sampling(f.options.Suite)
	if !cmd.Flags().Changed("samples") {
		f.samples = samples
	}
	if !cmd.Flags().Changed("time") {
		f.time = sampleTime
	}
	if f.samples < 1 || f.time <= 0 {
		return fmt.Errorf("--samples %d --time %v: expected positive ones", f.samples, f.time)
	}
	if err := f.parse(); err != nil {
		return err
	}
	f.options.Data = bench.DataName(f.data)
	plan, err := bench.NewPlan(f.options)
	if err != nil {
		return err
	}
	if f.list {
		return writeNames(stdout, plan)
	}
	if err := f.checkRuns(plan); err != nil {
		return err
	}
	if f.runNumber > 0 {
		return f.runOne(ctx, plan, stdout, stderr)
	}
	if err := wholefile.Try(f.out); err != nil {
		return err
	}
	data, err := f.load(ctx, stderr, plan)
	if err != nil {
		return err
	}
	outcome, runs, err := f.runAll(ctx, cmd, plan, data, stderr)
	if errors.Is(err, errInterrupted) {
		return fmt.Errorf("%w: nothing written, %s is as it was", errInterrupted, f.out)
	}
	if err != nil {
		return err
	}
	file, err := runsFile(runs, outcome)
	if err != nil {
		return err
	}
	unwritten := wholefile.WriteBytes(f.out, file)
	recommendation, err := f.write(stdout, outcome.Rows)
	if err != nil {
		return errors.Join(err, unwritten)
	}
	if unwritten != nil { // what was measured is on the screen at least
		return unwritten
	}
	fmt.Fprintf(stderr, "%s in %s; %s\n", f.measured(plan), f.out, f.howToCompare(plan))
	if err := verdict(outcome.Rows); err != nil {
		return err
	}
	return refuseWeak(recommendation)
}

// measure runs the plan in this process.
func (f *benchFlags) measure(ctx context.Context, plan *bench.Plan, data *bench.Data, stderr io.Writer) (*bench.Outcome, error) {
	p := newProgress(stderr)
	defer p.clear()
	run := ""
	if f.runs > 1 {
		run = fmt.Sprintf("run %d/%d  ", max(1, f.runNumber), f.runs)
	}
	return plan.Run(ctx, bench.NewInputs(data), bench.RunOptions{Samples: f.samples, SampleTime: f.time, Progress: func(b bench.Progress) {
		p.report(status{step: fmt.Sprintf("%s%s  case %d/%d", run, b.Step, b.Case, b.Cases), left: b.Remaining, detail: b.Name})
	}})
}

// parse converts the text flags into options.
func (f *benchFlags) parse() error {
	for _, name := range f.encodings {
		var encoding fphash.Encoding
		if err := encoding.UnmarshalText([]byte(name)); err != nil {
			return err
		}
		f.options.Encodings = append(f.options.Encodings, encoding)
	}
	for _, name := range f.patterns {
		f.options.Patterns = append(f.options.Patterns, quality.Pattern(name))
	}
	if f.match == "" {
		return nil
	}
	match, err := regexp.Compile(f.match)
	if err != nil {
		return fmt.Errorf("--run: %w", err)
	}
	f.options.Match = match
	return nil
}
