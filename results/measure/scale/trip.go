package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"simhashkit/internal/process"
	"simhashkit/results/measure/madeup"
	"simhashkit/results/measure/memory"
)

// stage is what one part of a road took.
type stage struct {
	name    string
	time    time.Duration
	cpu     time.Duration // of all processors
	peak    int64         // bytes of memory, the most at once
	written int64         // bytes that it hands on; 0 where it is the last
	blocks  *counts
}

// trip is a road that is being gone.
type trip struct {
	*work
	ctx    context.Context
	corpus *madeup.Corpus
	folder string
	stages []stage
	said   string // on standard error, by the last stage
}

func (t *trip) begin() error {
	return errors.Join(os.RemoveAll(t.folder), os.MkdirAll(t.folder, 0o777))
}

func (t *trip) path(name string) string { return filepath.Join(t.folder, name) }

// stage runs a program as a stage, or as a part of the last stage if that has the same name. It
// hands on the file, if there is one.
func (t *trip) stage(name string, command *exec.Cmd, file ...string) error {
	var said process.Tail
	command.Stderr = &said
	if command.Stdout == nil {
		command.Stdout = &said
	}
	s := stage{name: name}
	begin := time.Now()
	done := make(chan struct{})
	var sampling sync.WaitGroup
	sampling.Go(func() { s.peak = most(done) })
	err := process.Wait(t.ctx, command)
	close(done)
	sampling.Wait()
	if t.said = said.String(); err != nil {
		if context.Cause(t.ctx) == nil {
			err = fmt.Errorf("%w: %s", err, t.said)
		}
		return fmt.Errorf("%s: %w", name, err)
	}
	s.time, s.cpu = time.Since(begin), command.ProcessState.UserTime()+command.ProcessState.SystemTime()
	for _, path := range file {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		s.written = info.Size()
	}
	if last := len(t.stages) - 1; last >= 0 && t.stages[last].name == name {
		l := &t.stages[last]
		l.time, l.cpu, l.peak, l.written = l.time+s.time, l.cpu+s.cpu, max(l.peak, s.peak), l.written+s.written
		return nil
	}
	t.stages = append(t.stages, s)
	return nil
}

// most returns the most memory that programs which this one has started take at once.
func most(done <-chan struct{}) (bytes int64) {
	own := memory.Tree(os.Getpid())
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, time.Second/4) {
		bytes = max(bytes, memory.Tree(os.Getpid())-own)
		select {
		case <-done:
			return bytes
		case <-time.After(wait):
		}
	}
}

// sketch makes one file of the fingerprints of all documents.
func (t *trip) sketch() (string, error) {
	out := t.path("fingerprints.tsv")
	all, err := os.Create(out)
	if err != nil {
		return "", err
	}
	defer all.Close()
	for _, path := range t.corpus.Paths() {
		command := exec.Command(t.fphash, "sketch", path, "--text", "text", "--id", "id", "--features", features)
		command.Stdout = all
		if err := t.stage("sketch", command); err != nil {
			return "", err
		}
	}
	info, err := all.Stat()
	if err != nil {
		return "", err
	}
	t.stages[len(t.stages)-1].written = info.Size()
	return out, all.Close()
}

// clusters makes attributes of pairs.
func (t *trip) clusters(pairs, fingerprints, out string) error {
	return t.stage("clusters", exec.Command(t.fphash, "clusters", pairs, "--records", fingerprints, "--format", "jsonl", "--out", out))
}
