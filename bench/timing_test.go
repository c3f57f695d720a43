package bench

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fakeClock moves only when a loop runs.
type fakeClock struct{ now time.Duration }

func (c *fakeClock) time() time.Duration { return c.now }

// subject returns a subject whose operations take perOperation, and whose enter appends its name to
// turns.
func (c *fakeClock) subject(name string, perOperation time.Duration, turns *[]string) subject {
	return subject{
		loop:  func(n int) { c.now += time.Duration(n) * perOperation },
		enter: func() (func(), error) { *turns = append(*turns, name); return func() {}, nil },
	}
}

func TestSubjectsTakeTurns(t *testing.T) {
	var clock fakeClock
	var turns []string
	subjects := []subject{clock.subject("a", time.Microsecond, &turns), clock.subject("b", time.Millisecond, &turns), clock.subject("c", 30, &turns)}
	samples, err := timeInTurn(context.Background(), subjects, RunOptions{Samples: 3, SampleTime: 20 * time.Millisecond, now: clock.time})
	if err != nil {
		t.Fatal(err)
	}
	// one calibration, three rounds
	want := []string{"a", "b", "c", "a", "b", "c", "a", "b", "c", "a", "b", "c"}
	if diff := cmp.Diff(want, turns); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
	for i, s := range samples {
		if len(s) != 3 {
			t.Errorf("subject %d has %d samples, want 3", i, len(s))
		}
	}
}

func TestCalibration(t *testing.T) {
	for _, tc := range []struct {
		name         string
		perOperation time.Duration
		iterations   int
	}{
		{"a nanosecond", 1, 20_000_000},
		{"no time at all", 0, 1 << 30},
		{"seven microseconds", 7 * time.Microsecond, 2857},
		{"more than a sample", time.Second, 1},
		{"just a sample", 20 * time.Millisecond, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var clock fakeClock
			var turns []string
			got, err := timeInTurn(context.Background(), []subject{clock.subject("", tc.perOperation, &turns)},
				RunOptions{Samples: 2, SampleTime: 20 * time.Millisecond, now: clock.time})
			if err != nil {
				t.Fatal(err)
			}
			want := sample{tc.iterations, time.Duration(tc.iterations) * tc.perOperation}
			if !slices.Equal([]sample{want, want}, got[0]) {
				t.Errorf("samples %v, want %v twice", got[0], want)
			}
		})
	}
}

// A slow first run, with cold caches, must not lead to samples of one iteration.
func TestCalibrationDistrustsAColdRun(t *testing.T) {
	var clock fakeClock
	cold := true
	loop := func(n int) {
		if cold {
			clock.now += 4 * time.Millisecond
			cold = false
		}
		clock.now += time.Duration(n) * time.Microsecond
	}
	got, err := timeInTurn(context.Background(), []subject{{loop: loop}}, RunOptions{Samples: 1, SampleTime: 20 * time.Millisecond, now: clock.time})
	if err != nil {
		t.Fatal(err)
	}
	if n := got[0][0].iterations; n != 20_000 {
		t.Errorf("%d iterations, want 20000", n)
	}
}

func TestProgressOfRounds(t *testing.T) {
	var clock fakeClock
	var turns []string
	var rounds []string
	last := time.Duration(1 << 62)
	options := RunOptions{Samples: 4, SampleTime: 16 * time.Millisecond, now: clock.time, Progress: func(p Progress) {
		rounds = append(rounds, p.Step)
		if p.Step == "calibrating" {
			return
		}
		if p.Remaining >= last {
			t.Errorf("%s, subject %d: %v remain, %v a step before", p.Step, p.Case, p.Remaining, last)
		}
		last = p.Remaining
	}}
	if _, err := timeInTurn(context.Background(), []subject{clock.subject("a", 1000, &turns), clock.subject("b", 2000, &turns)}, options); err != nil {
		t.Fatal(err)
	}
	if want := []string{"calibrating", "calibrating", "round 1/4", "round 1/4", "round 2/4", "round 2/4", "round 3/4", "round 3/4", "round 4/4", "round 4/4"}; !slices.Equal(rounds, want) {
		t.Errorf("rounds %v, want %v", rounds, want)
	}
	if last != 17*time.Millisecond { // one sample and its warm-up, a sixteenth
		t.Errorf("%v remain before the last step, want 17ms", last)
	}
}

func TestEnterAndLeaveArePaired(t *testing.T) {
	inside := false
	one := subject{
		loop: func(int) {
			if !inside {
				t.Error("the loop ran outside of enter and leave")
			}
		},
		enter: func() (func(), error) { inside = true; return func() { inside = false }, nil },
	}
	outside := subject{loop: func(int) {
		if inside {
			t.Error("leave of the other subject was not called")
		}
	}}
	var now time.Duration
	clock := func() time.Duration { now += time.Millisecond; return now }
	if _, err := timeInTurn(context.Background(), []subject{one, outside}, RunOptions{Samples: 2, SampleTime: time.Millisecond, now: clock}); err != nil {
		t.Fatal(err)
	}
	if inside {
		t.Error("the last leave was not called")
	}
}

// The stack trace of a goroutine shows whether it is locked to a thread.
func TestOneThread(t *testing.T) {
	locked := func() bool {
		trace := make([]byte, 200)
		return strings.Contains(string(trace[:runtime.Stack(trace, false)]), "locked to thread")
	}
	var turns []bool
	note := func(int) { turns = append(turns, locked()) }
	var now time.Duration
	clock := func() time.Duration { now += time.Millisecond; return now }
	if _, err := timeInTurn(context.Background(), []subject{{loop: note}, {loop: note, parallel: true}, {loop: note}}, RunOptions{Samples: 1, SampleTime: 1, now: clock}); err != nil {
		t.Fatal(err)
	}
	if want := []bool{true, false, true, true, false, true}; !slices.Equal(turns, want) {
		t.Errorf("locked to the thread: %v, want %v", turns, want)
	}
	if locked() {
		t.Error("the caller's goroutine is still locked to its thread")
	}
}

func TestTimingEndsEarly(t *testing.T) {
	broken := errors.New("broken")
	loop := func(int) { time.Sleep(time.Microsecond) }
	_, err := timeInTurn(context.Background(), []subject{{loop: loop, enter: func() (func(), error) { return nil, broken }}}, RunOptions{Samples: 1, SampleTime: 1})
	if !errors.Is(err, broken) {
		t.Errorf("a failing enter: %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	interrupted := errors.New("interrupted")
	ran := 0
	samples, err := timeInTurn(ctx, []subject{{loop: func(int) { ran++; cancel(interrupted) }}, {loop: func(int) { t.Error("the second subject ran") }}},
		RunOptions{Samples: 5, SampleTime: 1, now: (&fakeClock{}).tick})
	if !errors.Is(err, interrupted) || samples != nil || ran == 0 {
		t.Errorf("cancelled: samples %v, error %v, ran %d", samples, err, ran)
	}
	for _, o := range []RunOptions{{Samples: 0, SampleTime: 1}, {Samples: 1}} {
		if _, err := timeInTurn(context.Background(), nil, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

func (c *fakeClock) tick() time.Duration { c.now += time.Millisecond; return c.now }

func TestRealClock(t *testing.T) {
	var sink uint64
	samples, err := timeInTurn(context.Background(), []subject{{loop: func(n int) {
		for i := range n {
			sink += sink<<7 ^ uint64(i)
		}
	}}}, RunOptions{Samples: 2, SampleTime: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples[0] {
		if s.iterations < 2 || s.elapsed <= 0 {
			t.Errorf("sample %+v", s)
		}
	}
}
