package ab

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/compare"
)

// Allocations without noise, rates with times, and exact units.
func TestUnits(t *testing.T) {
	old, new := programs(1, 0.3)
	figures := func(bytes float64, recall string) func(int, float64) string {
		return func(_ int, ns float64) string {
			return fmt.Sprintf("\t%.2f keys/s\t%v B/op\t3 allocs/op\t%s recall", 1e6/ns, bytes, recall)
		}
	}
	old.extra, new.extra = figures(128, "0.99"), figures(160, "0.98")
	old.head, new.head = "Unit recall assume=exact better=higher\nUnit keys/s better=higher\n", "Unit recall assume=exact better=higher\nUnit keys/s better=higher\n"
	r := mustRun(t, []Task{taskOf(old, new)}, Options{Seed: 1})
	got := verdicts(r.Report)
	slices.Sort(got)
	want := []string{"Fake-8 B/op REGRESSION", "Fake-8 allocs/op no change", "Fake-8 keys/s REGRESSION", "Fake-8 recall REGRESSION", "Fake-8 sec/op REGRESSION"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	shares := map[string]float64{}
	sum := 0.0
	for _, h := range r.engine.judge.hypotheses {
		shares[h.at.unit] = h.share
		sum += h.share
	}
	alpha := compare.DefaultAlpha
	if shares["sec/op"] != alpha*(1-quietShare)/2 || shares["keys/s"] != shares["sec/op"] || shares["B/op"] != alpha*quietShare/2 || sum > alpha*(1+1e-12) {
		t.Errorf("shares of alpha %v: %v", shares, sum)
	}
	for _, table := range r.Report.Tables {
		if e := table.Rows[0].Effect; table.Unit == "keys/s" && (e.Change > -0.2 || e.Change < -0.26 || !(e.Lo <= e.Change && e.Change <= e.Hi)) {
			t.Errorf("throughput: %+v", e)
		}
	}
}

// Alpha is divided among the comparisons of all tasks. Comparisons with noise have equal parts of
// the rest that comparisons without noise leave.
func TestAlphaIsDivided(t *testing.T) {
	var tasks []Task
	for _, name := range []string{"A", "B", "C"} {
		old, new := programs(1, 0)
		old.name, new.name = name, name
		figures := func(_ int, ns float64) string { return fmt.Sprintf("\t%.4g wait-ns/op\t3 allocs/op", 7*ns) }
		old.extra, new.extra = figures, figures
		tasks = append(tasks, taskOf(old, new))
	}
	o := Options{Seed: 1, Rules: compare.Options{Alpha: 0.01}}
	sum := 0.0
	for _, h := range mustRun(t, tasks, o).engine.judge.hypotheses {
		want := 0.009 / 6
		if h.at.unit == "allocs/op" {
			want = 0.001 / 3
		}
		if math.Abs(h.share-want) > 1e-12 {
			t.Errorf("%s %s has %v of alpha, want %v", h.at.row, h.at.unit, h.share, want)
		}
		sum += h.share
	}
	if math.Abs(sum-o.Rules.Alpha) > 1e-12 {
		t.Errorf("the sum of all parts is %v, want %v", sum, o.Rules.Alpha)
	}
}

func TestFailingAndMissing(t *testing.T) {
	old, failing := programs(1, 0)
	failing.fail = 1
	gone, stays := programs(2, 0)
	gone.name, stays.name = "Gone", "Stays"
	kept, kept2 := programs(3, 0.5)
	kept.name, kept2.name = "Kept", "Kept"
	broken := []byte("--- FAIL: BenchmarkBroken\n    x_test.go:3: no\nFAIL\n")
	tasks := []Task{
		taskOf(old, failing), {Name: "Gone", Sides: [2]Runner{gone.run}}, {Name: "Stays", Sides: [2]Runner{nil, stays.run}}, taskOf(kept, kept2),
		{Name: "Broken", Sides: [2]Runner{1: func(context.Context) ([]byte, error) { return broken, fmt.Errorf("exit status 1") }}},
	}
	r := mustRun(t, tasks, Options{Seed: 1})
	got := verdicts(r.Report)
	slices.Sort(got)
	want := []string{"Fake-8 sec/op missing", "Gone-8 sec/op missing", "Kept-8 sec/op REGRESSION", "Stays-8 sec/op new"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if old.runs != 1 || gone.runs != 1 || stays.runs != 1 {
		t.Errorf("runs: %d, %d, %d", old.runs, gone.runs, stays.runs)
	}
	text := strings.Join(r.Report.GapLines(), "\n")
	for _, want := range []string{"new: failed: Fake: exit status 2: out of paper", "new: failed: --- FAIL: BenchmarkBroken", "missing: Gone-8 is missing in new"} {
		if !strings.Contains(text, want) {
			t.Errorf("no gap %q in:\n%s", want, text)
		}
	}
	if n := strings.Count(text, "failed:"); n != 2 {
		t.Errorf("failures are reported more than once:\n%s", text)
	}
}

// A failed run in a later round ends the task. The failure is reported in addition to earlier
// results.
func TestFailsLater(t *testing.T) {
	old, new := programs(1, 0)
	new.fail = 4
	r := mustRun(t, []Task{taskOf(old, new)}, Options{Seed: 1})
	if rounds(r) != 4 || r.Report.OpenGaps() == 0 {
		t.Errorf("%d rounds, gaps %v", rounds(r), r.Report.Gaps)
	}
}

// fphash compare and benchstat read the saved texts, and find a process run for each run.
func TestTextsHaveSeams(t *testing.T) {
	old, new := programs(1, 0.3)
	r := mustRun(t, []Task{taskOf(old, new)}, Options{Seed: 1})
	report, err := compare.Compare([]compare.Input{r.engine.sides[0].input(), r.engine.sides[1].input()}, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	row := report.Tables[0].Rows[0]
	if row.Old.Runs != rounds(r) || row.New.Runs != rounds(r) || row.Old.Samples != 5*rounds(r) || row.Verdict != "REGRESSION" {
		t.Errorf("%d rounds: %+v", rounds(r), row)
	}
}

// A program may print only results. Times that never differ need few runs.
func TestBareResults(t *testing.T) {
	bare := func(context.Context) ([]byte, error) {
		time.Sleep(100 * time.Millisecond)
		return []byte("BenchmarkX 1 12 ns/op"), nil // without a newline
	}
	r := mustRun(t, []Task{{Name: "X", Sides: [2]Runner{bare, bare}}}, Options{Seed: 1})
	row := r.Report.Tables[0].Rows[0]
	if rounds(r) != 6 || row.Old.Runs != 6 || row.Old.Samples != 6 || row.Verdict != "no change" || r.Report.OpenGaps() > 0 {
		t.Errorf("%d rounds: %+v, gaps %v", rounds(r), row, r.Report.Gaps)
	}
}

// Figures that are equal by chance in one run do not count as constant.
func TestChanceAgreement(t *testing.T) {
	side := func(ns int) Runner {
		level := 100 // in the first run
		return func(context.Context) ([]byte, error) {
			time.Sleep(100 * time.Millisecond)
			var out strings.Builder
			for i := range 9 {
				fmt.Fprintf(&out, "BenchmarkX 1 %d ns/op\n", level+i)
			}
			level = ns
			return []byte(out.String()), nil
		}
	}
	r := mustRun(t, []Task{{Name: "X", Sides: [2]Runner{side(100), side(120)}}}, Options{Seed: 1})
	if diff := cmp.Diff([]string{"X sec/op REGRESSION"}, verdicts(r.Report)); diff != "" {
		t.Error(diff)
	}
}

func TestIgnoredKeysPair(t *testing.T) {
	old, new := programs(1, 0.3)
	old.name, new.name = "Sum/kernel=a/n=3", "Sum/kernel=b/n=3"
	o := Options{Seed: 1, Rules: compare.Options{Ignore: "/kernel"}}
	r := mustRun(t, []Task{taskOf(old, new)}, o)
	if diff := cmp.Diff([]string{"Sum/n=3-8 sec/op REGRESSION"}, verdicts(r.Report)); diff != "" {
		t.Error(diff)
	}
	if o.Rules.Ignore = "("; func() error { _, err := Run(context.Background(), []Task{taskOf(old, new)}, o); return err }() == nil {
		t.Error("no error")
	}
}

// Benchmarks that --ignore merges are not judged by the rounds of one of them.
func TestIgnoredKeysThatMerge(t *testing.T) {
	var tasks []Task
	for i, slower := range []float64{0, 0.5} {
		old, new := programs(uint64(i), slower)
		old.name = fmt.Sprintf("Sum/n=%d", i)
		new.name = old.name
		tasks = append(tasks, taskOf(old, new))
	}
	o := Options{Seed: 1, Rules: compare.Options{Ignore: "/n"}}
	r := mustRun(t, tasks, o)
	if diff := cmp.Diff([]string{"Sum-8 sec/op too few samples"}, verdicts(r.Report)); diff != "" {
		t.Error(diff)
	}
	if got := strings.Join(r.Report.GapLines(), "\n"); !strings.HasPrefix(got, "samples: Sum-8 was not tested, since --ignore has merged") {
		t.Error(got)
	}
}

func TestBadOptions(t *testing.T) {
	old, new := programs(1, 0)
	tasks := []Task{taskOf(old, new)}
	kinds := "missing, samples, machine, syntax, failed, inexact, direction, runs, unclear"
	for _, tc := range []struct {
		change func(*Options)
		tasks  []Task
		want   string
	}{
		{func(o *Options) { o.Rules.Alpha = 1 }, tasks, "ab: compare: alpha 1: must lie between 0 and 1"},
		{func(o *Options) { o.Rules.Accept = []string{"all"} }, tasks, "ab: compare: unknown kind of gap \"all\"; expected " + kinds},
		{func(o *Options) { o.Budget = -1 }, tasks, "ab: budget -1ns: expected a positive duration"},
		{func(o *Options) { o.Old, o.New = "a", "a" }, tasks, `ab: both sides are called "a"; expected two labels`},
		{func(o *Options) {}, nil, "ab: nothing to run"},
	} {
		o := Options{Seed: 1}
		tc.change(&o)
		if _, err := Run(context.Background(), tc.tasks, o); err == nil || err.Error() != tc.want {
			t.Errorf("error %v, want %s", err, tc.want)
		}
	}
	if old.runs+new.runs > 0 {
		t.Error("a task ran before the options were checked")
	}
}
