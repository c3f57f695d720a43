// Command cluster measures the job of examples/spark on a standalone cluster of two workers on this
// machine, or that of examples/duckdb, and compares its result with fphash dedup:
//
//	go build -o /tmp/fphash ./cmd/fphash
//	go -C results run ./measure/cluster -fphash /tmp/fphash -python venv/bin/python \
//	    -texts 100000,1000000 -o CPU/DATE/cluster.txt
//
// The Python environment needs pyspark or duckdb. The corpora are made up; see corpus. The
// processor time is that of the whole machine, which must be idle otherwise: engine, filters, start
// and end.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/parquet-go/parquet-go"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/gobench/benchname"
	"simhashkit/internal/wholefile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "cluster:", err)
	os.Exit(2)
}

type options struct {
	fphash, python, out string
	texts               []int
	corpora             []corpus
	duckDB              bool
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("cluster", flag.ContinueOnError)
	flags.StringVar(&o.out, "o", "", "the `file` of results")
	flags.StringVar(&o.fphash, "fphash", "", "the `program` fphash")
	flags.StringVar(&o.python, "python", "", "a Python `program` with pyspark")
	flags.BoolVar(&o.duckDB, "duckdb", false, "measure the job of DuckDB")
	texts := flags.String("texts", "100000,1000000", "`numbers` of texts, separated by commas")
	names := flags.String("corpora", "plain,skewed,pages", "`names` of corpora, separated by commas")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.out == "" || o.fphash == "" || o.python == "" || flags.NArg() > 0 {
		return o, errors.New("expected -o FILE, -fphash PROGRAM, -python PROGRAM, and no other arguments than flags")
	}
	for field := range strings.SplitSeq(*texts, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1000 {
			return o, fmt.Errorf("-texts %s: expected numbers of at least 1000", *texts)
		}
		o.texts = append(o.texts, n)
	}
	for name := range strings.SplitSeq(*names, ",") {
		i := slices.IndexFunc(corpora, func(c corpus) bool { return c.name == name })
		if i < 0 {
			return o, fmt.Errorf("-corpora %s: expected plain, skewed, pages", *names)
		}
		o.corpora = append(o.corpora, corpora[i])
	}
	for _, path := range []*string{&o.fphash, &o.python} {
		if *path, err = exec.LookPath(*path); err == nil {
			*path, err = filepath.Abs(*path)
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	r := resultsOf(o)
	for _, n := range o.texts {
		for _, c := range o.corpora {
			if err := o.measure(ctx, &r, c, n); err != nil {
				return fmt.Errorf("%s, %d texts: %w", c.name, n, err)
			}
			if err := wholefile.Write(o.out, r.write); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure runs the job and fphash dedup on a corpus, and adds the results to r.
func (o options) measure(ctx context.Context, r *results, c corpus, n int) error {
	folder, err := os.MkdirTemp("", "cluster")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	files, err := c.write(filepath.Join(folder, "corpus"), n)
	if err != nil {
		return err
	}
	alone, err := o.dedup(ctx, files)
	if err != nil {
		return err
	}
	run, name, attributes := o.spark, "Cluster", "attributes/*.parquet"
	if o.duckDB {
		run, name, attributes = o.duck, "DuckDB", "attributes.parquet"
	}
	job := []string{filepath.Join(folder, "corpus", "*.parquet"), filepath.Join(folder, "out")}
	if c.minima != "" {
		job = append(job, "--minima", c.minima)
	}
	figures, err := run(ctx, folder, n, job)
	if err != nil {
		return err
	}
	written, err := sizeOf(filepath.Join(folder, "out", "work"))
	if err != nil {
		return err
	}
	dropped, err := droppedIDs(filepath.Join(folder, "out", attributes))
	if err != nil {
		return err
	}
	more, less := missing(dropped, alone), missing(alone, dropped)
	r.add(benchname.New(name, "corpus", c.name, "n", strconv.Itoa(n)), append(figures, "B-written/text", float64(written)/float64(n),
		"dropped", float64(len(dropped)), "only-cluster", float64(more), "only-dedup", float64(less))...)
	if (more+less)*100 > len(dropped) {
		return fmt.Errorf("dropped %d texts, %d of which dedup keeps, and kept %d others", len(dropped), more, less)
	}
	return nil
}

// spark runs the job of examples/spark, and returns its figures with their units.
func (o options) spark(ctx context.Context, folder string, n int, job []string) ([]any, error) {
	s := &spark{python: o.python, folder: folder}
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	defer s.stop()
	before, err := processorTime()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if err := s.submit(ctx, "../examples/spark/attributes.py", append(job, "--fphash", o.fphash)...); err != nil {
		return nil, err
	}
	elapsed := time.Since(start)
	after, err := processorTime()
	if err != nil {
		return nil, err
	}
	shuffled, err := s.shuffled()
	return []any{"s/op", elapsed.Seconds(), "cpu-s/op", (after - before).Seconds(),
		"B-shuffled/text", float64(shuffled) / float64(n), "executor-peak-bytes", float64(s.peak)}, err
}

// duck runs the job of examples/duckdb, and returns its figures with their units.
func (o options) duck(ctx context.Context, _ string, _ int, job []string) ([]any, error) {
	command := exec.CommandContext(ctx, o.python, append([]string{"../examples/duckdb/attributes.py"}, job...)...)
	command.Env = append(os.Environ(), "PATH="+filepath.Dir(o.fphash)+string(os.PathListSeparator)+os.Getenv("PATH"))
	start := time.Now()
	if output, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, output)
	}
	used := command.ProcessState
	return []any{"s/op", time.Since(start).Seconds(), "cpu-s/op", (used.UserTime() + used.SystemTime()).Seconds(),
		"peak-bytes", float64(1024 * used.SysUsage().(*syscall.Rusage).Maxrss)}, nil
}

// dedup returns the ids that fphash dedup drops.
func (o options) dedup(ctx context.Context, files []string) (map[string]bool, error) {
	command := exec.CommandContext(ctx, o.fphash, append([]string{"dedup", "--id", "id", "--list", "drop", "--format", "csv"}, files...)...)
	var stderr strings.Builder
	command.Stderr = &stderr
	list, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("fphash dedup: %w: %s", err, stderr.String())
	}
	rows, err := csv.NewReader(strings.NewReader(string(list))).ReadAll()
	if err != nil || len(rows) == 0 || rows[0][0] != "id" {
		return nil, fmt.Errorf("fphash dedup: expected a list of ids: %w", err)
	}
	ids := map[string]bool{}
	for _, row := range rows[1:] {
		ids[row[0]] = true
	}
	return ids, nil
}

type attributes struct {
	ID     string `parquet:"id"`
	IsKept bool   `parquet:"is_kept"`
}

// droppedIDs returns the ids that the job drops, from the files of a pattern.
func droppedIDs(pattern string) (map[string]bool, error) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("the job wrote no attributes: %w", err)
	}
	ids := map[string]bool{}
	for _, path := range paths {
		rows, err := parquet.ReadFile[attributes](path)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if !row.IsKept {
				ids[row.ID] = true
			}
		}
	}
	return ids, nil
}

// sizeOf returns the size of all files of a folder.
func sizeOf(folder string) (sum int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}

// missing returns how many of the ids are not among the others.
func missing(ids, others map[string]bool) (n int) {
	for id := range ids {
		if !others[id] {
			n++
		}
	}
	return n
}

// results collects the rows of the result file.
type results struct {
	head []resultfile.Field
	rows []resultfile.Row
}

func resultsOf(o options) results {
	var texts []string
	for _, n := range o.texts {
		texts = append(texts, strconv.Itoa(n))
	}
	var names []string
	for _, c := range o.corpora {
		names = append(names, c.name)
	}
	engine := ""
	if o.duckDB {
		engine = " -duckdb"
	}
	return results{head: bench.Head(time.Now(), "go -C results run ./measure/cluster -texts "+strings.Join(texts, ",")+" -corpora "+strings.Join(names, ",")+engine, nil)}
}

func (r *results) write(w io.Writer) error {
	file := bench.File(r.head, r.rows)
	file.Units = nil
	for _, unit := range []string{"s/op", "cpu-s/op", "B-shuffled/text", "B-written/text", "executor-peak-bytes", "peak-bytes"} {
		file.Units = append(file.Units, resultfile.Unit{Name: unit, Better: -1})
	}
	return resultfile.Write(w, file)
}

// add adds figures, each preceded by its unit.
func (r *results) add(name benchname.Name, figures ...any) {
	for i := 0; i < len(figures); i += 2 {
		value := figures[i+1].(float64)
		r.rows = append(r.rows, resultfile.Row{Name: name.String(), Unit: figures[i].(string), Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
		fmt.Fprintf(os.Stderr, "%s: %.5g %s\n", name, value, figures[i])
	}
}
