package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// errBudget says that the time was up before all mutants had run.
var errBudget = errors.New("the time is up; run again with -resume")

// execute builds and runs the batches on several workers and returns the outcomes. After the deadline no further mutant begins.
func execute(batches []*batch, workers int, deadline time.Time, log *log) (outcomes, error) {
	var (
		mu     sync.Mutex
		all    = outcomes{}
		failed []error
		wait   sync.WaitGroup
	)
	queue := make(chan *batch, len(batches))
	for _, b := range batches {
		queue <- b
	}
	close(queue)
	note := func(id string, o outcome) {
		mu.Lock()
		defer mu.Unlock()
		all[id] = o
		log.add(id, o)
	}
	for range workers {
		wait.Go(func() {
			for b := range queue {
				if err := b.run(deadline, note); err != nil {
					mu.Lock()
					failed = append(failed, err)
					mu.Unlock()
					return
				}
			}
		})
	}
	wait.Wait()
	return all, errors.Join(failed...)
}

// run builds the batch and runs its mutants one after the other.
func (b *batch) run(deadline time.Time, note func(id string, o outcome)) error {
	if time.Now().After(deadline) {
		return errBudget
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary, bad, err := b.build(dir)
	if err != nil {
		return err
	}
	for _, m := range bad {
		note(m.id(b.kernel), notAssembled)
	}
	start := time.Now()
	if o, out := b.test(binary, 0, time.Minute); o != survived {
		return fmt.Errorf("%s: the tests fail on the kernel as it is: %v\n%s", b.kernel.name, o, out)
	}
	patience := 10*time.Since(start) + 2*time.Second
	for i, m := range b.mutants {
		if time.Now().After(deadline) {
			return errBudget
		}
		o, _ := b.test(binary, i+1, patience)
		note(m.id(b.kernel), o)
	}
	return nil
}

// test runs the tests on one mutant.
func (b *batch) test(binary string, which int, patience time.Duration) (outcome, []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "-test.short", "-test.failfast", "-test.count=1", "-test.run", b.kernel.suite())
	cmd.Dir = filepath.Dir(b.kernel.file.path) // where go test runs them
	cmd.Env = append(os.Environ(), selector+"="+strconv.Itoa(which), "GOTRACEBACK=none")
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return endless, out
	case err != nil:
		return killed, out
	default:
		return survived, out
	}
}
