package ab

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// limits is a test's context.WithTimeoutCause: it notes the limits, and a program that hangs lets
// them pass.
type limits struct {
	clock *clock
	all   []time.Duration
	pass  func()
}

func (l *limits) timeout(ctx context.Context, limit time.Duration, cause error) (context.Context, context.CancelFunc) {
	l.all = append(l.all, limit)
	limited, cancel := context.WithCancelCause(ctx)
	l.pass = func() {
		l.clock.now = l.clock.now.Add(limit)
		cancel(cause)
	}
	return limited, func() { cancel(nil) }
}

// hangs returns a side that is like another one up to some run, which hangs.
func (l *limits) hangs(like Runner, from int, text string) Runner {
	run := 0
	return func(ctx context.Context) ([]byte, error) {
		if run++; run < from {
			return like(ctx)
		}
		l.pass()
		<-ctx.Done()
		return []byte(text), context.Cause(ctx)
	}
}

// A run that hangs is ended by the budget and named, and what was measured before is judged; so are
// the others, in the time that is theirs.
func TestHangingRunIsEnded(t *testing.T) {
	c := newClock()
	l := &limits{clock: c}
	old, new := programs(c, 1, 0.5)
	kept, slower := programs(c, 2, 0.5)
	kept.name, slower.name = "Kept", "Kept"
	o := c.options()
	o.timeout = l.timeout
	task := taskOf(old, new)
	task.Name = "BenchmarkFake-8"
	task.New = l.hangs(new.run, 7, "goos: linux\nBenchmarkFake-8 1000 1 ns/op\nBenchmarkFake-8  \t")
	r := mustRun(t, []Task{task, taskOf(kept, slower)}, o)
	if diff := cmp.Diff([]string{"Fake-8 sec/op unclear", "Kept-8 sec/op REGRESSION"}, verdicts(r.Report)); diff != "" {
		t.Error(diff)
	}
	if change := r.Report.Tables[0].Rows[0].Effect.Change; change < 0.4 || change > 0.6 {
		t.Errorf("by the rounds before, a change of %v", change)
	}
	text := strings.Join(r.Report.GapLines(), "\n")
	if want := "new: failed: BenchmarkFake-8: it had not ended after 15s, and it was stopped; if it does not hang, it needs a larger --budget"; !strings.Contains(text, want) || strings.Contains(text, "syntax") {
		t.Errorf("gaps %s\nwant %s", text, want)
	}
	if r.Elapsed > 2*DefaultBudget+time.Second {
		t.Errorf("%v", r.Elapsed)
	}
}

// What hangs at once costs the others nothing of their time.
func TestHangingAtOnce(t *testing.T) {
	c := newClock()
	l := &limits{clock: c}
	old, new := programs(c, 1, 0)
	kept, slower := programs(c, 2, 0.5)
	kept.name, slower.name = "Kept", "Kept"
	o := c.options()
	o.timeout, o.Budget = l.timeout, 3*time.Second
	r := mustRun(t, []Task{{Name: "all", Old: old.run, New: l.hangs(new.run, 1, "BenchmarkFake-8\nBenchmarkSlow\n")}, taskOf(kept, slower)}, o)
	if diff := cmp.Diff([]string{"Fake-8 sec/op missing", "Kept-8 sec/op REGRESSION"}, verdicts(r.Report)); diff != "" {
		t.Error(diff)
	}
	if text := strings.Join(r.Report.GapLines(), "\n"); !strings.Contains(text, "new: failed: all: BenchmarkSlow: it had not ended after 10s,") {
		t.Errorf("gaps %s", text)
	}
}

// A run has the time that its benchmarks have, and what is left for everything; never less than a
// busy machine may make of it.
func TestLimit(t *testing.T) {
	for _, tc := range []struct {
		benchmarks, rounds int
		budget             time.Duration
		elapsed, longest   time.Duration
		want               time.Duration
	}{
		{0, 0, time.Nanosecond, 0, 0, 10 * time.Second},
		{1, 0, 15 * time.Second, 0, 0, 15 * time.Second},
		{4, 0, 15 * time.Second, 0, 0, time.Minute},
		{1, 3, 15 * time.Second, time.Second, time.Millisecond, 15 * time.Second},
		{1, 3, 15 * time.Second, 55 * time.Second, time.Millisecond, 5 * time.Second},
		{1, 3, 15 * time.Second, 59900 * time.Millisecond, time.Millisecond, time.Second},
		{1, 3, 15 * time.Second, 59900 * time.Millisecond, time.Second, 10 * time.Second},
	} {
		c := newClock()
		o := c.options()
		o.Budget = tc.budget
		e := &engine{Options: o, start: c.now, budget: time.Minute}
		c.now = c.now.Add(tc.elapsed)
		j := &job{Task: Task{Benchmarks: tc.benchmarks}, rounds: tc.rounds, longest: tc.longest}
		if got := e.limit(j); got != tc.want {
			t.Errorf("%+v: %v", tc, got)
		}
	}
}

// Other errors of a program are not taken for hanging, whatever it has printed.
func TestFailureIsNoHang(t *testing.T) {
	c := newClock()
	old, new := programs(c, 1, 0)
	task := taskOf(old, new)
	task.New = func(context.Context) ([]byte, error) { return []byte("BenchmarkFake-8"), errors.New("exit status 2") }
	text := strings.Join(mustRun(t, []Task{task}, c.options()).Report.GapLines(), "\n")
	if !strings.Contains(text, "new: failed: Fake: exit status 2") || strings.Contains(text, "budget") {
		t.Errorf("gaps %s", text)
	}
}

func TestUnfinished(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"BenchmarkA-8 1 2 ns/op": "",
		"BenchmarkA-8 1 2 ns/op\nBenchmarkB/x=1-8   \t":    "BenchmarkB/x=1-8",
		"BenchmarkA\nBenchmarkA-8 1 2 ns/op\nBenchmarkB\n": "BenchmarkB",
		"some words\n": "",
		"words\n":      "",
	} {
		if got := Unfinished([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A command that hangs before anything is known of it is stopped.
func TestCommandHangsAtFirst(t *testing.T) {
	skipWithoutShell(t)
	former := longestSilence
	defer func() { longestSilence = former }()
	longestSilence = time.Nanosecond
	_, err := Commands(context.Background(), "sleep 600", "true", ".", time.Nanosecond)
	if want := fmt.Sprintf("ab: command %q: nothing was printed for 1ns, and it was stopped; if it does not hang, it needs a larger --budget", "sleep 600"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
