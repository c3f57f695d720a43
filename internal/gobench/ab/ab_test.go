package ab

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/process"
)

// mustRun runs tasks with the clock of testing/synctest, which the runs advance by sleeping.
func mustRun(t *testing.T, tasks []Task, o Options) (r *Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		if r, err = Run(context.Background(), tasks, o); err != nil {
			t.Fatal(err)
		}
	})
	return r
}

func TestSlowdownStopsEarly(t *testing.T) {
	old, new := programs(1, 0.20)
	r := mustRun(t, []Task{taskOf(old, new)}, Options{Seed: 1})
	if diff := cmp.Diff([]string{"Fake-8 sec/op REGRESSION"}, verdicts(r.Report)); diff != "" {
		t.Error(diff)
	}
	if r.engine.elapsed > defaultBudget/2 || !r.engine.judge.hypotheses[0].decided || old.runs != rounds(r) || new.runs != rounds(r) {
		t.Errorf("%d rounds in %v, decided: %v", rounds(r), r.engine.elapsed, r.engine.judge.hypotheses[0].decided)
	}
	if change := r.Report.Tables[0].Rows[0].Effect.Change; change < 0.15 || change > 0.25 {
		t.Errorf("change %v", change)
	}
}

// Drift of 1% per round soon exceeds the threshold many times, but affects both sides.
func TestDriftIsNoChange(t *testing.T) {
	old, new := programs(2, 0)
	old.drift, new.drift = 0.01, 0.01
	r := mustRun(t, []Task{taskOf(old, new)}, Options{Seed: 1})
	if got := r.Report.Tables[0].Rows[0].Verdict; got != "no change" && got != "unclear" {
		t.Errorf("verdict %s", got)
	}
}

// The whole engine makes 300 comparisons of equal programs with 3 benchmarks each. With alpha = 2%,
// 14 or more false alarms have a probability of 0.3%. Slowdowns of 10% are found.
func TestErrorRates(t *testing.T) {
	alarms, found := 0, 0
	for seed := range uint64(300) {
		for _, slower := range []float64{0, 0.10} {
			var tasks []Task
			for i := range 3 {
				old, new := programs(10*seed+uint64(i), slower)
				old.name = fmt.Sprintf("Fake%d", i)
				new.name = old.name
				tasks = append(tasks, taskOf(old, new))
				if seed >= 20 && slower > 0 {
					break
				}
			}
			regressed := mustRun(t, tasks, Options{Seed: seed}).Report.Count()
			changes := regressed["REGRESSION"] + regressed["improvement"]
			switch {
			case slower == 0 && changes > 0:
				alarms++
			case slower > 0 && regressed["REGRESSION"] == len(tasks):
				found++
			}
		}
	}
	t.Logf("%d false alarms, %d of 300 slowdowns found", alarms, found)
	if alarms >= 14 || found < 297 {
		t.Errorf("%d false alarms, %d of 300 slowdowns found", alarms, found)
	}
}

// A benchmark that is decided early is not run any more, and leaves its time to the others.
func TestBudgetIsShared(t *testing.T) {
	fast, slow := programs(3, 1)
	noisy, alike := programs(4, 0.03)
	noisy.name, alike.name = "Noisy", "Noisy"
	noisy.modes, alike.modes = 0.2, 0.2
	r := mustRun(t, []Task{taskOf(fast, slow), taskOf(noisy, alike)}, Options{Seed: 1})
	if r.engine.elapsed > 2*defaultBudget || r.engine.elapsed < 2*defaultBudget-time.Second {
		t.Errorf("%v of a budget of %v", r.engine.elapsed, 2*defaultBudget)
	}
	if fast.runs > 20 || noisy.runs < 120 {
		t.Errorf("%d rounds of the clear benchmark, %d of the noisy one", fast.runs, noisy.runs)
	}
}

// The progress counts comparisons as soon as all tasks had a round, since these define them.
func TestProgress(t *testing.T) {
	old, new := programs(3, 1)
	var seen []Progress
	mustRun(t, []Task{taskOf(old, new)}, Options{Seed: 1, Progress: func(p Progress) { seen = append(seen, p) }})
	for i, p := range seen {
		if p.Task != "Fake" || p.Round != i+1 || p.Comparisons != min(i, 1) || p.Decided != 0 {
			t.Errorf("%d: %+v", i, p)
		}
	}
	if len(seen) != old.runs {
		t.Errorf("%d of %d rounds", len(seen), old.runs)
	}
}

// A benchmark with long rounds does not reduce the time of another benchmark.
func TestLongRoundsLeaveTimeToOthers(t *testing.T) {
	long, long2 := programs(5, 0.01)
	long.name, long2.name = "Long", "Long"
	old, new := programs(6, 0.01)
	for _, p := range []*program{old, new} {
		p.modes = 0.2
	}
	task := taskOf(long, long2)
	task.Sides[1] = func(ctx context.Context) ([]byte, error) {
		time.Sleep(3 * time.Second)
		return long2.run(ctx)
	}
	r := mustRun(t, []Task{task, taskOf(old, new)}, Options{Seed: 1})
	if r.engine.elapsed > 2*defaultBudget || long.runs > 8 || old.runs < 60 {
		t.Errorf("%d long rounds and %d others in %v", long.runs, old.runs, r.engine.elapsed)
	}
}

// The order of runs is random, and depends on the seed.
func TestOrderIsDrawn(t *testing.T) {
	order := func(seed uint64) string {
		old, new := programs(6, 0)
		var got strings.Builder
		task := Task{Name: "Fake", Sides: [2]Runner{
			func(ctx context.Context) ([]byte, error) { got.WriteByte('o'); return old.run(ctx) },
			func(ctx context.Context) ([]byte, error) { got.WriteByte('n'); return new.run(ctx) },
		}}
		mustRun(t, []Task{task}, Options{Seed: seed, Rules: compare.Options{Threshold: &compare.Thresholds{}}}) // uses the whole budget
		return got.String()
	}
	a := order(1)
	if a != order(1) || a == order(2) {
		t.Error("the order does not depend on the seed alone")
	}
	first := 0
	for i := 0; i < len(a); i += 2 {
		if a[i] == a[i+1] {
			t.Fatalf("round %d runs the same side twice: %s", i/2, a)
		}
		if a[i] == 'o' {
			first++
		}
	}
	if rounds := len(a) / 2; first < rounds/4 || first > 3*rounds/4 {
		t.Errorf("the old side was first in %d of %d rounds", first, rounds)
	}
}

// An interrupted run reports the complete rounds until then, and a gap.
func TestInterrupted(t *testing.T) {
	old, new := programs(7, 1)
	reason := errors.New("enough")
	for _, tc := range []struct{ in, rounds int }{{0, 0}, {1, 1}, {8, 8}} { // both sides
		old.runs, new.runs = 0, 0
		ctx, cancel := context.WithCancelCause(context.Background())
		task := taskOf(old, new)
		task.Sides[1] = func(ctx context.Context) ([]byte, error) {
			if new.runs == tc.in {
				cancel(reason)
			}
			return new.run(ctx)
		}
		var r *Result
		var err error
		synctest.Test(t, func(*testing.T) { r, err = Run(ctx, []Task{task}, Options{Seed: 1}) })
		if !errors.Is(err, reason) || (r == nil) != (tc.rounds == 0) {
			t.Fatalf("%+v: %v", tc, err)
		}
		if r == nil {
			continue
		}
		row, gaps := r.Report.Tables[0].Rows[0], strings.Join(r.Report.GapLines(), "\n")
		if rounds(r) != tc.rounds || row.Old.Runs != tc.rounds || !strings.Contains(gaps, "interrupted: the run was stopped after ") {
			t.Errorf("%+v: %d rounds, %+v, gaps %s", tc, rounds(r), row, gaps)
		}
		if regressed := row.Verdict == "REGRESSION"; regressed != (tc.rounds == 8) {
			t.Errorf("%+v: %s", tc, row.Verdict)
		}
	}
}

// A run that is stopped because it hangs is reported. The rounds before are judged, and so are the
// other benchmarks, in their own time.
func TestFailureInALaterRound(t *testing.T) {
	old, new := programs(1, 0.5)
	kept, slower := programs(2, 0.5)
	kept.name, slower.name = "Kept", "Kept"
	task := taskOf(old, new)
	task.Sides[1] = func(ctx context.Context) ([]byte, error) {
		if new.runs == 6 {
			return []byte("goos: linux\nBenchmarkFake-8 1000 1 ns/op\n"), errors.New("BenchmarkFake-8: nothing was printed for 15s")
		}
		return new.run(ctx)
	}
	r := mustRun(t, []Task{task, taskOf(kept, slower)}, Options{Seed: 1})
	if diff := cmp.Diff([]string{"Fake-8 sec/op unclear", "Kept-8 sec/op REGRESSION"}, verdicts(r.Report)); diff != "" {
		t.Error(diff)
	}
	if change := r.Report.Tables[0].Rows[0].Effect.Change; change < 0.4 || change > 0.6 {
		t.Errorf("change %v from the rounds before", change)
	}
	if text := strings.Join(r.Report.GapLines(), "\n"); !strings.Contains(text, "new: failed: Fake: BenchmarkFake-8: nothing was printed for 15s") {
		t.Errorf("gaps %s", text)
	}
}

// A process that hangs is stopped. The error names its benchmark, and its partial line is dropped.
func TestRunProcess(t *testing.T) {
	skipWithoutShell(t)
	text, err := RunProcess(context.Background(), process.Shell(`printf 'BenchmarkA-8 1 2 ns/op\nBenchmarkB-8 \t'; sleep 600`), time.Second)
	const want = "BenchmarkB-8: nothing was printed for 1s; if it does not hang, use a --budget of more than ten times its duration"
	if string(text) != "BenchmarkA-8 1 2 ns/op\n" || err == nil || err.Error() != want {
		t.Errorf("%q, error %v", text, err)
	}
}

// Other errors of a program do not count as hanging, regardless of its output.
func TestFailureIsNoHang(t *testing.T) {
	old, new := programs(1, 0)
	task := taskOf(old, new)
	task.Sides[1] = func(context.Context) ([]byte, error) { return []byte("BenchmarkFake-8"), errors.New("exit status 2") }
	text := strings.Join(mustRun(t, []Task{task}, Options{Seed: 1}).Report.GapLines(), "\n")
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

// A command that hangs in its first run is stopped.
func TestCommandHangsAtFirst(t *testing.T) {
	skipWithoutShell(t)
	former := longestSilence
	defer func() { longestSilence = former }()
	longestSilence = time.Nanosecond
	_, err := Commands(context.Background(), "sleep 600", "true", time.Nanosecond)
	if want := fmt.Sprintf("ab: command %q: nothing was printed for 1ns; if it does not hang, use a --budget of more than ten times its duration", "sleep 600"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
