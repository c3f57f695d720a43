// Command million measures what it takes to deduplicate a million documents: made-up ones, a tenth
// of which are copies with an edit of others, so that the truth is known. From Parquet files to
// attributes and to files of what is kept, it says of each stage how long it takes and how much
// memory, on one core and on two, and how many of the copies are found. With a Python that has
// text-dedup and datasketch it does the same with these libraries, on the same files.
//
//	go -C results run ./measure/million -folder /var/tmp/million -python venv/bin/python \
//	    -out corpus.txt
//
// The libraries take hours for a million documents. They are ended when they have had -limit, and
// measured with the first, smaller number of documents too, on one core and on two.
package main

import (
	"bytes"
	"context"
	"encoding/json"
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
	"time"

	"simhashkit/internal/process"
	"simhashkit/results/measure/madeup"
	"simhashkit/results/measure/peers"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "million:", err)
		os.Exit(1)
	}
}

// work is what there is to measure, and what was measured.
type work struct {
	sizes   []int // numbers of documents
	folder  string
	tools   []string // ours: features, and what is near where that is not the usual
	cpus    []int
	python  string
	beside  []library
	limit   time.Duration
	out     string
	results results
}

func run(ctx context.Context) error {
	w := &work{}
	n := flag.String("n", "100000 1000000", "numbers of `documents`, with spaces between them")
	flag.StringVar(&w.folder, "folder", "", "`folder` for 3 kB a document, and several times that with libraries; the documents stay there")
	tools := flag.String("tools", "words,n=3,fold words,n=3,fold/k=6 words,n=3,fold/unsure=8 words,n=3,fold/minhash=128/k=24", "`definitions` of features, each with the distance that is near, the number of masked bits or that of MinHash, with spaces between them")
	cpus := flag.String("cpus", "1 2", "numbers of `cores`, with spaces between them")
	flag.StringVar(&w.python, "python", "", "the `program` Python, with the libraries; without it they are left out")
	beside := flag.String("libraries", allLibraries(), "`names` of libraries to measure beside, with spaces between them")
	flag.DurationVar(&w.limit, "limit", 30*time.Minute, "how `long` each run of a library may take")
	flag.StringVar(&w.out, "out", "", "result `file`; without it the results go to standard output")
	child := flag.Bool("stages", false, "do the stages in this process, with the first tool, numbers of documents and of cores, and print them")
	flag.Parse()
	if w.folder == "" || flag.NArg() > 0 {
		return errors.New("expected -folder, and no arguments")
	}
	var err error
	if w.folder, err = filepath.Abs(w.folder); err != nil {
		return err
	}
	w.tools = strings.Fields(*tools)
	if w.sizes, err = numbers(*n, 100); err != nil {
		return fmt.Errorf("-n: %w", err)
	}
	if w.cpus, err = numbers(*cpus, 1); err != nil {
		return fmt.Errorf("-cpus: %w", err)
	}
	if w.beside, err = librariesOf(strings.Fields(*beside)); err != nil {
		return err
	}
	if *child {
		t, err := parseTool(w.tools[0])
		if err != nil {
			return err
		}
		return stages(ctx, w.corpus(w.sizes[0]), t, w.ourFolder(), w.cpus[0], os.Stdout)
	}
	for i, n := range w.sizes {
		if err := w.measure(ctx, n, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// numbers are those in a text, none of them below a bound.
func numbers(text string, least int) (list []int, err error) {
	for _, field := range strings.Fields(text) {
		n, err := strconv.Atoi(field)
		if err != nil || n < least {
			return nil, fmt.Errorf("expected numbers of %d or more, got %q", least, text)
		}
		list = append(list, n)
	}
	if len(list) == 0 {
		return nil, errors.New("expected a number")
	}
	return list, nil
}

func (w *work) corpus(n int) *madeup.Corpus {
	return &madeup.Corpus{N: n, Folder: filepath.Join(w.folder, fmt.Sprintf("documents-%d", n))}
}

func (w *work) ourFolder() string { return filepath.Join(w.folder, "fphash") }

// measure measures ours on each number of cores, and then the libraries: on the last number of
// cores, which is the most, or on all of them.
func (w *work) measure(ctx context.Context, n int, all bool) error {
	c := w.corpus(n)
	fmt.Fprintf(os.Stderr, "%d documents in %s\n", n, c.Folder)
	if err := c.Write(ctx); err != nil {
		return err
	}
	for _, definition := range w.tools {
		if err := w.ours(ctx, definition, c); err != nil {
			return err
		}
	}
	if w.python == "" {
		return nil
	}
	theirs := w.cpus
	if !all {
		theirs = theirs[len(theirs)-1:]
	}
	for _, cpus := range slices.Backward(theirs) {
		for _, l := range w.beside {
			if err := w.theirs(ctx, l, cpus, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// ours measures the stages in a process of their own for each number of cores.
func (w *work) ours(ctx context.Context, definition string, c *madeup.Corpus) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	tool, err := parseTool(definition)
	if err != nil {
		return err
	}
	var before []int
	for _, cpus := range w.cpus {
		fmt.Fprintf(os.Stderr, "%s %s, %d cores\n", tool.name, definition, cpus)
		if err := os.RemoveAll(w.ourFolder()); err != nil {
			return err
		}
		command := exec.Command(program, "-stages", "-n", strconv.Itoa(c.N), "-folder", w.folder, "-tools", definition, "-cpus", strconv.Itoa(cpus))
		command.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", cpus))
		text, err := process.Output(ctx, command)
		if err != nil {
			return err
		}
		var list []peers.Stage
		for lines := json.NewDecoder(bytes.NewReader(text)); ; {
			var s peers.Stage
			if err := lines.Decode(&s); err == io.EOF {
				break
			} else if err != nil {
				return err
			}
			list = append(list, s)
		}
		w.results.stages(tool, cpus, c.N, append(list, total(list)))
		groups, err := attributes(c, w.ourFolder())
		if err != nil {
			return err
		}
		if before != nil && !slices.Equal(groups, before) {
			return fmt.Errorf("%s, %d cores: other groups than before", definition, cpus)
		}
		before = groups
	}
	w.results.found(tool, c.N, compare(before))
	return w.write()
}

// theirs measures a library. A run that fails, or that does not end in time, is a row that says so.
func (w *work) theirs(ctx context.Context, l library, cpus int, c *madeup.Corpus) error {
	tool := l.tool()
	fmt.Fprintf(os.Stderr, "%s, %d cores\n", tool.name, cpus)
	limited, cancel := context.WithTimeoutCause(ctx, w.limit, fmt.Errorf("it had not ended after %v", w.limit))
	defer cancel()
	p := &peers.Peer{Method: l.method}
	err := p.Run(limited, w.python, cpus, c.Paths(), c.N, filepath.Join(w.folder, tool.name))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	w.results.version(l.name, p.Version)
	w.results.stages(tool, cpus, c.N, p.Stages)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		w.results.skipped(tool, cpus, c.N, err)
	} else if !w.results.has(tool, c.N) {
		w.results.found(tool, c.N, compare(p.Groups))
	}
	return w.write()
}

// total is all stages of a process.
func total(list []peers.Stage) peers.Stage {
	t := peers.Stage{Name: "total"}
	for _, s := range list {
		t.Time, t.Bytes = t.Time+s.Time, max(t.Bytes, s.Bytes)
	}
	return t
}
