package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/report"
	"simhashkit/internal/decompress"
	"simhashkit/internal/wholefile"
)

// reportFlags are the flags of fphash report.
type reportFlags struct{ out string }

func newReport() *cobra.Command {
	var f reportFlags
	command := &cobra.Command{
		Use:   "report [FILE...]",
		Short: "Turn result files into one HTML page with pictures",
		Long: `report reads result files of fphash bench and writes one HTML file that needs
nothing else: which hash to use and why, and pictures of speed against effective
bits, of time by kernel and of the cost of a search, with the machines and commands
behind them.

FILE is ./fphash-bench.txt by default. Deterministic figures of all files stand
side by side; times are compared only within one file. A section whose rows no
file has says which command measures them.

What has changed between two files is a page by fphash compare --format html.

Exit codes: 0 the page is written; 1 so it is, and all hashes are weak; 2 it could not
be written.
`,
		Example: `  fphash bench && fphash report
  fphash report bench.txt kernels.txt --out report.html`,
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "out", "o", "./fphash-report.html", "`file` for the page")
	return command
}

// defaultResults is what fphash bench writes by default.
const defaultResults = "./fphash-bench.txt"

func (f *reportFlags) run(cmd *cobra.Command, files []string) error {
	sources, err := readSources(cmd.Context(), files)
	if err != nil {
		return err
	}
	if err := wholefile.Write(f.out, func(w io.Writer) error { return report.Write(w, sources) }); err != nil {
		return err
	}
	rows := 0
	for _, s := range sources {
		rows += len(s.File.Rows)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s, from %d rows\n", f.out, rows)
	return refuseWeak(advice.Recommend(advice.NewSet(sources)))
}

// readSources reads the result files, the one that bench writes by default where none is named.
func readSources(ctx context.Context, names []string) ([]report.Source, error) {
	given := len(names) > 0
	if !given {
		names = []string{defaultResults}
	}
	var sources []report.Source
	for _, name := range names {
		file, err := readResults(ctx, name)
		if !given && errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no %s: run fphash bench first, or name result files", name)
		}
		if err != nil {
			return nil, err
		}
		if len(file.Rows) == 0 {
			return nil, fmt.Errorf("%s: no benchmark rows; expected a result file as fphash bench writes it", name)
		}
		sources = append(sources, report.Source{Name: name, File: file})
	}
	return sources, nil
}

// readResults reads a result file, packed or plain.
func readResults(ctx context.Context, name string) (resultfile.File, error) {
	file, err := decompress.Open(ctx, name)
	if err != nil {
		return resultfile.File{}, err
	}
	defer file.Close()
	return resultfile.Read(file, name)
}
