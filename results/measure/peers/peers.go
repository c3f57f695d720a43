// Package peers runs other people's deduplicators of documents, which are libraries of Python:
// text-dedup, and datasketch.
package peers

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"simhashkit/internal/process"
	"simhashkit/results/measure/memory"
)

//go:embed peers.py
var script []byte

// Peer is a run of such a library.
type Peer struct {
	// Method is simhash or minhash, of text-dedup, or datasketch, and settings other than the usual
	// ones: "minhash ngram_size=2 threshold=0.5".
	Method string

	Version string
	Stages  []Stage       // "total" is all of it
	User    time.Duration // of the processors, without what the imports take
	Groups  []int         // of the documents: 0 is none
}

// Stage is what one part of a run took.
type Stage struct {
	Name  string
	Time  time.Duration
	Bytes int64 // the most memory; 0 where the system does not tell
}

// Run runs it on n documents in files, Parquet or JSON lines with a field text, in a folder of its
// own and on so many processors.
func (p *Peer) Run(ctx context.Context, python string, cpus int, files []string, n int, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	path := filepath.Join(folder, "peers.py")
	if err := os.WriteFile(path, script, 0o666); err != nil {
		return err
	}
	command := exec.Command(python, append([]string{path, p.Method, strconv.Itoa(cpus), folder}, files...)...)
	var said process.Tail
	w := &watch{done: make(chan struct{})}
	command.Stdout, command.Stderr = w, &said
	var sampling sync.WaitGroup
	sampling.Go(w.sample)
	err := process.Wait(ctx, command)
	close(w.done)
	sampling.Wait()
	p.Version, p.Stages, p.User = w.version, w.ended, w.user
	switch {
	case context.Cause(ctx) != nil:
		return fmt.Errorf("%w, in the stage %s", err, strings.Join(w.names(), " of "))
	case err != nil:
		fmt.Fprintln(os.Stderr, said.String())
		return fmt.Errorf("it failed in the stage %s: %w", strings.Join(w.names(), " of "), err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "clusters.txt"))
	if err != nil {
		return err
	}
	p.Groups, err = clusters(string(text), n)
	return errors.Join(err, os.RemoveAll(folder))
}

// watch follows what the script says of its stages, and the memory that they take.
type watch struct {
	done chan struct{}

	mutex   sync.Mutex
	rest    []byte // of a line
	pid     int
	version string
	user    time.Duration
	open    []Stage // which have begun, the outer ones first
	ended   []Stage
}

// Write takes what the script says.
func (w *watch) Write(text []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.rest = append(w.rest, text...)
	for {
		line, rest, whole := bytes.Cut(w.rest, []byte("\n"))
		if !whole {
			return len(text), nil
		}
		w.rest = rest
		w.line(string(line))
	}
}

// line takes a line; others than the script's own are the library's.
func (w *watch) line(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "version":
		w.version = rest
	case "pid":
		w.pid, _ = strconv.Atoi(rest)
	case "user":
		if seconds, err := strconv.ParseFloat(rest, 64); err == nil {
			w.user = time.Duration(seconds * float64(time.Second))
		}
	case "begin":
		w.open = append(w.open, Stage{Name: rest})
	case "end":
		name, number, _ := strings.Cut(rest, " ")
		seconds, err := strconv.ParseFloat(number, 64)
		if last := len(w.open) - 1; err == nil && last >= 0 && w.open[last].Name == name {
			w.open[last].Time = time.Duration(seconds * float64(time.Second))
			w.ended = append(w.ended, w.open[last])
			w.open = w.open[:last]
		}
	}
}

// sample notes the memory in use until all is done.
func (w *watch) sample() {
	for {
		select {
		case <-w.done:
			return
		case <-time.After(time.Second / 4):
		}
		w.mutex.Lock()
		pid := w.pid
		w.mutex.Unlock()
		if pid == 0 {
			continue
		}
		used := memory.Tree(pid)
		w.mutex.Lock()
		for i := range w.open {
			w.open[i].Bytes = max(w.open[i].Bytes, used)
		}
		w.mutex.Unlock()
	}
}

// names are those of the stages that have not ended, the innermost first.
func (w *watch) names() (list []string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, s := range w.open {
		list = append([]string{s.Name}, list...)
	}
	return list
}

// clusters returns the group of each document, by lines of its number and that of a document which
// stands for the group.
func clusters(text string, n int) ([]int, error) {
	groups := make([]int, n)
	for line := range strings.Lines(text) {
		member, of, _ := strings.Cut(strings.TrimSpace(line), " ")
		i, err := strconv.Atoi(member)
		if err != nil || i < 0 || i >= n {
			return nil, fmt.Errorf("expected a document below %d, got %q", n, line)
		}
		group, err := strconv.Atoi(of)
		if err != nil || group < 0 || group >= n {
			return nil, fmt.Errorf("expected a document below %d, got %q", n, line)
		}
		// The one that stands for the group may have no line of its own.
		groups[i], groups[group] = group+1, group+1
	}
	return groups, nil
}
