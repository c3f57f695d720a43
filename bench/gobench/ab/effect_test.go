package ab

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"simhashkit/bench/gobench/compare"
)

// agrees reports whether the figures of a row tell the change that it says.
func agrees(r compare.Row) bool {
	old, new := r.Old.Median, r.New.Median
	return math.Abs(new-old-r.Effect.Change*math.Abs(old)) <= 1e-9*math.Abs(old)
}

// Whatever a row judges, quartiles or means, times, rates or figures below zero, old and new are as
// far from each other as its change says, though the medians of all samples are not.
func TestFiguresAgreeWithTheChange(t *testing.T) {
	differ := 0 // medians of all samples
	for seed := range uint64(20) {
		c := newClock()
		old, new := programs(c, seed, 0.02)
		for _, p := range []*program{old, new} {
			p.modes, p.drift = 0.05, 0.001
			p.extra = func(run int, ns float64) string {
				return fmt.Sprintf("\t%.4f MB/s\t%.4f balance\t%d allocs/op", 1e6/ns, (ns-1010)/10, 3+run%2)
			}
		}
		if seed%2 == 1 {
			new.bursts = 0.3 // which the means tell
		}
		r := mustRun(t, []Task{taskOf(old, new)}, c.options())
		for _, table := range r.Report.Tables {
			row := table.Rows[0]
			if row.Verdict.Compared() && !agrees(row) {
				t.Errorf("seed %d: %s: %v to %v is no change of %v", seed, table.Unit, row.Old.Median, row.New.Median, row.Effect.Change)
			}
			if row.Old.Lo > row.Old.Median || row.Old.Hi < row.Old.Median || row.New.Lo > row.New.Median || row.New.Hi < row.New.Median {
				t.Errorf("seed %d: %s: %+v, %+v", seed, table.Unit, row.Old, row.New)
			}
		}
		from := func(text []byte) compare.Input {
			return compare.Input{Label: fmt.Sprint(len(text)), Reader: strings.NewReader(string(text))}
		}
		usual, err := compare.Compare([]compare.Input{from(r.Old), from(append(r.New, '\n'))}, compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if row := usual.Tables[0].Rows[0]; math.Abs(row.New.Median/row.Old.Median-1-r.Report.Tables[0].Rows[0].Effect.Change) > 0.01 {
			differ++
		}
	}
	if differ < 5 {
		t.Errorf("the medians of all samples tell another change in %d of 20 runs only: this is no test", differ)
	}
}

// The middle of what is shown is that of the runs' figures, and what never varies is shown as it
// is.
func TestShownFigures(t *testing.T) {
	for _, tc := range []struct {
		old, new           []float64
		change             float64
		shownOld, shownNew float64
	}{
		{[]float64{100, 100, 100}, []float64{121, 121, 121}, 0.21, 100, 121},
		{[]float64{100, 90, 110}, []float64{121, 100, 140}, 0, 110, 110},
		{[]float64{-2, -2, -2}, []float64{1, 1, 3}, 2, -2, 2},
		{[]float64{0, 0, 0}, []float64{3, 3, 3}, math.Inf(1), 0, 3},
		{[]float64{3, 3, 3}, []float64{0, 0, 0}, -1, 3, 0},
	} {
		h := newHypothesis(place{})
		for i := range tc.old {
			h.add(figure{value: tc.old[i], mean: 1000}, figure{value: tc.new[i], mean: 2000})
		}
		j := h.judgement(compare.Effect{Change: tc.change})
		if math.Abs(j.Old.Median-tc.shownOld) > 1e-9 || math.Abs(j.New.Median-tc.shownNew) > 1e-9 {
			t.Errorf("%v to %v, %v: %v to %v", tc.old, tc.new, tc.change, j.Old.Median, j.New.Median)
		}
	}
}

// Where means are judged, means are shown.
func TestShownMeans(t *testing.T) {
	h := newHypothesis(place{})
	h.Means = true
	h.add(figure{value: 10, mean: 1000}, figure{value: 10, mean: 2000})
	if j := h.judgement(compare.Effect{Change: 1}); math.Abs(j.Old.Median-1000) > 1e-9 || math.Abs(j.New.Median-2000) > 1e-9 {
		t.Errorf("%v to %v", j.Old.Median, j.New.Median)
	}
}
