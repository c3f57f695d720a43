package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/report"
	"simhashkit/internal/decompress"
	"simhashkit/internal/wholefile"
)

// reportFlags are the flags of fphash report.
type reportFlags struct{ out string }

func newReport() *cobra.Command {
	var f reportFlags
	command := &cobra.Command{
		Use:   "report [FILE...]",
		Short: "Turn result files into one HTML page with charts",
		RunE:  f.run,
	}
	flags := command.Flags()
	flags.StringVarP(&f.out, "out", "o", "./fphash-report.html", "output `file`")
	return command
}

// defaultResults is the default output of fphash bench.
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

// readSources reads the named result files, or defaultResults if there are no names.
func readSources(ctx context.Context, names []string) ([]advice.Source, error) {
	if len(names) == 0 {
		if _, err := os.Stat(defaultResults); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no %s: run fphash bench first, or name result files", defaultResults)
		}
		names = []string{defaultResults}
	}
	var sources []advice.Source
	for _, name := range names {
		file, err := readResults(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(file.Rows) == 0 {
			return nil, fmt.Errorf("%s: no benchmark rows; expected a result file as fphash bench writes it", name)
		}
		sources = append(sources, advice.Source{Name: name, File: file})
	}
	return sources, nil
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
