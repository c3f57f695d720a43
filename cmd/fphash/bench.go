package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simhashkit/asm/cpu"
	"simhashkit/bench"
	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/table"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/english"
	"simhashkit/internal/process"
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
	runNumber int // 2 or more in a process that furtherRuns has started
	list      bool
	tables    bool
}

func newBench() *cobra.Command {
	var f benchFlags
	command := &cobra.Command{
		Use:   "bench [DATA]",
		Short: "Measure hash functions and kernels, on fixed sizes and on real vectors",
		Long: `bench checks every kernel against a simple implementation. Then it times hashing,
accumulating, whole sketches and Hamming scans on one core, with interleaved samples. It
also computes how good the hashes are, in effective bits: the number of ideal bits that
would estimate angles equally well. METHODOLOGY.md defines the figures.

bench prints which hash to use, a table of the hashes, and a table of the methods; --tables
adds all measurements. It writes all samples to a file in Go benchmark format. fphash
compare and benchstat compare two such files; fphash report plots one file. Without flags,
bench takes about 90 seconds. DATA is a file of vectors to measure; the default is the Go
installation's source files.

To compare times, use --runs 3 or more: the memory layout of a process can change all its
times by 25%. An interrupted run writes no file. fphash help suites describes the suites
and the other flags.

Exit codes: 0 measured; 1 all hashes are weak, or a kernel is wrong; 2 could not run.`,
		Example: `  fphash bench
  fphash bench vectors.svm.gz --out before.txt
  fphash bench --hash xxh64,splitmix64 --run 'Sketch|Hash'
  fphash bench --runs 6 --run 'Sketch|Accumulate' --out old.txt`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	suggestions(flags, &f.options.Hashes, "hash", nil, "hash functions (default all)", hashNames())
	suggestions(flags, &f.encodings, "encoding", nil, "encodings of indices: %s", encodingNames)
	suggestions(flags, &f.options.Kernels, "kernel", nil, "kernels: %s", append([]string{terms.Naive, terms.Library}, written(cpu.Tiers()...)...))
	flags.IntSliceVar(&f.options.Bits, "bits", nil, "widths of fingerprints, 1 to 4096")
	flags.IntSliceVar(&f.options.NNZ, "nnz", nil, "number of features per vector, in cases of a fixed size")
	suggestions(flags, &f.options.Weights, "weights", nil, "types of weights", bench.AllWeights())
	suggestions(flags, &f.patterns, "pattern", nil, "patterns of indices for quality", bench.PatternNames())
	suggestion(flags, &f.options.Suite, "suite", bench.SuiteDefault, "what to measure, see fphash help suites", bench.Suites())
	flags.BoolVar(&f.options.Full, "full", false, "measure more sizes and combinations; in the default suite, all suites")
	flags.StringVar(&f.match, "run", "", "run only cases whose names match this `regexp`")
	flags.BoolVar(&f.tables, "tables", false, "also print tables of all measurements")
	flags.BoolVar(&f.list, "list", false, "only print the names of the cases")
	f.vectorReading.add(flags)
	flags.IntVar(&f.samples, "samples", bench.DefaultSamples, "samples of each case; an interval needs at least 6")
	flags.DurationVar(&f.time, "time", bench.DefaultSampleTime, "time of one sample")
	flags.IntVar(&f.runs, "runs", 1, "number of processes to run, one after the other")
	flags.IntVar(&f.runNumber, runFlag, 0, "")
	_ = flags.MarkHidden(runFlag) // the flag exists
	flags.StringVarP(&f.out, "out", "o", "./fphash-bench.txt", "result `file`")
	hideFlags(flags, benchFlagsRare)
	return command
}

// run executes the command.
func (f *benchFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	for _, bits := range f.options.Bits {
		if bits < 1 || bits > fphash.MaxBits {
			return fmt.Errorf("--bits %d: expected whole numbers, 1 to %d", bits, fphash.MaxBits)
		}
	}
	f.data = bench.DefaultData
	if len(args) > 0 {
		f.data = args[0]
	}
	samples, sampleTime := bench.Sampling(f.options.Suite)
	if !cmd.Flags().Changed("samples") {
		f.samples = samples
	}
	if !cmd.Flags().Changed("time") {
		f.time = sampleTime
	}
	if f.samples < 1 || f.time <= 0 {
		return fmt.Errorf("--samples %d --time %v: expected positive values", f.samples, f.time)
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
	runs, err := f.runAll(ctx, cmd, plan, data, stderr)
	if errors.Is(err, errInterrupted) {
		return fmt.Errorf("%w: %s", errInterrupted, unwritten(f.out))
	}
	if err != nil {
		return err
	}
	file, rows, err := runsFile(runs)
	if err != nil {
		return err
	}
	writeErr := wholefile.WriteBytes(f.out, file)
	recommendation, err := table.Write(stdout, rows, f.tables)
	if err != nil {
		return errors.Join(err, writeErr)
	}
	if writeErr != nil { // the results have been printed
		return writeErr
	}
	fmt.Fprintf(stderr, "%s in %s; %s\n", f.measured(plan), f.out, f.howToCompare(plan))
	if err := verdict(rows); err != nil {
		return err
	}
	return refuseWeak(recommendation)
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

// checkRuns refuses invalid numbers of runs.
func (f *benchFlags) checkRuns(plan *bench.Plan) error {
	switch {
	case f.runs < 1:
		return fmt.Errorf("--runs %d: expected 1 or more", f.runs)
	case f.runs > 1 && !anythingTimed(plan):
		return errors.New("--runs: the selected cases are not timed, and computed results are the same in every run")
	}
	return nil
}

// load loads the data set if a case needs one. If it falls back to another data set, it renames the
// cases accordingly.
func (f *benchFlags) load(ctx context.Context, stderr io.Writer, plan *bench.Plan) (*bench.Data, error) {
	if !plan.NeedData() {
		return nil, nil
	}
	if f.data != bench.DefaultData {
		return bench.LoadData(ctx, f.data, datasets.ReadOptions{Base: f.base, MaxLine: f.maxLine()})
	}
	data, instead, err := bench.LoadDefaultData(ctx)
	if err != nil || instead == "" {
		return data, err
	}
	fmt.Fprintln(stderr, "fphash:", instead)
	for i, c := range plan.Cases {
		plan.Cases[i].Name = c.Name.With("data", data.Name)
	}
	return data, nil
}

// anythingTimed reports whether any results of the plan vary from run to run.
func anythingTimed(plan *bench.Plan) bool { return len(plan.Cases) > 0 }

func writeNames(w io.Writer, plan *bench.Plan) error {
	var out bytes.Buffer
	for _, name := range plan.Names() {
		fmt.Fprintf(&out, "Benchmark%s\n", name)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// runAll runs the plan in this process, and then in a new process for each further run.
func (f *benchFlags) runAll(ctx context.Context, cmd *cobra.Command, plan *bench.Plan, data *bench.Data, stderr io.Writer) ([]resultfile.File, error) {
	rows, err := f.measure(ctx, plan, data, stderr)
	if err != nil {
		return nil, err
	}
	first := bench.File(bench.Head(time.Now(), commandLine(cmd), data), rows)
	more, err := f.furtherRuns(ctx, cmd, stderr)
	return append([]resultfile.File{first}, more...), err
}

// measure runs the plan in this process.
func (f *benchFlags) measure(ctx context.Context, plan *bench.Plan, data *bench.Data, stderr io.Writer) ([]resultfile.Row, error) {
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

// runFlag is the hidden flag with which bench starts itself for a further run: --run-number=2. Such
// a run only measures times, and writes its results to standard output.
const runFlag = "run-number"

// firstRunOnly lists the flags that concern only the first run, which the user started.
var firstRunOnly = map[string]bool{"runs": true, "out": true, "force": true}

// furtherRuns starts a process for each run after the first and returns their results. Each process
// has its own layout of code and data in memory.
func (f *benchFlags) furtherRuns(ctx context.Context, cmd *cobra.Command, stderr io.Writer) (files []resultfile.File, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	debug.FreeOSMemory() // the other processes may need the memory
	for run := 2; run <= f.runs; run++ {
		command := exec.Command(program, f.arguments(cmd, run)...)
		var out bytes.Buffer
		command.Stdout, command.Stderr = &out, stderr
		err := process.Wait(ctx, command)
		if interrupted := context.Cause(ctx); interrupted != nil {
			return nil, interrupted
		}
		if err != nil {
			return nil, fmt.Errorf("run %d of %d: %w; %s", run, f.runs, err, unwritten(f.out))
		}
		file, err := resultfile.Read(&out, fmt.Sprintf("run %d of %d", run, f.runs))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// arguments returns the arguments of a further run: the flags that the user set, except
// firstRunOnly.
func (f *benchFlags) arguments(cmd *cobra.Command, run int) []string {
	arguments := []string{"bench", fmt.Sprintf("--%s=%d", runFlag, run), fmt.Sprintf("--runs=%d", f.runs)}
	eachSetFlag(cmd, func(name, value string) {
		if !firstRunOnly[name] {
			arguments = append(arguments, "--"+name+"="+value)
		}
	})
	if args := cmd.Flags().Args(); len(args) > 0 {
		arguments = append(append(arguments, "--"), args...)
	}
	return arguments
}

// runOne executes a further run.
func (f *benchFlags) runOne(ctx context.Context, plan *bench.Plan, stdout, stderr io.Writer) error {
	plan.Cells = nil
	data, err := f.load(ctx, io.Discard, plan) // the first run has printed the description
	if err != nil {
		return err
	}
	rows, err := f.measure(ctx, plan, data, stderr)
	if err != nil {
		return fmt.Errorf("run %d of %d: %w", f.runNumber, f.runs, err)
	}
	head := []resultfile.Field{bench.Date(time.Now()), {Name: "run", Value: fmt.Sprintf("%d of %d", f.runNumber, f.runs)}}
	return resultfile.Write(stdout, bench.File(head, rows))
}

// runsFile returns a result file with all runs, and its rows.
func runsFile(runs []resultfile.File) ([]byte, []resultfile.Row, error) {
	var text bytes.Buffer
	for _, run := range runs {
		if err := resultfile.Write(&text, run); err != nil {
			return nil, nil, err
		}
	}
	if len(runs) == 1 {
		return text.Bytes(), runs[0].Rows, nil
	}
	all, err := resultfile.Read(bytes.NewReader(text.Bytes()), "all runs")
	return text.Bytes(), all.Rows, err
}

// verdict returns an answerNo if a case failed.
func verdict(rows []resultfile.Row) error {
	names, wrong := map[string]bool{}, map[string]bool{} // a case has a row for each of its units
	for _, r := range rows {
		names[r.Name] = true
		if r.Err != "" {
			wrong[r.Name] = true
		}
	}
	if len(wrong) > 0 {
		return answerNo{fmt.Sprintf("%d of %d cases gave a wrong answer or could not run", len(wrong), len(names))}
	}
	return nil
}

// measured describes the size of the result file.
func (f *benchFlags) measured(plan *bench.Plan) string {
	var parts []string
	if n := len(plan.Cases); n > 0 {
		samples := fmt.Sprintf("%d samples of %d cases", f.samples, n)
		if f.runs > 1 {
			samples = fmt.Sprintf("%d runs of %s", f.runs, samples)
		}
		parts = append(parts, samples)
	}
	if n := len(plan.Cells); n > 0 {
		parts = append(parts, english.Count(n, "cell"))
	}
	return strings.Join(parts, " and ")
}

// howToCompare returns the hint in the last output line on how to compare the file.
func (f *benchFlags) howToCompare(plan *bench.Plan) string {
	line := fmt.Sprintf("to compare with another file: fphash compare OLD %s", f.out)
	if anythingTimed(plan) && f.runs < compare.MinRuns {
		line += fmt.Sprintf(" (to compare times, both need --runs %d or more)", compare.MinRuns)
	}
	return line
}
