package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/bench"
	"simhashkit/bench/resultfile"
	"simhashkit/bench/table"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// benchFlags are the flags of fphash bench.
type benchFlags struct {
	options   bench.Options
	encodings []string
	match     string
	data      string
	base      uint64
	samples   int
	time      time.Duration
	out       string
	list      bool
	bars      string
	probes    []string
	strict    bool
}

func newBench() *cobra.Command {
	var f benchFlags
	command := &cobra.Command{
		Use:   "bench",
		Short: "Measure hash functions × kernels, on fixed sizes and on real vectors",
		Long: `bench checks every kernel against a plain oracle, then measures: hashing,
accumulating, whole sketches and Hamming scans, on one core, interleaved. It
prints a table and writes all samples in Go benchmark format, so that

    go tool benchstat OLD NEW

compares any two runs. Without flags it takes about a minute. The suite kernels,
at the sizes where kernels go right or wrong, takes about as long; with --full
it also scans 10^8 fingerprints, which takes 1.6 GB of memory.

With --bars the figures are compared with the bars in a file (its head and the
documentation of package bench/bars say how they are written), each shown with
figure, bar and ratio, and the exit code is 1 if a median falls short of one.
Bars may refer to what probes of the machine have measured: --probe reads what
they print; rows that come several times count by their median. A bar whose case,
reference or probe is missing is not measured, which is no failure but with
--strict. With --run only the bars of the cases that match count.

The real vectors are those of the .go files of this machine's Go installation,
or what --data names. A case that gives a wrong answer has no figures, and the
exit code is then 1. An interrupted run writes no file and leaves an older one
as it is.`,
		Example: `  fphash bench
  fphash bench --hash xxh64,splitmix64 --run 'Sketch|Hash'
  fphash bench --data vectors.svm.gz --out before.txt
  fphash bench --full --samples 10 --run 'Accumulate/weights=f32'
  fphash bench --suite kernels --bars results/bars/kernels.txt --probe probe.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), cmd, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&f.options.Hashes, "hash", nil, "hash functions (see fphash kernels)")
	flags.StringSliceVar(&f.encodings, "encoding", nil, "encodings of indices: le64, be64, dec")
	flags.StringSliceVar(&f.options.Kernels, "kernel", nil, "kernels: naive, library, "+kernelNames())
	flags.IntSliceVar(&f.options.Bits, "bits", nil, "widths of fingerprints, 1 to 4096")
	flags.IntSliceVar(&f.options.NNZ, "nnz", nil, "features of a vector, in cases of a fixed size")
	flags.StringSliceVar(&f.options.Weights, "weights", nil, "types of weight: "+strings.Join(bench.Weights(), ", "))
	flags.StringVar(&f.options.Suite, "suite", bench.SuiteDefault, "which cases: "+strings.Join(bench.Suites(), ", "))
	flags.BoolVar(&f.options.Full, "full", false, "all combinations, or sizes, instead of the choice that answers most questions")
	flags.StringVar(&f.match, "run", "", "only the cases whose name matches this regular expression")
	flags.BoolVar(&f.list, "list", false, "print the names of the cases and do no more")
	flags.StringVar(&f.data, "data", bench.DefaultData, "data set: an svmlight file, files:DIR, files:ARCHIVE.tar.gz, or go-source")
	flags.Uint64Var(&f.base, "base", 0, "subtract this from the indices of an svmlight file")
	flags.IntVar(&f.samples, "samples", bench.DefaultSamples, "samples of each case, 6 or more for an interval; suite kernels: 41")
	flags.DurationVar(&f.time, "time", bench.DefaultSampleTime, "time of one sample; suite kernels: 1ms")
	flags.StringVarP(&f.out, "out", "o", "./fphash-bench.txt", "file for the samples")
	flags.StringVar(&f.bars, "bars", "", "`file` of bars to compare the figures with")
	flags.StringSliceVar(&f.probes, "probe", nil, "`files` with what probes printed that the bars refer to")
	flags.BoolVar(&f.strict, "strict", false, "a bar that is not measured counts as missed")
	return command
}

// run is the command. How the user called it goes into the file.
func (f *benchFlags) run(ctx context.Context, cmd *cobra.Command, stdout, stderr io.Writer) error {
	samples, sampleTime := bench.Sampling(f.options.Suite)
	if !cmd.Flags().Changed("samples") {
		f.samples = samples
	}
	if !cmd.Flags().Changed("time") {
		f.time = sampleTime
	}
	if f.samples < 1 || f.time <= 0 {
		return fmt.Errorf("--samples %d --time %v: both must be positive", f.samples, f.time)
	}
	if err := f.parse(); err != nil {
		return err
	}
	f.options.Data = bench.DataName(f.data)
	cases, err := bench.Grid(f.options)
	if err != nil {
		return err
	}
	if f.list {
		return writeNames(stdout, cases)
	}
	judge, err := f.judge()
	if err != nil {
		return err
	}
	data, err := f.load(stderr, &cases)
	if err != nil {
		return err
	}
	p := newProgress(stderr)
	rows, err := bench.Run(ctx, cases, bench.NewInputs(data), bench.RunOptions{Samples: f.samples, SampleTime: f.time, Progress: func(b bench.Progress) {
		p.show(func() string { return benchProgress(b) })
	}})
	p.clear()
	if errors.Is(err, errInterrupted) {
		return fmt.Errorf("%w: nothing written, %s is as it was", errInterrupted, f.out)
	}
	if err != nil {
		return err
	}
	file := resultfile.File{Head: bench.Head(time.Now(), commandLine(cmd), data), Config: bench.Config(), Rows: rows}
	if err := datasets.WriteFile(f.out, func(w io.Writer) error { return resultfile.Write(w, file) }); err != nil {
		return err
	}
	if err := table.Write(stdout, rows); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%d samples of %d cases in %s; compare with another run by: go tool benchstat OLD %s\n", f.samples, len(rows), f.out, f.out)
	judged := judge(stdout, rows)
	if err := verdict(rows); err != nil {
		return err
	}
	return judged
}

// parse turns the flags that are text into options.
func (f *benchFlags) parse() error {
	for _, name := range f.encodings {
		encoding, err := fphash.ParseEncoding(name)
		if err != nil {
			return err
		}
		f.options.Encodings = append(f.options.Encodings, encoding)
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

// load loads the data set if a case wants one. If another takes its place, the cases are named after that.
func (f *benchFlags) load(stderr io.Writer, cases *[]bench.Case) (*bench.Data, error) {
	if !bench.NeedData(*cases) {
		return nil, nil
	}
	if f.data != bench.DefaultData {
		return bench.LoadData(f.data, datasets.LoadOptions{Base: f.base})
	}
	data, instead, err := bench.LoadDefaultData()
	if err != nil || instead == "" {
		return data, err
	}
	fmt.Fprintln(stderr, "fphash:", instead)
	for i, c := range *cases {
		(*cases)[i].Name = c.Name.With("data", data.Name)
	}
	return data, nil
}

func writeNames(w io.Writer, cases []bench.Case) error {
	var out bytes.Buffer
	for _, c := range cases {
		fmt.Fprintf(&out, "Benchmark%s\n", c.Name)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// benchProgress is the line that shows how far a run has come.
func benchProgress(p bench.Progress) string {
	line := fmt.Sprintf("%s  case %d/%d  %s elapsed", p.Step, p.Case, p.Cases, p.Elapsed.Round(time.Second))
	if p.Remaining > 0 {
		line += fmt.Sprintf(", about %s left", p.Remaining.Round(time.Second))
	}
	return line + "  " + p.Name
}

// commandLine puts the command together again from the flags that were set.
func commandLine(cmd *cobra.Command) string {
	parts := []string{cmd.CommandPath()}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		value := flag.Value.String()
		if slice, ok := flag.Value.(interface{ GetSlice() []string }); ok {
			value = strings.Join(slice.GetSlice(), ",")
		}
		parts = append(parts, "--"+flag.Name+"="+quoted(value))
	})
	return strings.Join(parts, " ")
}

// quoted puts quotes around what a shell would take apart.
func quoted(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n'\"\\|&;<>()$`*?[]#~!{}", r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// verdict is an answerNo if a case has no figures.
func verdict(rows []resultfile.Row) error {
	wrong := 0
	for _, r := range rows {
		if r.Err != "" {
			wrong++
		}
	}
	if wrong > 0 {
		return answerNo{fmt.Sprintf("%d of %d cases gave a wrong answer or could not run", wrong, len(rows))}
	}
	return nil
}
