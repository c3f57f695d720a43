package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/bench/report"
	"simhashkit/internal/gobench/ab"
	"simhashkit/internal/syntax"
)

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
