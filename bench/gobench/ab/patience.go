package ab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"simhashkit/internal/process"
)

const (
	// leastPatience is how long a program may always take at first, however small the budget is:
	// nobody knows yet what it needs.
	leastPatience = 10 * time.Second
	// stalled is how many times as long as the longest run before it a run may take although the
	// budget is used: what a busy machine does to a run is no reason to call it hanging.
	stalled = 10
	// leastStall is how long a run may take at least after that.
	leastStall = time.Second
)

// Patience is how long a benchmark of which nothing is known may print nothing: its budget, and ten
// seconds at least.
func Patience(budget time.Duration) time.Duration { return max(budget, leastPatience) }

// FirstRun runs a program of which nothing is known for as long as it goes on printing. It stops a
// program that prints nothing for as long as patience.
func FirstRun(ctx context.Context, command *exec.Cmd, patience time.Duration) ([]byte, error) {
	text, err := process.RunUntilSilent(ctx, command, patience)
	if errors.Is(err, process.ErrSilent) {
		err = fmt.Errorf("%w%s", err, advice)
	}
	return text, err
}

// errHangs is the cause with which a run is stopped.
var errHangs = errors.New("it had not ended")

const advice = ", and it was stopped; if it does not hang, it needs a larger --budget"

// limit is how long the next run of a task may take: no longer than the budget of its benchmarks
// and than what is left of the whole budget, but as long as a busy machine may need.
func (e *engine) limit(j *job) time.Duration {
	own := Patience(e.Budget * time.Duration(max(1, j.Benchmarks)))
	if j.rounds == 0 {
		return own
	}
	left := e.budget - e.now().Sub(e.start)
	return max(min(own, left), stalled*j.longest, leastStall)
}

// runLimited runs one side of a task and stops it if it takes too long. It then drops an unfinished
// last line.
func (e *engine) runLimited(ctx context.Context, j *job, r Runner) ([]byte, error) {
	limit := e.limit(j)
	limited, cancel := e.timeout(ctx, limit, fmt.Errorf("%w after %v%s", errHangs, limit.Round(time.Second/10), advice))
	defer cancel()
	began := e.now()
	text, err := r(limited)
	if errors.Is(err, errHangs) {
		if name := Unfinished(text); name != "" && !strings.Contains(j.Name, name) {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return text[:bytes.LastIndexByte(text, '\n')+1], err
	}
	j.longest = max(j.longest, e.now().Sub(began))
	return text, err
}
