// Command scale measures how the roads from documents to near-duplicates grow with the number of
// documents: fphash dedup in memory and for many files, the filters with sort between them, Spark
// and Beam. Of each stage it says how long it takes, on the clock and of the processors, how much
// memory, and how many bytes it hands on; all roads must give the same attributes. It also measures
// the search of blocks as large as billions of fingerprints give them, and what Manku, Jain and Das
// Sarma (2007, section 4) do with a cluster: a million queries against a chunk of stored
// fingerprints.
//
//	go -C results run ./measure/scale -folder /var/tmp/scale -python venv/bin/python -o scale.txt
//
// Documents are those of package madeup, 1.2 kB each. Python is one with pyspark; without it Spark
// is left out.
package main

import (
	"context"
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

	"simhashkit/internal/process"
	"simhashkit/results/measure/madeup"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "scale:", err)
	os.Exit(2)
}

// features are those that all roads make of the documents.
const features = "words,n=3,fold"

// work is what there is to measure, and what was measured.
type work struct {
	folder, out    string
	python         string
	fphash, fpbeam string // programs
	progress       io.Writer
	command        string
	results        results
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	w := &work{progress: stderr}
	flags := flag.NewFlagSet("scale", flag.ContinueOnError)
	flags.SetOutput(stderr)
	sizes := flags.String("roads", "memory=10000000 files=10000000 filters=10000000 spark=1000000 beam=1000000", "`roads`, each with the most documents that it is given, with spaces between them")
	n := flags.String("n", "10000 100000 1000000 10000000", "numbers of `documents`, with spaces between them")
	batches := flags.Int("queries", 1_000_000, "`fingerprints` that a chunk of stored ones is asked for; 0 leaves that and blocks out")
	flags.StringVar(&w.folder, "folder", "", "`folder` for 4 kB a document; the documents stay there")
	flags.StringVar(&w.python, "python", "", "the `program` Python, with pyspark; without it Spark is left out")
	flags.StringVar(&w.out, "o", "", "the `file` of results")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if w.folder == "" || w.out == "" || flags.NArg() > 0 {
		return errors.New("expected -folder and -o, and no other arguments than flags")
	}
	w.command = fmt.Sprintf(`go -C results run ./measure/scale -roads "%s" -n "%s" -queries %d -folder FOLDER`, *sizes, *n, *batches)
	if w.python != "" {
		w.command += " -python python3"
	}
	chosen, err := parseRoads(*sizes)
	if err != nil {
		return err
	}
	var numbers []int
	for _, field := range strings.Fields(*n) {
		n, err := strconv.Atoi(field)
		if err != nil || n < 100 {
			return fmt.Errorf("-n: expected numbers of 100 or more, got %q", field)
		}
		numbers = append(numbers, n)
	}
	for _, p := range []*string{&w.folder, &w.out} {
		if *p, err = filepath.Abs(*p); err != nil {
			return err
		}
	}
	if err := w.build(ctx, &w.fphash, "..", "./cmd/fphash"); err != nil {
		return err
	}
	if slices.ContainsFunc(chosen, func(c choice) bool { return c.name == "beam" }) {
		if err := w.build(ctx, &w.fpbeam, "../cmd/fpbeam", "."); err != nil {
			return err
		}
	}
	for _, n := range numbers {
		if err := w.measure(ctx, n, chosen); err != nil {
			return err
		}
	}
	if *batches == 0 {
		return nil
	}
	if err := w.searches(ctx); err != nil {
		return err
	}
	return w.batches(ctx, *batches)
}

// build builds a program of a module.
func (w *work) build(ctx context.Context, program *string, module, path string) error {
	if err := os.MkdirAll(w.folder, 0o777); err != nil {
		return err
	}
	*program = filepath.Join(w.folder, filepath.Base(filepath.Join(module, path)))
	_, err := process.Output(ctx, exec.Command("go", "build", "-C", module, "-o", *program, path))
	return err
}

// measure goes all roads with n documents that are given as many, and holds what they find to each
// other.
func (w *work) measure(ctx context.Context, n int, chosen []choice) error {
	fmt.Fprintf(w.progress, "%d documents\n", n)
	c := &madeup.Corpus{N: n, Folder: filepath.Join(w.folder, fmt.Sprintf("documents-%d", n))}
	if err := c.Write(ctx); err != nil {
		return err
	}
	var first, want string
	for _, road := range chosen {
		if n > road.most || road.name == "spark" && w.python == "" {
			continue
		}
		fmt.Fprintf(w.progress, "  %s\n", road.name)
		t := &trip{work: w, ctx: ctx, corpus: c, folder: filepath.Join(w.folder, road.name)}
		if err := t.begin(); err != nil {
			return err
		}
		attributes, err := road.travel(t)
		if err != nil {
			return fmt.Errorf("%s: %w", road.name, err)
		}
		sum, err := digest(attributes, n)
		if err != nil {
			return fmt.Errorf("%s: %w", road.name, err)
		}
		if want == "" {
			first, want = road.name, sum
		}
		if sum != want {
			return fmt.Errorf("%d documents: the attributes by %s are others than by %s", n, road.name, first)
		}
		w.results.stages(road.name, n, t.stages)
		if err := w.write(); err != nil {
			return err
		}
		if err := os.RemoveAll(t.folder); err != nil {
			return err
		}
	}
	return nil
}
