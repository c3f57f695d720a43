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

// errBudget says that the time was up before all mutants had run.
var errBudget = errors.New("the time is up; run again with -resume")

// execute builds and runs the batches on several workers and returns the outcomes. After the
// deadline no further mutant begins.
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
	// Nearly all mutants fall at the first suite, which takes some milliseconds; only what it does
	// not kill goes to the second. What survives that as well may have read a register before it
	// was written, and been lucky with what was there: it goes to the first with other numbers
	// there.
	suites := b.kernel.suites()
	last := len(suites)
	suites = append(suites, suites[0])
	patience := make([]time.Duration, len(suites))
	for i, pattern := range suites {
		o, used, out := b.test(binary, 0, pattern, i == last, time.Minute)
		if o != survived {
			return fmt.Errorf("%s: the tests fail on the kernel as it is: %v\n%s", b.kernel.name, o, out)
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

// test runs the tests that the pattern names on one mutant, with the usual numbers in registers or
// the other ones, and returns the processor time they used. Patience is in processor time, so that
// a machine that is busy with something else does not make a mutant look endless; the elapsed time
// ends only what waits without working.
func (b *batch) test(binary string, which int, pattern string, other bool, patience time.Duration) (outcome, time.Duration, []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*patience)
	defer cancel()
	command := []string{binary, "-test.short", "-test.failfast", "-test.count=1", "-test.run", pattern, "-test.skip", b.kernel.skipped()}
	if emulator, _ := b.kernel.file.architecture.emulator(); emulator != "" {
		command = slices.Insert(command, 0, emulator)
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = filepath.Dir(b.kernel.file.path) // where go test runs them
	cmd.Env = append(os.Environ(), selector+"="+strconv.Itoa(which), otherNoise+"="+strconv.FormatBool(other), patienceVariable+"="+strconv.FormatInt(int64(patience), 10), "GOTRACEBACK=none")
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	state := cmd.ProcessState
	if state == nil {
		// it did not even start, which the kernel as it is shows first
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
