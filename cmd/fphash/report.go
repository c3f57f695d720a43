package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"simhashkit/bench/report"
	"simhashkit/bench/resultfile"
	"simhashkit/datasets"
)

func newReport() *cobra.Command {
	var out string
	command := &cobra.Command{
		Use:   "report [FILE...]",
		Short: "Turn result files into one HTML page with pictures",
		Long: `report reads result files of fphash bench and writes one HTML file that needs
nothing else: which hash to use and why, speed against effective bits, time by
kernel, distance against angle, recall and precision, avalanche maps and the
cost of stored hyperplanes, each as a picture with its numbers in a table that
names the row of each figure, and the machines and commands behind them.

FILE is ./fphash-bench.txt unless told. Deterministic figures of all files stand
side by side; times are compared only within one file. A section whose rows no
file has says which command measures them.`,
		Example: `  fphash bench && fphash report
  fphash report bench.txt kernels.txt --out report.html`,
		RunE: func(cmd *cobra.Command, given []string) error {
			names := given
			if len(given) == 0 {
				names = []string{defaultResults}
			}
			var sources []report.Source
			for _, name := range names {
				err := reading(name, func(r io.Reader) error {
					file, err := resultfile.Read(r, name)
					sources = append(sources, report.Source{Name: name, File: file})
					return err
				})
				if len(given) == 0 && errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("there is no %s: run fphash bench first, or name result files", name)
				}
				if err != nil {
					return err
				}
				if last := sources[len(sources)-1]; len(last.File.Rows) == 0 {
					return fmt.Errorf("%s: no benchmark rows; expected a result file as fphash bench writes it", name)
				}
			}
			if err := datasets.WriteFile(out, func(w io.Writer) error { return report.Write(w, sources) }); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s, from %d rows\n", out, rowsOf(sources))
			return nil
		},
	}
	command.Flags().StringVarP(&out, "out", "o", "./fphash-report.html", "file for the page")
	return command
}

// defaultResults is what fphash bench writes unless told otherwise.
const defaultResults = "./fphash-bench.txt"

func rowsOf(sources []report.Source) int {
	n := 0
	for _, s := range sources {
		n += len(s.File.Rows)
	}
	return n
}
