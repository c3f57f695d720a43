package compare

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Options.Judge can judge rows with a single sample per side. Its results are not corrected for the
// number of comparisons, and the usual rule gives the verdict.
func TestJudge(t *testing.T) {
	head := "Unit recall assume=exact better=higher\n"
	old := head + samplesOf("Slower", 100, "ns/op", 1) + samplesOf("Rate", 100, "MB/s", 1) + samplesOf("Few", 100, "ns/op", 1) + samplesOf("Gone", 1, "ns/op", 1) + samplesOf("Exact", 1, "recall", 1)
	new := head + samplesOf("Slower", 100, "ns/op", 1) + samplesOf("Rate", 100, "MB/s", 1) + samplesOf("Few", 100, "ns/op", 1) + samplesOf("Fresh", 1, "ns/op", 1) + samplesOf("Exact", 0.5, "recall", 1)
	var asked []string
	effects := map[string]Effect{
		"Slower": {Change: 0.06, Lo: 0.04, Hi: 0.08, P: 0.019, Detectable: 0.05, Noise: true},
		"Rate":   {Change: 0.5, Lo: -0.1, Hi: 0.9, P: 0.021, Detectable: 0.7, Noise: true},
	}
	r := compareTexts(t, old, new, Options{Judge: func(t Table, r Row) (Judgement, bool) {
		asked = append(asked, r.Name+" "+t.Unit)
		e, ok := effects[r.Name]
		return Judgement{e, []float64{1}, []float64{2}}, ok
	}})
	expect(t, "asked", []string{"Slower sec/op", "Few sec/op", "Rate B/s"}, asked)
	expect(t, "verdicts", []string{"Slower sec/op: REGRESSION", "Few sec/op: too few samples", "Gone sec/op: missing", "Fresh sec/op: new", "Rate B/s: unclear", "Exact recall: REGRESSION"}, verdicts(r))
	expect(t, "gaps", []string{
		"old.txt:5: missing: Gone is missing in new (sec/op)",
	}, gaps(r))
	expect(t, "notes", nil, r.Notes)
	got := r.Tables[0].Rows[0].Effect
	got.detectable = nil
	if diff := cmp.Diff(effects["Slower"], got, cmp.AllowUnexported(Effect{})); diff != "" {
		t.Errorf("effect (-want +got):\n%s", diff)
	}
}

// The figures of the judgement are shown instead of the medians of all samples.
func TestJudgedFiguresAreShown(t *testing.T) {
	r := compareTexts(t, samplesOf("A", 100, "ns/op", 8), samplesOf("A", 150, "ns/op", 8), Options{Judge: func(Table, Row) (Judgement, bool) {
		return Judgement{Effect{Change: -0.05, P: 1, Noise: true}, []float64{2e-9}, []float64{10e-9, 11e-9, 12e-9, 13e-9, 10e-9, 11e-9, 10e-9}}, true
	}})
	row := r.Tables[0].Rows[0]
	if row.Old.Median != 2e-9 || !near(row.New.Median, 1.9e-9) || row.Old.Samples != 8 || row.New.PlusMinus() != "18%" {
		t.Errorf("%+v", row)
	}
}

// Exact values are equal if they differ by at most one unit of the eighth digit.
func TestExactTolerance(t *testing.T) {
	for _, tc := range []struct {
		old, new float64
		want     Verdict
	}{
		{0.12345678, 0.12345679, NoChange},
		{0.12345679, 0.12345678, NoChange},
		{0.10000000, 0.10000001, NoChange},
		{0.12345680, 0.12345678, Regression},
		{0.12345678, 0.12345680, Improvement},
		{0.99999, 0.99998, Regression},
	} {
		side := func(v float64) string {
			return fmt.Sprintf("Unit recall assume=exact better=higher\nBenchmarkA 1 %v recall\n", v)
		}
		if got := compareTexts(t, side(tc.old), side(tc.new), Options{}).Tables[0].Rows[0].Verdict; got != tc.want {
			t.Errorf("from %v to %v: %s, want %s", tc.old, tc.new, got, tc.want)
		}
	}
}

// The verdict no change requires that both ends of the interval are within the threshold.
func TestVerdictOf(t *testing.T) {
	const alpha = 0.02
	table := Table{Threshold: 0.03, Better: -1}
	for _, tc := range []struct {
		effect Effect
		want   Verdict
	}{
		{Effect{Change: 0.01, Lo: -0.03, Hi: 0.03, P: 0.5, Noise: true}, NoChange},
		{Effect{Change: 0.01, Lo: -0.02, Hi: 0.04, P: 0.5, Noise: true}, Unclear},
		{Effect{Change: -0.01, Lo: -0.04, Hi: 0.02, P: 0.5, Noise: true}, Unclear},
		{Effect{Change: 0.02, Lo: 0.01, Hi: 0.03, P: alpha, Noise: true}, Small},
		{Effect{Change: 0.03, Lo: 0.01, Hi: 0.05, P: alpha, Noise: true}, Small},
		{Effect{Change: 0.04, Lo: 0.01, Hi: 0.07, P: alpha, Noise: true}, Regression},
		{Effect{Change: 0.04, Lo: 0.01, Hi: 0.07, P: 0.021, Noise: true}, Unclear},
		{Effect{Change: -0.04, Lo: -0.07, Hi: -0.01, P: alpha, Noise: true}, Improvement},
	} {
		if got := verdictOf(table, tc.effect, alpha); got != tc.want {
			t.Errorf("%+v: %s, want %s", tc.effect, got, tc.want)
		}
	}
}

// The detectable change is computed from alpha divided by the number of comparisons.
func TestDetectableIsOfAllComparisons(t *testing.T) {
	one := compareTexts(t, samplesOf("A", 100, "ns/op", 8), samplesOf("A", 100, "ns/op", 8), Options{Alpha: 0.005})
	four := ""
	for _, name := range []string{"A", "B", "C", "D"} {
		four += samplesOf(name, 100, "ns/op", 8)
	}
	all := compareTexts(t, four, four, Options{Alpha: 0.02})
	if got, want := all.Tables[0].Rows[0].Effect.Detectable, one.Tables[0].Rows[0].Effect.Detectable; !near(got, want) {
		t.Errorf("%v for a quarter of 2%%, %v for 0.5%%", got, want)
	}
}

// The p values are adjusted by Holm's method for all comparisons: the smallest of four is
// multiplied by 4, the next one by 3, and none is smaller than the one before.
func TestPValuesAreOfAllComparisons(t *testing.T) {
	sides := func(names ...string) (old, new string) {
		for _, name := range names {
			old += samplesOf(name, 100, "ns/op", 8)
			new += samplesOf(name, map[string]float64{"A": 102, "B": 101.5, "C": 101, "D": 100}[name], "ns/op", 8)
		}
		return old, new
	}
	alone := map[string]float64{}
	for _, name := range []string{"A", "B", "C", "D"} {
		old, new := sides(name)
		alone[name] = compareTexts(t, old, new, Options{}).Tables[0].Rows[0].Effect.P
	}
	old, new := sides("D", "B", "A", "C")
	least := 0.0
	together := map[string]float64{}
	for _, r := range compareTexts(t, old, new, Options{}).Tables[0].Rows {
		together[r.Name] = r.Effect.P
	}
	for i, name := range []string{"A", "B", "C", "D"} {
		least = max(least, min(1, float64(4-i)*alone[name]))
		if !near(together[name], least) {
			t.Errorf("%s: p is %v, want %v; %v alone", name, together[name], least, alone[name])
		}
	}
	if !(alone["A"] < alone["B"] && alone["B"] < alone["C"] && together["A"] < 1) {
		t.Errorf("p values alone: %v", alone)
	}
}
