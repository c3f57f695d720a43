package ab

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"simhashkit/bench/gobench/compare"
)

// fakes returns tasks of equal programs that differ between runs by this standard deviation. A
// round takes 200 ms.
func fakes(seed uint64, n int, modes float64) (tasks []Task, news []*program) {
	for i := range n {
		old, new := programs(100*seed+uint64(i), 0)
		old.name = fmt.Sprintf("Fake%02d", i)
		new.name, old.modes, new.modes = old.name, modes, modes
		tasks, news = append(tasks, taskOf(old, new)), append(news, new)
	}
	return tasks, news
}

// The budget bounds the time of all tasks together, including the first rounds. Tasks that were not
// run are named.
func TestBudgetBoundsAllTasks(t *testing.T) {
	for _, tc := range []struct {
		budget time.Duration
		gaps   int
	}{{20 * time.Second, 0}, {2 * time.Second, 30}, {time.Nanosecond, 39}} {
		tasks, _ := fakes(1, 40, 0.02)
		o := Options{Seed: 1, Budget: tc.budget}
		r := mustRun(t, tasks, o)
		if r.engine.elapsed > tc.budget+200*time.Millisecond {
			t.Errorf("%v: %v", tc.budget, r.engine.elapsed)
		}
		gaps := slices.DeleteFunc(slices.Clone(r.Report.Gaps), func(g compare.Gap) bool { return g.Kind != "samples" })
		if text := strings.Join(r.Report.GapLines(), "\n"); len(gaps) != tc.gaps || tc.gaps > 0 && !strings.Contains(text, fmt.Sprintf("samples: Fake%02d was not run, since the time was up; ", 40-tc.gaps)) {
			t.Errorf("%v: %d gaps: %s", tc.budget, len(gaps), text)
		}
	}
	if got := (Options{}).total(make([]Task, 324)); got != largestBudget {
		t.Errorf("324 benchmarks take %v", got)
	}
}

// If the budget is too small for all tasks, some of them are decided, rather than none.
func TestShortBudgetDecidesSome(t *testing.T) {
	tasks, _ := fakes(2, 40, 0.005)
	o := Options{Seed: 1, Budget: 30 * time.Second} // fewer than 4 rounds of each
	r := mustRun(t, tasks, o)
	if count := r.Report.Count(); count["no change"] < 10 {
		t.Errorf("%v", count)
	}
}

// A change near the threshold has more time than other undecided comparisons, and is found although
// the others use up the budget.
func TestTimeIsSpentOnSuspects(t *testing.T) {
	found, rounds, others := 0, 0, 0
	for seed := range uint64(20) {
		tasks, news := fakes(3+seed, 20, 0.06)
		news[7].nanosecond *= 1.08
		o := Options{Seed: seed, Budget: 100 * time.Second} // 25 rounds of each
		r := mustRun(t, tasks, o)
		for _, row := range r.Report.Tables[0].Rows {
			if row.Verdict == "REGRESSION" && row.Name == "Fake07-8" {
				found++
			}
		}
		for i, n := range news {
			if i == 7 {
				rounds += n.runs
			} else {
				others += n.runs
			}
		}
	}
	t.Logf("found %d of 20; %d rounds of the changed benchmark, %d of another", found, rounds/20, others/20/19)
	if found < 18 { // 15 are found if all benchmarks have the same time
		t.Errorf("found %d of 20 slowdowns of 8%%", found)
	}
}

// The report names the undecided comparisons with the rounds and the time that they need.
func TestUndecidedIsNamed(t *testing.T) {
	tasks, _ := fakes(40, 8, 0.06)
	o := Options{Seed: 1, Budget: 12 * time.Second}
	notes := strings.Join(mustRun(t, tasks, o).Report.Notes, "\n")
	if !strings.Contains(notes, "undecided: Fake00-8 sec/op had 11 rounds, needs about ") || !strings.Contains(notes, " more rounds (") || !strings.Contains(notes, " and 3 more") {
		t.Error(notes)
	}
}

func TestEstimate(t *testing.T) {
	tasks := func(n int, round time.Duration) (list []Task) {
		for range n {
			list = append(list, Task{Round: round})
		}
		return list
	}
	for _, tc := range []struct {
		tasks  []Task
		budget time.Duration
		want   string
	}{
		{tasks(1, 150*time.Millisecond), 0, "1 benchmark: 900ms to 15s"},
		{tasks(20, 150*time.Millisecond), 5 * time.Minute, "20 benchmarks: 18s to 5m0s"},
		{[]Task{{Benchmarks: 4, Round: time.Second}}, 0, "4 benchmarks: 6s to 1m0s"},
		{tasks(324, time.Second), 0, "324 benchmarks: 30m0s is too short for 6 rounds of each; use --budget 1h37m12s, or select fewer benchmarks"},
	} {
		if got := (Options{Budget: tc.budget}).Estimate(tc.tasks); got != tc.want {
			t.Errorf("%s, want %s", got, tc.want)
		}
	}
}

// Allocations that vary by chance neither use up the budget, nor make the report undecided. After
// few rounds of a slow benchmark, only its times are unclear.
func TestVaryingAllocations(t *testing.T) {
	for _, tc := range []struct {
		budget time.Duration
		want   []string
		gaps   int
	}{
		{0, []string{"Fake00-8 B/op unclear", "Fake00-8 allocs/op no change", "Fake00-8 sec/op no change"}, 0},
		{time.Second, []string{"Fake00-8 B/op unclear", "Fake00-8 allocs/op no change", "Fake00-8 sec/op unclear"}, 1},
	} {
		tasks, news := fakes(1, 1, 0.005)
		news[0].extra = func(int, float64) string {
			return fmt.Sprintf("\t%d B/op\t%d allocs/op", 100+news[0].random.IntN(50), 1000+news[0].random.IntN(10))
		}
		old := *news[0]
		tasks[0].Sides[0] = old.run
		o := Options{Seed: 1, Budget: tc.budget}
		r := mustRun(t, tasks, o)
		got := verdicts(r.Report)
		if slices.Sort(got); !slices.Equal(got, tc.want) || r.Report.OpenGaps() != tc.gaps || rounds(r) > 15 {
			t.Errorf("%v: %d rounds, %q, gaps %q", tc.budget, rounds(r), got, r.Report.GapLines())
		}
		if notes := strings.Join(r.Report.Notes, "\n"); strings.Contains(notes, "B/op had") {
			t.Error(notes)
		}
	}
}
