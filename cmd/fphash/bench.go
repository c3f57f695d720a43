package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simhashkit/asm/cpu"
	"simhashkit/bench"
	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/report"
	"simhashkit/internal/bench/table"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/decompress"
	"simhashkit/internal/english"
	"simhashkit/internal/process"
	"simhashkit/internal/wholefile"
)

// benchFlags are the flags of fphash bench.
type benchFlags struct {
	vectorReading
	options   bench.Options
	encodings []string
	match     string
	data      string
	samples   int
	time      time.Duration
	out       string
	runs      int
	runNumber int // in a process that runAll has started
	list      bool
	tables    bool
}

func newBench() *cobra.Command {
	var f benchFlags
	command := &cobra.Command{
		Use:   "bench [DATA]",
		Short: "Measure hash functions and kernels, on fixed sizes and on real vectors",
		Args:  cobra.MaximumNArgs(1),
		RunE:  f.run,
	}
	flags := command.Flags()
	suggestions(flags, &f.options.Hashes, "hash", nil, "hash functions (default all)", hashNames())
	suggestions(flags, &f.encodings, "encoding", nil, "encodings of indices: %s", encodingNames)
	suggestions(flags, &f.options.Kernels, "kernel", nil, "kernels: %s", append([]string{terms.Naive, terms.Library}, namesOf(cpu.Tiers(""))...))
	flags.IntSliceVar(&f.options.Bits, "bits", nil, "widths of fingerprints, 1 to 4096")
	flags.IntSliceVar(&f.options.NNZ, "nnz", nil, "number of features per vector, in cases of a fixed size")
	suggestions(flags, &f.options.Weights, "weights", nil, "types of weights", bench.AllWeights())
	suggestions(flags, &f.options.Patterns, "pattern", nil, "patterns of indices for quality", terms.Patterns())
	suggestion(flags, &f.options.Suite, "suite", bench.Suites()[0], "what to measure, see fphash help suites", bench.Suites())
	flags.BoolVar(&f.options.Full, "full", false, "measure more sizes and combinations; in the default suite, all suites")
	flags.StringVar(&f.match, "run", "", "run only cases whose names match this `regexp`")
	flags.BoolVar(&f.tables, "tables", false, "also print tables of all measurements")
	flags.BoolVar(&f.list, "list", false, "only print the names of the cases")
	f.vectorReading.add(flags)
	flags.Var(number{&f.samples, 1, math.MaxInt}, "samples", "samples of each case; intervals need 6 (default 8 to 41, by suite)")
	flags.DurationVar(&f.time, "time", 0, "time of one sample")
	f.runs = 1
	flags.Var(number{&f.runs, 1, math.MaxInt}, "runs", "number of processes to run, one after the other")
	flags.StringVarP(&f.out, "out", "o", defaultResults, "result `file`")
	hideFlags(flags, benchFlagsRare)
	return command
}

// run executes the command.
func (f *benchFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	f.data = datasets.GoSourceName
	if len(args) > 0 {
		f.data = args[0]
	}
	if cmd.Flags().Changed("time") && f.time <= 0 {
		return fmt.Errorf("--time %v: expected a positive duration", f.time)
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
		_, err := fmt.Fprintf(stdout, "Benchmark%s\n", strings.Join(plan.Names(), "\nBenchmark"))
		return err
	}
	if f.runs > 1 && !plan.Timed() {
		return errors.New("--runs: the selected cases are not timed, and computed results are the same in every run")
	}
	if f.runNumber, _ = strconv.Atoi(os.Getenv(runVariable)); f.runNumber > 0 {
		return f.runOne(ctx, plan, stdout, stderr)
	}
	if err := wholefile.Try(f.out); err != nil {
		return err
	}
	data, err := f.load(ctx, stderr, plan)
	if err != nil {
		return err
	}
	text, err := f.runAll(ctx, plan, data, stderr)
	if errors.Is(err, errInterrupted) {
		return fmt.Errorf("%w; nothing was written", errInterrupted)
	}
	if err != nil {
		return err
	}
	results, err := resultfile.Read(bytes.NewReader(text), "all runs")
	if err != nil {
		return err
	}
	writeErr := wholefile.WriteBytes(f.out, text)
	recommendation, err := table.Write(stdout, results.Rows, f.tables)
	if err := errors.Join(err, writeErr); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%d rows in %s; to compare with another file: fphash compare OLD %s%s\n", len(results.Rows), f.out, f.out, f.toCompareTimes(plan))
	if err := verdict(results.Rows); err != nil {
		return err
	}
	return refuseWeak(recommendation)
}

// parse converts the text flags into options.
func (f *benchFlags) parse() (err error) {
	f.options.Encodings = make([]fphash.Encoding, len(f.encodings))
	for i, name := range f.encodings {
		if err := f.options.Encodings[i].UnmarshalText([]byte(name)); err != nil {
			return err
		}
	}
	if f.match != "" {
		if f.options.Match, err = regexp.Compile(f.match); err != nil {
			return fmt.Errorf("--run: %w", err)
		}
	}
	return nil
}

// load loads the data set if a case needs one. Without a Go source tree, the default data set is
// replaced by generated vectors.
func (f *benchFlags) load(ctx context.Context, stderr io.Writer, plan *bench.Plan) (*bench.Data, error) {
	if !plan.NeedData() {
		return nil, nil
	}
	data, err := bench.LoadData(ctx, f.data, datasets.ReadOptions{Base: f.base, MaxLine: f.maxLine()})
	if f.data != datasets.GoSourceName || !errors.Is(err, datasets.ErrNoGoTree) {
		return data, err
	}
	fmt.Fprintf(stderr, "fphash: %s is not available (no Go source tree found): using generated vectors\n", f.data)
	set, _, err := datasets.Generate[float64](ctx, datasets.GenerateOptions{Seed: 1, Vectors: 1000, NNZ: 200, Weights: "counts"})
	if err != nil {
		return nil, err
	}
	return bench.NewData("generated", "1,000 Zipf-distributed vectors, seed 1", set)
}

// runAll runs the plan in this process, and then in a new process for each further run, since each
// process has its own layout of code and data in memory. It returns the result file.
func (f *benchFlags) runAll(ctx context.Context, plan *bench.Plan, data *bench.Data, stderr io.Writer) ([]byte, error) {
	rows, err := f.measure(ctx, plan, data, stderr)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := resultfile.Write(&text, bench.File(bench.Head(time.Now(), commandLine(ctx), data), rows)); err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	debug.FreeOSMemory() // the other processes may need the memory
	for run := 2; run <= f.runs; run++ {
		command := exec.Command(program, arguments(ctx)...)
		command.Env = append(os.Environ(), fmt.Sprintf("%s=%d", runVariable, run))
		command.Stdout, command.Stderr = &text, stderr
		if err := process.Wait(ctx, command); context.Cause(ctx) != nil {
			return nil, context.Cause(ctx)
		} else if err != nil {
			return nil, fmt.Errorf("run %d of %d: %w; nothing was written", run, f.runs, err)
		}
	}
	return text.Bytes(), nil
}

// measure runs the plan in this process.
func (f *benchFlags) measure(ctx context.Context, plan *bench.Plan, data *bench.Data, stderr io.Writer) ([]resultfile.Row, error) {
	p := newProgress(stderr)
	defer p.clear()
	run := ""
	if f.runs > 1 {
		run = fmt.Sprintf("run %d/%d  ", max(1, f.runNumber), f.runs)
	}
	return plan.Run(ctx, data, bench.RunOptions{Samples: f.samples, SampleTime: f.time, OnlyTimes: f.runNumber > 0, Progress: func(b bench.Progress) {
		p.report(status{step: fmt.Sprintf("%s%s  case %d/%d", run, b.Step, b.Case, b.Cases), left: b.Remaining, detail: b.Name})
	}})
}

// runVariable is the environment variable with the number of a further run, which bench starts with
// its own arguments. Such a run only measures times, and writes its results to standard output.
const runVariable = "FPHASH_BENCH_RUN"

// runOne executes a further run.
func (f *benchFlags) runOne(ctx context.Context, plan *bench.Plan, stdout, stderr io.Writer) error {
	data, err := f.load(ctx, io.Discard, plan) // the first run has printed the description
	if err != nil {
		return err
	}
	rows, err := f.measure(ctx, plan, data, stderr)
	if err != nil {
		return fmt.Errorf("run %d of %d: %w", f.runNumber, f.runs, err)
	}
	head := []resultfile.Field{{Name: "date", Value: time.Now().UTC().Format(time.RFC3339)}, {Name: "run", Value: fmt.Sprintf("%d of %d", f.runNumber, f.runs)}}
	return resultfile.Write(stdout, bench.File(head, rows))
}

// verdict returns an answerNo if a case failed.
func verdict(rows []resultfile.Row) error {
	wrong := map[string]bool{} // a case has a row for each of its units
	for _, r := range rows {
		if r.Err != "" {
			wrong[r.Name] = true
		}
	}
	if len(wrong) > 0 {
		return answerNo{english.Count(len(wrong), "case") + " gave a wrong answer or could not run"}
	}
	return nil
}

// toCompareTimes returns the remark on how to compare times, if too few runs have measured them.
func (f *benchFlags) toCompareTimes(plan *bench.Plan) string {
	if plan.Timed() && f.runs < compare.MinRuns {
		return fmt.Sprintf(" (to compare times, both need --runs %d or more)", compare.MinRuns)
	}
	return ""
}

func newReport() *cobra.Command {
	var out string
	command := &cobra.Command{
		Use:   "report [FILE...]",
		Short: "Turn result files into one HTML page",
		RunE:  func(cmd *cobra.Command, files []string) error { return writeReport(cmd, files, out) },
	}
	command.Flags().StringVarP(&out, "out", "o", "./fphash-report.html", "output `file`")
	return command
}

// defaultResults is the default output of fphash bench.
const defaultResults = "./fphash-bench.txt"

func writeReport(cmd *cobra.Command, files []string, out string) error {
	if len(files) == 0 {
		if _, err := os.Stat(defaultResults); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no %s: run fphash bench first, or name result files", defaultResults)
		}
		files = []string{defaultResults}
	}
	var sources []advice.Source
	rows := 0
	for _, name := range files {
		file, err := readResults(cmd.Context(), name)
		if err != nil {
			return err
		}
		if len(file.Rows) == 0 {
			return fmt.Errorf("%s: no benchmark rows; expected a result file as fphash bench writes it", name)
		}
		sources = append(sources, advice.Source{Name: name, File: file})
		rows += len(file.Rows)
	}
	if err := wholefile.Write(out, func(w io.Writer) error { return report.Write(w, sources) }); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s, from %d rows\n", out, rows)
	return refuseWeak(advice.Recommend(advice.NewSet(sources)))
}

// readResults reads a result file, compressed or not.
func readResults(ctx context.Context, name string) (resultfile.File, error) {
	file, err := decompress.Open(ctx, name)
	if err != nil {
		return resultfile.File{}, err
	}
	defer file.Close()
	return resultfile.Read(file, name)
}
