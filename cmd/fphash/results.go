package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/gobench/store"
	"simhashkit/bench/report"
	"simhashkit/bench/table"
	"simhashkit/internal/decompress"
	"simhashkit/internal/texttable"
	"simhashkit/internal/wholefile"
)

func newResults() *cobra.Command {
	command := &cobra.Command{
		Use:   "results",
		Short: "Keep recorded benchmarks as baselines",
		Long: `results keeps result files with all raw samples in folders by processor and date:

    results/<cpu>/<date>/NAME.txt

fphash compare NEW compares with the nearest of these files. That is a file from the same
system and processor with the most benchmarks in common. Among several, compare prefers
files from the same version of Go, and then the latest date.`,
	}
	command.AddCommand(newResultsAdd(), newResultsList(), newResultsShow())
	return command
}

// storeFlag adds the flag that names the folder of the store.
func storeFlag(command *cobra.Command, root *string) {
	command.Flags().StringVar(root, "store", store.DefaultRoot, "`folder` of the filed results")
}

func newResultsAdd() *cobra.Command {
	var root, name string
	command := &cobra.Command{
		Use:   "add FILE...",
		Short: "File results under their processor and date",
		Long: `add copies each result file to the folder of its processor (the line cpu: NAME) and its
date (the line # date: TIME, or today). It prints the new paths. If a name is taken, add
appends a number. It does not file the same results twice.`,
		Example: `  fphash results add fphash-bench.txt
  go test -run '^$' -bench . -count 10 | tee new.txt && \
      fphash results add --name nightly new.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, path := range args {
				filed, added, err := store.Open(root).Add(path, name, time.Now())
				if err != nil {
					return err
				}
				if !added {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s is filed already\n", path)
				}
				fmt.Fprintln(cmd.OutOrStdout(), filed)
			}
			return nil
		},
	}
	storeFlag(command, &root)
	command.Flags().StringVar(&name, "name", "", "name of the filed results (default: that of the file)")
	return command
}

func newResultsList() *cobra.Command {
	var root string
	command := &cobra.Command{
		Use:   "list",
		Short: "List the filed results",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			entries, err := store.Open(root).List()
			if err != nil {
				return err
			}
			return writeEntries(cmd.OutOrStdout(), root, entries)
		},
	}
	storeFlag(command, &root)
	return command
}

func writeEntries(w io.Writer, root string, entries []store.Entry) error {
	if len(entries) == 0 {
		_, err := fmt.Fprintf(w, "no results in %s\n", root)
		return err
	}
	t := texttable.New("cpu", "date", "name", "benchmarks", "samples", "go", "commit")
	for _, e := range entries {
		commit := e.Head["commit"]
		if len(commit) > 12 {
			commit = commit[:12]
		}
		t.AppendRow(texttable.Row{e.CPU, e.Date, e.Name, len(e.Benchmarks), e.Samples(), e.Head["go"], commit})
	}
	_, err := fmt.Fprintln(w, texttable.Render(t))
	return err
}

func newResultsShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show FILE",
		Short: "Show results as tables",
		Long: `show prints where and how results were measured, and tables of their medians with 95%
intervals.`,
		Example: "  fphash results show fphash-bench.txt",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			results, err := store.ReadFile(args[0])
			if err != nil {
				return err
			}
			return writeResults(cmd.OutOrStdout(), args[0], results)
		},
	}
}

func writeResults(w io.Writer, path string, r store.Results) error {
	file, err := resultfile.Read(strings.NewReader(string(r.Text)), path)
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, fields := range []map[string]string{r.Config, r.Head} {
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			fmt.Fprintf(&out, "%s: %s\n", name, fields[name])
		}
	}
	out.WriteString("\n")
	if err := table.Write(&out, file.Rows); err != nil {
		return err
	}
	_, err = io.WriteString(w, out.String())
	return err
}

// reportFlags are the flags of fphash report.
type reportFlags struct{ out string }

func newReport() *cobra.Command {
	var f reportFlags
	command := &cobra.Command{
		Use:   "report [FILE...]",
		Short: "Turn result files into one HTML page with pictures",
		Long: `report reads result files of fphash bench and writes one self-contained HTML file. It
shows which hash to use and why, with pictures of speed against effective bits, of time
by kernel and of the cost of a search, and the machines and commands behind them.

FILE defaults to ./fphash-bench.txt. Computed figures of all files are shown side by side;
times are compared only within one file. If no file has the rows that a section
needs, the section shows the command that measures them.

To see what changed between two files, use fphash compare --format html.

Exit codes: 0 the page is written; 1 written, but all hashes are weak; 2 it could not be
written.`,
		Example: `  fphash bench && fphash report
  fphash report bench.txt kernels.txt --out report.html`,
		RunE: f.run,
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

// readResults reads a result file, compressed or not.
func readResults(ctx context.Context, name string) (resultfile.File, error) {
	file, err := decompress.Open(ctx, name)
	if err != nil {
		return resultfile.File{}, err
	}
	defer file.Close()
	return resultfile.Read(file, name)
}
