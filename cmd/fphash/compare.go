package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/store"
)

// compareFlags are the flags of fphash compare.
type compareFlags struct {
	ruleFlags
	options compare.Options
	output  output
	store   string
}

func newCompare() *cobra.Command {
	var f compareFlags
	command := &cobra.Command{
		Use:   "compare [OLD] NEW",
		Short: "Say whether benchmarks got worse, with an exit code to build on",
		Long: `compare reads results in Go benchmark format, those of fphash bench or of any
go test -bench, plain or compressed, and says of every benchmark whether NEW is
worse than OLD. Without OLD it takes the nearest comparable baseline from the
store (see fphash results). LABEL=FILE names a column, - is standard input; the
first of several files is compared with each of the others.

Units that a file declares exact (Unit recall assume=exact better=higher) are
strict: any change for the worse is a regression. Those that it declares as not
to be judged (Unit heap-bytes judge=no) are only shown. All others have noise. A
regression is then a change for the worse that is significant, corrected for the
number of comparisons so that all of them together raise a false alarm with a
probability of --alpha at most, and larger than --threshold. What is too noisy
to tell is called unclear, which is not the same as no change.

The samples of one process resemble each other: where its memory happens to lie
can make a kernel 3% or 25% slower for as long as it runs. So append the output
of several runs to each file, 3 at least and better 6; compare finds the seams
and lets each run count once:

    fphash bench --runs 6 --out new.txt
    for i in 1 2 3 4 5 6; do go test -run '^$' -bench . -count 5 >>new.txt; done

With fewer than 3 runs on a side a change below 50% is unclear, and a gap of the
kind runs, since it may come from placement alone. --accept runs judges it none
the less; fphash ab runs both sides in turn until it knows.

Exit codes:

  0  no regression was found; comparisons may be unclear
  1  a regression, also if something else could not be compared
  2  no regression was found, but something could not be compared:
       a benchmark is missing in NEW
       a benchmark has fewer than 6 samples
       a benchmark seems to have changed, in fewer than 3 runs
       a unit has changed, and nothing says whether more of it is better
       samples of an exact unit differ
       the files are of different machines
       a line does not parse
       a benchmark failed
       a file has no results
       a comparison is unclear, with --strict
     or nothing could be compared at all, as a file cannot be read

What could not be compared is listed with file and line, many of a kind in one
line; the last line of the text is the verdict in words. --accept names kinds of
such gaps that do not count, and --ignore cpu compares different machines.

--table, --row, --col, --ignore and --filter are those of benchstat; see
https://pkg.go.dev/golang.org/x/perf/benchproc/syntax.`,
		Example: `  fphash compare old.txt new.txt
  fphash compare main=old.txt branch=new.txt --format markdown --out comment.md
  fphash compare --format html --out comparison.html old.txt new.txt
  fphash compare --threshold 5% --threshold allocs/op=0% old.txt new.txt
  fphash compare --col '/kernel@(generic avx2)' --accept missing,runs fphash-bench.txt
  fphash compare fphash-bench.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	f.ruleFlags.add(flags)
	flags.StringVar(&f.options.Table, "table", ".config", "split results into tables by this projection")
	flags.StringVar(&f.options.Row, "row", ".fullname", "split results into rows by this projection")
	flags.StringVar(&f.options.Col, "col", byFile, "split results into columns by this projection")
	flags.StringVar(&f.options.Filter, "filter", "*", "use only results that match this `query`")
	f.output.flags(flags)
	storeFlag(command, &f.store)
	return command
}

const byFile = ".file"

func (f *compareFlags) run(cmd *cobra.Command, args []string) (err error) {
	if f.options.Rules, err = f.parse(cmd.Flags().Changed); err != nil {
		return err
	}
	if err := expectOneOf("format", f.output.format, comparisonFormats()); err != nil {
		return err
	}
	if len(args) == 1 && f.options.Col == byFile {
		baseline, err := f.baseline(args[0])
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "baseline: %s, %s\n", baseline.Path, cmp.Or(baseline.Head["go"], "by an unknown version of Go"))
		args = []string{baseline.Path, args[0]}
	}
	inputs, closeAll, err := openInputs(cmd.Context(), args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer closeAll()
	report, err := compare.Compare(inputs, f.options)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return writeComparison(w, report, f.output.format) }
	if err := f.output.write(report, write, cmd.OutOrStdout(), cmd.ErrOrStderr()); err != nil {
		return errors.Join(outcome(report), err)
	}
	return f.output.withoutRepeat(outcome(report))
}

// baseline finds what to compare a single file with.
func (f *compareFlags) baseline(arg string) (store.Entry, error) {
	_, path := labelled(arg)
	if path == "-" {
		return store.Entry{}, errors.New("standard input alone has nothing to be compared with; expected OLD and NEW")
	}
	b, err := store.Open(f.store).Nearest(path)
	if errors.Is(err, store.ErrNoBaseline) {
		return b, fmt.Errorf("nothing to compare %s with; expected OLD and NEW, or a baseline that fphash results add has filed (%s)", path, withoutPackages(err.Error()))
	}
	return b, err
}

// labelled takes LABEL=FILE apart; a file without a label has its name.
func labelled(arg string) (label, path string) {
	if label, path, ok := strings.Cut(arg, "="); ok {
		return label, path
	}
	return arg, arg
}

// openInputs opens the files. The same file given twice makes two columns.
func openInputs(ctx context.Context, args []string, stdin io.Reader) (inputs []compare.Input, closeAll func(), err error) {
	var files []io.Closer
	closeAll = func() {
		for _, f := range files {
			f.Close()
		}
	}
	seen := map[string]int{}
	for _, arg := range args {
		label, path := labelled(arg)
		if seen[arg]++; seen[arg] > 1 && label == path {
			label = fmt.Sprintf("%s#%d", path, seen[arg])
		}
		file, err := openInput(ctx, path, stdin)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		files = append(files, file)
		inputs = append(inputs, compare.Input{Label: label, Name: path, Reader: file})
	}
	return inputs, closeAll, nil
}

// openInput opens a file, packed or plain; "-" is standard input.
func openInput(ctx context.Context, path string, stdin io.Reader) (io.ReadCloser, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; expected a file of benchmark results", path)
	}
	_, file, err := openStream(ctx, []string{path}, stdin)
	return file, err
}

// outcome turns a report into an exit code; the words are those of the last line of the text.
func outcome(r *compare.Report) error {
	switch {
	case r.Count()[compare.Regression] > 0:
		return answerNo{r.Verdict()}
	case r.OpenGaps() > 0:
		return errors.New(r.Verdict())
	}
	return nil
}
