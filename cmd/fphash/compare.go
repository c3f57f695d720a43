package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/bench/gobench/ab"
	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/bench/report"
)

// compareFlags are the flags of fphash compare.
type compareFlags struct {
	ruleFlags
	options compare.Options
	output  output
}

func newCompare() *cobra.Command {
	var f compareFlags
	command := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare recorded benchmarks, and say whether they got worse",
		Long: `compare says for each benchmark whether NEW is worse than OLD. The files hold results in
Go benchmark format, from fphash bench, fphash ab --save or go test -bench. LABEL=FILE
labels the column of FILE, and - is standard input. The first file is compared with each
of the others.
With --col, the columns can come from one file.

Record several runs in each file, at least 3 and better 6: the memory layout of a process
can change its times by 25%, and recordings at different times can differ by 50%. With
two runs, a change by less than a factor of 2 is unclear; with one, every change is.

    for i in 1 2 3 4 5 6; do go test -run '^$' -bench . -count 5 >>new.txt; done

A regression is a significant change for the worse of more than --threshold. The
probability of a false alarm in any of the comparisons is at most --alpha if the machine
was equally busy during all runs; ab does not need this. fphash help verdicts has the
details. --filter, --row, --col and --table work as in benchstat.

Exit codes: 0 no regression; 1 a regression; 2 no regression, but something could not be
compared (it is listed with file and line), or more than half of the comparisons with
noise are unclear (--accept unclear allows it).`,
		Example: `  fphash compare old.txt new.txt
  fphash compare main=old.txt branch=new.txt --format markdown --out comment.md
  fphash compare --threshold 5% --threshold allocs/op=0% old.txt new.txt
  fphash compare --col '/kernel@(generic avx2)' --accept missing,runs fphash-bench.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	f.ruleFlags.add(flags)
	flags.StringVar(&f.options.Table, "table", ".config", "split tables by this projection")
	flags.StringVar(&f.options.Row, "row", ".fullname", "split rows by this projection")
	flags.StringVar(&f.options.Col, "col", byFile, "split columns by this projection")
	flags.StringVar(&f.options.Filter, "filter", "*", "compare only results that match this `query`")
	f.output.flags(flags)
	hideFlags(flags, verdictFlags)
	return command
}

const byFile = ".file"

// ruleFlags are the flags that decide the verdicts of ab and compare.
type ruleFlags struct {
	rules      compare.Rules
	alpha      fraction
	thresholds []string
	accept     []string
}

func (f *ruleFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.thresholds, "threshold", nil, "smallest change that counts, `P%` or UNIT=P% (default 3%); repeatable")
	f.alpha = compare.DefaultAlpha
	flags.Var(&f.alpha, "alpha", "probability of a false alarm in all comparisons together")
	suggestions(flags, &f.accept, "accept", nil, "`kinds` of gaps to accept: %s", compare.GapKinds())
	flags.BoolVar(&f.rules.Strict, "strict", false, "treat unclear comparisons as gaps")
	flags.StringVar(&f.rules.Ignore, "ignore", "", "ignore differences in these `keys`, such as cpu")
}

// parse returns the rules. Alpha and Threshold are set only if the user gave them; otherwise, files
// that fphash ab saved are judged by the rules in these files.
func (f *ruleFlags) parse(changed func(flag string) bool) (r compare.Rules, err error) {
	r = f.rules
	r.Alpha = float64(f.alpha)
	if changed("threshold") {
		if r.Threshold, err = compare.ParseThresholds(f.thresholds); err != nil {
			return r, err
		}
	}
	for _, kind := range f.accept {
		r.Accept = append(r.Accept, compare.GapKind(kind))
	}
	if !(r.Alpha > 0 && r.Alpha < 1) {
		return r, fmt.Errorf("--alpha %v: expected a number above 0 and below 1", r.Alpha)
	}
	if !changed("alpha") {
		r.Alpha = 0
	}
	return r, nil
}

func (f *compareFlags) run(cmd *cobra.Command, args []string) (err error) {
	if f.options.Rules, err = f.parse(cmd.Flags().Changed); err != nil {
		return err
	}
	if err := expectOneOf("format", f.output.format, comparisonFormats()); err != nil {
		return err
	}
	inputs, err := readInputs(cmd.Context(), args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	report, err := f.compare(inputs)
	if err != nil {
		return err
	}
	return f.output.finish(report, cmd.OutOrStdout())
}

// compare compares the inputs. It judges two files that fphash ab saved by the rounds of that run.
func (f *compareFlags) compare(inputs []compare.Input) (*compare.Report, error) {
	o := f.options
	if len(inputs) == 2 && o.Table == ".config" && o.Row == ".fullname" && o.Col == byFile && o.Filter == "*" {
		if report, err := ab.Recorded(inputs[0], inputs[1], o.Rules); report != nil || err != nil {
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
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; expected a file of benchmark results", path)
	}
	_, file, err := openStream(ctx, []string{path}, stdin)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	buffered := bufio.NewReader(file)
	if head, _ := buffered.Peek(512); isBinary(head) { // ReadAll returns an error of Peek again
		return nil, fmt.Errorf("%s is not a benchmark file: it is not text; expected lines like: BenchmarkName 1000 12.5 ns/op", inputName(path))
	}
	text, err := io.ReadAll(buffered)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// isBinary reports whether the beginning of a file has control characters that text does not have.
// UTF-16 that begins with a byte order mark counts as text, since it has an error message of its
// own.
func isBinary(head []byte) bool {
	utf16 := bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
	return !utf16 && bytes.ContainsFunc(head, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\a\b\t\n\v\f\r\x1b", r) })
}

// outcome returns the error that determines the exit code, or nil for success. Its message is the
// last line of the text format.
func outcome(r *compare.Report) error {
	switch {
	case r.Count()[compare.Regression] > 0:
		return answerNo{r.Verdict()}
	case r.OpenGaps() > 0:
		return errors.New(r.Verdict())
	}
	return nil
}

// output is the format and the destination of a comparison.
type output struct {
	format string
	out    string // "": to standard output
}

func (o *output) flags(flags *pflag.FlagSet) {
	suggestion(flags, &o.format, "format", "text", "output format: %s", comparisonFormats())
	flags.StringVarP(&o.out, "out", "o", "", "output `file` (default stdout)")
}

// finish writes the report to the named file, or to standard output if there is no name. It returns
// the outcome. In text format on standard output, the last line is already the verdict, so finish
// marks the error as reported.
func (o *output) finish(r *compare.Report, stdout io.Writer) error {
	verdict := outcome(r)
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

// comparisonFormats lists the formats of comparisons.
func comparisonFormats() []string { return append(compare.Formats(), htmlFormat) }
