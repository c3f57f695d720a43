package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// errBudget means that the time was up before all mutants had run.
var errBudget = errors.New("the time is up; run again with -resume")

// execute builds and runs the batches on several workers and returns the outcomes. It starts no
// mutants after the deadline.
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
	// The first suite takes a few milliseconds and kills nearly all mutants. Survivors run the
	// second suite. A mutant that survives both may have read a register that happened to hold a
	// suitable number, so it runs the first suite again with other numbers in the registers.
	suites := b.kernel.suites()
	last := len(suites)
	suites = append(suites, suites[0])
	patience := make([]time.Duration, len(suites))
	for i, pattern := range suites {
		o, used, out := b.test(binary, 0, pattern, i == last, time.Minute)
		if o != survived {
			return fmt.Errorf("%s: the tests fail on the original kernel: %v\n%s", b.kernel.name, o, out)
		}
		patience[i] = 10*used + time.Second/2
	}
	for i, m := range b.mutants {
		if time.Now().After(deadline) {
			return errBudget
		}
		o := survived
		for s, pattern := range suites {
			if o, _, _ = b.test(binary, i+1, pattern, s == last, patience[s]); o != survived {
				break
			}
		}
		note(m.id(b.kernel), o)
	}
	return nil
}

// test runs the tests that match the pattern on one mutant, and returns its outcome, the processor
// time used, and the output. other selects the other numbers in the registers. Patience limits the
// processor time, so that a busy machine does not make a mutant look endless. A much longer limit
// on the elapsed time ends processes that wait without working.
func (b *batch) test(binary string, which int, pattern string, other bool, patience time.Duration) (outcome, time.Duration, []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*patience)
	defer cancel()
	command := []string{binary, "-test.short", "-test.failfast", "-test.count=1", "-test.run", pattern, "-test.skip", b.kernel.skipped()}
	if emulator, _ := b.kernel.file.architecture.emulator(); emulator != "" {
		command = slices.Insert(command, 0, emulator)
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = filepath.Dir(b.kernel.file.path) // go test runs tests in this directory
	cmd.Env = append(os.Environ(), selector+"="+strconv.Itoa(which), otherNoise+"="+strconv.FormatBool(other), patienceVariable+"="+strconv.FormatInt(int64(patience), 10), "GOTRACEBACK=none")
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	state := cmd.ProcessState
	if state == nil {
		// the process did not start; the run of the original kernel would have shown that first
		return killed, 0, []byte(err.Error())
	}
	used := state.UserTime() + state.SystemTime()
	status, _ := state.Sys().(syscall.WaitStatus)
	switch {
	case ctx.Err() != nil || status.Signaled() && status.Signal() == syscall.SIGKILL:
		return endless, used, out
	case err != nil:
		return killed, used, out
	default:
		return survived, used, out
	}
}
