package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"simhashkit/internal/process"
	"simhashkit/results/measure/madeup"
	"simhashkit/results/measure/memory"
)

var (
	//go:embed textdedup.py
	textDedup []byte
	//go:embed datasketch.py
	datasketch []byte
)

// library is one of Python's, and what it does.
type library struct {
	name, method string
	script       []byte // is told the method, the number of processors, a folder and the files
}

// libraries are those that can be measured.
var libraries = []library{{"text-dedup", "simhash", textDedup}, {"text-dedup", "minhash", textDedup}, {"datasketch", "minhash", datasketch}}

func (l library) tool() tool { return tool{name: l.name + "-" + l.method} }

// librariesOf returns those whose tools have these names.
func librariesOf(names []string) (list []library, err error) {
	for _, name := range names {
		i := slices.IndexFunc(libraries, func(l library) bool { return l.tool().name == name })
		if i < 0 {
			return nil, fmt.Errorf("-libraries: unknown %s; expected some of %s", name, allLibraries())
		}
		list = append(list, libraries[i])
	}
	return list, nil
}

func allLibraries() string {
	var names []string
	for _, l := range libraries {
		names = append(names, l.tool().name)
	}
	return strings.Join(names, " ")
}

// peer is a run of a library.
type peer struct {
	library
	version string
	stages  []stage // "total" is all of it
	groups  []int   // of the documents
}

// run runs it in a folder of its own, on so many processors.
func (p *peer) run(ctx context.Context, python string, cpus int, c *madeup.Corpus, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	path := filepath.Join(folder, "script.py")
	if err := os.WriteFile(path, p.script, 0o666); err != nil {
		return err
	}
	command := exec.Command(python, append([]string{path, p.method, strconv.Itoa(cpus), folder}, c.Paths()...)...)
	var said process.Tail
	w := &watch{done: make(chan struct{})}
	command.Stdout, command.Stderr = w, &said
	var sampling sync.WaitGroup
	sampling.Go(w.sample)
	err := process.Wait(ctx, command)
	close(w.done)
	sampling.Wait()
	p.version, p.stages = w.version, w.ended
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
	p.groups, err = clusters(string(text), c.N)
	return errors.Join(err, os.RemoveAll(folder))
}

// watch follows what the script says of its stages, and the memory that they take.
type watch struct {
	done chan struct{}

	mutex   sync.Mutex
	rest    []byte // of a line
	pid     int
	version string
	open    []stage // which have begun, the outer ones first
	ended   []stage
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
	case "begin":
		w.open = append(w.open, stage{Name: rest})
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
