package ab

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simhashkit/bench/gobench/compare"
)

func inputOf(name string, text []byte) compare.Input {
	return compare.Input{Label: name, Name: name, Reader: bytes.NewReader(text)}
}

// saved returns the files of a run, with lines above those of the run as fphash ab writes them.
func savedFiles(r *Result) []compare.Input {
	head := "# command: fphash ab\n# side: x\n"
	return []compare.Input{inputOf("old", append([]byte(head), r.Old...)), inputOf("new", append([]byte(head), r.New...))}
}

// drawnTasks returns programs of all kinds: alike and not, noisy and constant, with rates, counts
// and exact figures, in one process or several, and some that fail.
func drawnTasks(c *clock, random *rand.Rand) []Task {
	var tasks []Task
	for i := range 1 + random.IntN(3) {
		old, new := programs(c, random.Uint64(), []float64{0, 0, 0.02, 0.04, -0.05, 0.3}[random.IntN(6)])
		modes, allocations, level := []float64{0, 0.001, 0.02, 0.1}[random.IntN(4)], random.IntN(3), random.IntN(2)
		if random.IntN(6) == 0 {
			new.fail = 1 + random.IntN(12)
		}
		if random.IntN(4) == 0 {
			new.bursts = 0.3
		}
		for k, p := range []*program{old, new} {
			p.name, p.modes = fmt.Sprintf("Fake%d", i), modes
			p.head = "Unit recall assume=exact better=higher\n"
			p.extra = func(run int, ns float64) string {
				text := fmt.Sprintf("\t%.2f MB/s\t%d allocs/op\t0.75 recall\t%.3f balance", 1e6/ns, 3+k*level+run%(1+allocations), ns-1000)
				if run > 2 && allocations == 0 {
					text += "\t7 late-ns/op"
				}
				return text
			}
		}
		tasks = append(tasks, taskOf(old, new))
	}
	return tasks
}

var sameFloats = cmp.Options{cmpopts.EquateNaNs(), cmpopts.IgnoreUnexported(compare.Row{}, compare.Side{}, compare.Effect{})}

// What is saved is judged as it was when it was measured: effects, figures and verdicts are equal.
func TestSavedSamplesAreJudgedAlike(t *testing.T) {
	count := map[compare.Verdict]int{}
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		c := newClock()
		o := c.options()
		o.Old, o.New, o.Seed, o.Control = "old", "new", seed, seed%7 == 6
		if seed%3 == 1 {
			o.Alpha, o.Threshold = 0.2, &compare.Thresholds{Default: 0.01, Units: map[string]float64{"allocs/op": 0.5}}
		}
		r := mustRun(t, drawnTasks(c, random), o)
		report, err := Compare(savedFiles(r), compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		stripLines(r.Report)
		stripLines(report)
		if diff := cmp.Diff(r.Report.Tables, report.Tables, sameFloats...); diff != "" {
			t.Errorf("seed %d (-ab +compare):\n%s", seed, diff)
		}
		if r.Report.Alpha != report.Alpha || r.Report.OpenGaps() != report.OpenGaps() || !strings.Contains(strings.Join(report.Notes, "\n"), "in which fphash ab took the samples") {
			t.Errorf("seed %d: alpha %v and %v, gaps %v and %v", seed, r.Report.Alpha, report.Alpha, r.Report.GapLines(), report.GapLines())
		}
		for verdict, n := range report.Count() {
			count[verdict] += n
		}
	}
	for _, v := range []compare.Verdict{compare.Regression, compare.Improvement, compare.Small, compare.NoChange, compare.Unclear} {
		if count[v] == 0 {
			t.Errorf("no row is %s: this is no test", v)
		}
	}
}

// stripLines drops where samples stand: what ab has saved has other lines above it.
func stripLines(r *compare.Report) {
	for _, t := range r.Tables {
		for i := range t.Rows {
			t.Rows[i].Old.Line, t.Rows[i].New.Line, t.Rows[i].Old.File, t.Rows[i].New.File = 0, 0, "", ""
		}
	}
}

func savedRun(t *testing.T, seed uint64, slower float64) *Result {
	t.Helper()
	c := newClock()
	old, new := programs(c, seed, slower)
	o := c.options()
	o.Seed = seed
	return mustRun(t, []Task{taskOf(old, new)}, o)
}

// Given the other way round, the files tell the change the other way round.
func TestSavedSidesReversed(t *testing.T) {
	files := savedFiles(savedRun(t, 1, 0.3))
	r, err := Compare([]compare.Input{files[1], files[0]}, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if row := r.Tables[0].Rows[0]; row.Verdict != compare.Improvement || math.Abs(row.Effect.Change+0.23) > 0.02 {
		t.Errorf("%s: %v", row.Verdict, row.Effect.Change)
	}
}

// Rounds that do not belong together, or that results are not grouped by, are left alone, and the
// usual test judges.
func TestRoundsThatCannotBeUsed(t *testing.T) {
	a, b := savedRun(t, 1, 0.3), savedRun(t, 2, 0.3)
	plain := func() compare.Input {
		return inputOf("plain", []byte(strings.Repeat("BenchmarkFake-8 1 5 ns/op\n", 6)))
	}
	fa, fb := savedFiles(a), savedFiles(b)
	for _, tc := range []struct {
		name   string
		inputs []compare.Input
		o      compare.Options
		want   string
	}{
		{"two runs", []compare.Input{fa[0], fb[1]}, compare.Options{}, "the files are of different runs"},
		{"one side twice", []compare.Input{inputOf("a", a.Old), inputOf("b", a.Old)}, compare.Options{}, "both files are of the same side"},
		{"another file", []compare.Input{inputOf("a", a.Old), plain()}, compare.Options{}, "expected the two files of one run, and no others"},
		{"appended", []compare.Input{inputOf("a", bytes.Join([][]byte{a.Old, b.Old}, nil)), inputOf("b", bytes.Join([][]byte{a.New, b.New}, nil))}, compare.Options{}, "a file holds several runs"},
		{"no rounds on a side", []compare.Input{inputOf("a", a.Old), inputOf("b", bytes.SplitAfterN(a.New, []byte("\n"), 2)[0])}, compare.Options{}, "a file has none"},
		{"grouped", savedFiles(a), compare.Options{Row: ".name"}, "groups results in another way"},
		{"ignored", savedFiles(a), compare.Options{Rules: compare.Rules{Ignore: "/gomaxprocs"}}, "groups results in another way"},
		{"another alpha", savedFiles(a), compare.Options{Rules: compare.Rules{Alpha: 0.5}}, "likelier than alpha says"},
		{"another threshold", savedFiles(a), compare.Options{Rules: compare.Rules{Threshold: &compare.Thresholds{Default: 0.5}}}, "likelier than alpha says"},
		{"no rounds", []compare.Input{plain(), inputOf("plain2", []byte(strings.Repeat("BenchmarkFake-8 1 5 ns/op\n", 6)))}, compare.Options{}, ""},
	} {
		r, err := Compare(tc.inputs, tc.o)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if notes := strings.Join(r.Notes, "\n"); tc.want != "" && !strings.Contains(notes, tc.want) || tc.want == "" && strings.Contains(notes, "fphash ab") {
			t.Errorf("%s: no %q in %s", tc.name, tc.want, notes)
		}
	}
}

// A line of a round that says something else is an error, with its place: the figures below it
// would count for the round above.
func TestDamagedRounds(t *testing.T) {
	r := savedRun(t, 1, 0.3)
	for _, tc := range []struct{ old, new, want string }{
		{"# ab round: 2 of task 1, run ", "# ab round: 2 of task one, run ", `ab: old:14: ab round "2 of task one, run `},
		{"# ab round: 2 of task 1, run ", "# ab round: 2 of task 0, run ", `expected as in 3 of task 1, run 2`},
		{`"Alpha":0.02`, `"Alpha":2`, `ab: old: line "# ab": alpha 2, thresholds `},
		{`"Default":0.03`, `"Default":-1`, `ab: old: line "# ab": threshold -1: must not be negative`},
		{"# ab: {", "# ab: ", `ab: old: line "# ab": `},
		{"# ab round: 2 of task 1,", "# ab round: 2 of task 99999999,", "ab: there is a task 99999999, but not all before it"},
	} {
		damaged := bytes.Replace(r.Old, []byte(tc.old), []byte(tc.new), 1)
		if bytes.Equal(damaged, r.Old) {
			t.Fatalf("no %q in\n%s", tc.old, r.Old)
		}
		if _, err := Compare([]compare.Input{inputOf("old", damaged), inputOf("new", r.New)}, compare.Options{}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v", tc.new, err)
		}
	}
}

func FuzzCompare(f *testing.F) {
	const head = "# ab: {\"Seed\":1,\"Alpha\":0.02,\"Threshold\":{\"Default\":0.03}}\n"
	f.Add([]byte(head+"# ab round: 1 of task 1, run 1\n# date: x\nBenchmarkX 1 2 ns/op\n# ab round: 2 of task 1, run 2, failed\n"), []byte(head+"# ab round: 1 of task 1, run 2\nBenchmarkX 1 2 ns/op\n"))
	f.Add([]byte(head), []byte(head+"# ab round: 1 of task 1, run 2\n"))
	f.Fuzz(func(t *testing.T, old, new []byte) {
		r, err := Compare([]compare.Input{inputOf("old", old), inputOf("new", new)}, compare.Options{})
		if (r == nil) == (err == nil) {
			t.Errorf("%v, %v", r, err)
		}
	})
}
