package ab

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/compare"
)

// recorded saves a result and judges the saved files.
func recorded(t *testing.T, r *Result, rules compare.Options) (*compare.Report, error) {
	var old, new bytes.Buffer
	for i, side := range []*bytes.Buffer{&old, &new} {
		if err := r.Save(side, i); err != nil {
			t.Fatal(err)
		}
	}
	return Recorded(compare.Input{Label: "old", Name: "old", Text: old.Bytes()}, compare.Input{Label: "new", Name: "new", Text: new.Bytes()}, rules)
}

// shown lists the rows of a table as text.
func shown(t compare.Table) (rows []string) {
	for _, r := range t.Rows {
		rows = append(rows, fmt.Sprintf("%s %s %+v %+v %+v", r.Name, r.Verdict, r.Effect, r.Old.Figure, r.New.Figure))
	}
	return rows
}

// Two saved sides give the same verdicts, changes and intervals as the run that saved them.
func TestRecorded(t *testing.T) {
	for seed := range uint64(12) {
		var tasks []Task
		for i, slower := range []float64{0, 0.02, 0.06, 0.5} {
			old, new := programs(10*seed+uint64(i), slower)
			old.name, new.name = fmt.Sprint("A", i), fmt.Sprint("A", i)
			old.extra = func(int, float64) string { return "\t3 allocs/op" }
			new.extra = old.extra
			if i == 1 && seed%3 == 0 {
				new.fail = 4
			}
			tasks = append(tasks, taskOf(old, new))
		}
		o := Options{Seed: 1}
		o.Seed, o.Budget = seed, 3e9
		if seed%2 == 0 {
			o.Rules.Threshold, o.Rules.Alpha = &compare.Thresholds{Default: 0.05, Units: map[string]float64{"allocs/op": 0.01}}, 0.05
		}
		r := mustRun(t, tasks, o)
		again, err := recorded(t, r, compare.Options{})
		if err != nil || again == nil {
			t.Fatalf("seed %d: %v, %v", seed, again, err)
		}
		for i, table := range r.Report.Tables {
			if diff := cmp.Diff(shown(table), shown(again.Tables[i])); diff != "" || table.Threshold != again.Tables[i].Threshold {
				t.Errorf("seed %d, %s: %v and %v, -run +recorded\n%s", seed, table.Unit, table.Threshold, again.Tables[i].Threshold, diff)
			}
		}
		if r.Report.Verdict() != again.Verdict() || r.Report.OpenGaps() != again.OpenGaps() {
			t.Errorf("seed %d: %q and %q", seed, r.Report.Verdict(), again.Verdict())
		}
	}
}

// Other files are not recognized as saved sides. Given rules replace those of the run.
func TestRecordedOfOtherFiles(t *testing.T) {
	old, new := programs(1, 0.06)
	r := mustRun(t, []Task{taskOf(old, new)}, Options{Seed: 1})
	lenient := &compare.Thresholds{Default: 0.5}
	again, err := recorded(t, r, compare.Options{Threshold: lenient})
	if err != nil || again.Count()["REGRESSION"] > 0 || r.Report.Count()["REGRESSION"] == 0 {
		t.Errorf("%v, %v", again, err)
	}
	input := func(text string) compare.Input {
		return compare.Input{Label: text, Name: "a.txt", Text: []byte(text)}
	}
	for _, texts := range [][2]string{{"", ""}, {"# order: 1 a\n", "# order: 2 a\n"}, {"BenchmarkA 1 2 ns/op\n", "# order: 1\n"}} {
		if r, err := Recorded(input(texts[0]), input(texts[1]), compare.Options{}); r != nil || err != nil {
			t.Errorf("%q: %v, %v", texts, r, err)
		}
	}
	damaged := input("# order: 1\n# rules: x\n")
	if _, err := Recorded(damaged, damaged, compare.Options{}); err == nil || !strings.HasPrefix(err.Error(), "ab: a.txt: line # rules: ") {
		t.Errorf("damaged rules: %v", err)
	}
	// damaged round lines do not cause a panic
	for _, line := range []string{"# round: ", "# round: 0 of task 0", "# round: 1 of task -1", "# round: 1 of task 1000000", "# round: x"} {
		if _, err := Recorded(input("# order: 1\n"+line+"\nBenchmarkA 1 2 ns/op\n"), input("# order: 1\n"+line+"\nBenchmarkA 1 2 ns/op\n"), compare.Options{}); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}
