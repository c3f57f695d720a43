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
	"simhashkit/datasets"
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
		Long: `bench checks every kernel against a plain oracle, then measures: hashing,
accumulating, whole sketches and Hamming scans, on one core, interleaved. Then
it computes how good the hashes are, on all cores: cells, each a hash under an
encoding on vectors with a pattern of indices and a kind of weights, in effective
bits (how many ideal bits would give as good an estimate of the angle). It prints
which hash to use, or tables where only times were asked for, and writes all samples
in Go benchmark format, so that

    fphash compare OLD NEW

compares any two runs, and benchstat reads them too; what is computed is marked
there as exact. Without flags it takes about two minutes. With DATA there are
cells on those vectors too. fphash report draws the file. METHODOLOGY.md says what
the figures mean.

The suite quality has every hash under every encoding on every pattern; with --full
also every kind of weights. The suite kernels measures at the sizes where kernels go
right or wrong; with --full it also scans 10^8 fingerprints, which takes 1.6 GB of
memory. The suite lengths has vectors of 1 to 8192 features, on both sides of each
length at which their work is divided. The suite hashes has every hash by its
library and at every kernel, in batches of 1 to 1024 keys, and the sketches they
lead to; with --full also big-endian and decimal indices. The suite choose is the
little that fphash choose decides by.

With --runs N everything is timed in N processes, one after the other, and all
runs go into one file: where code and data of a process lie in memory may make a
kernel 3% or 25% slower for as long as it runs, which no number of samples shows.
What is computed rather than timed is in the first run only.

Sketches wider than their hash are left out unless --widen names a way to make
more bits, which then stands in their names.

The real vectors are those of the .go files of this machine's Go installation,
or what --data names. An interrupted run writes no file and leaves an older one as it
is. Exit codes: 0 measured; 1 all hashes are weak, or a case gives a wrong answer and
has no figures; 2 could not run.`,
		Example: `  fphash bench
  fphash bench --runs 6 --run 'Sketch|Accumulate' --out old.txt
  fphash bench --hash xxh64,splitmix64 --run 'Sketch|Hash'
  fphash bench vectors.svm.gz --out before.txt
  fphash bench --run Quality --hash fnv1a64,xxh64 --pattern dense1e3,consecutive
  fphash bench --full --samples 10 --run 'Accumulate/weights=f32'
  fphash bench --hash md5,xxh64 --bits 256 --widen counter --run Sketch
  fphash bench --suite kernels`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	suggestions(flags, &f.options.Hashes, "hash", nil, "hash functions (see fphash kernels)", hashNames())
	suggestions(flags, &f.encodings, "encoding", nil, "encodings of indices: %s", encodingNames)
	suggestions(flags, &f.options.Kernels, "kernel", nil, "kernels: %s", append([]string{terms.Naive, terms.Library}, written(cpu.Tiers()...)...))
	flags.IntSliceVar(&f.options.Bits, "bits", nil, "widths of fingerprints, 1 to 4096")
	enumeration(flags, &f.options.Widen, "widen", "how sketches become wider than their hash: %s", wideningNames)
	flags.IntSliceVar(&f.options.NNZ, "nnz", nil, "features of a vector, in cases of a fixed size")
	suggestions(flags, &f.options.Weights, "weights", nil, "types of weight: "+joined(datasets.WeightTypes())+"; in cells: "+joined(bench.QualityWeights()), bench.AllWeights())
	suggestions(flags, &f.patterns, "pattern", nil, "patterns of indices, in cells: %s", bench.PatternNames())
	suggestion(flags, &f.options.Suite, "suite", bench.SuiteDefault, "which cases: %s", bench.Suites())
	flags.BoolVar(&f.options.Full, "full", false, "all combinations, or sizes, instead of the choice that answers most questions")
	flags.StringVar(&f.match, "run", "", "only the cases whose name matches this regular expression")
	flags.BoolVar(&f.tables, "tables", false, "print tables of all figures too, below which hash to use")
	flags.BoolVar(&f.list, "list", false, "print the names of the cases and do no more")
	f.data = bench.DefaultData
	dataFlag(flags, &f.data)
	f.vectorReading.add(flags)
	flags.IntVar(&f.samples, "samples", bench.DefaultSamples, "samples of each case, 6 or more for an interval; of kernels and hashes 41")
	flags.DurationVar(&f.time, "time", bench.DefaultSampleTime, "time of one sample; of those suites 1ms")
	flags.IntVar(&f.runs, "runs", 1, "number of processes to measure in, one after the other: 3 or more to compare times")
	flags.IntVar(&f.runNumber, runFlag, 0, "")
	_ = flags.MarkHidden(runFlag) // the flag exists
	flags.StringVarP(&f.out, "out", "o", "./fphash-bench.txt", "file for the samples")
	return command
}

// run is the command. How the user called it goes into the file.
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

// parse turns the flags that are text into options.
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
