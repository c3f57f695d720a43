package compare

import (
	"math"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

func TestConclusion(t *testing.T) {
	rows := func(verdicts ...Verdict) []Table {
		var list []Row
		for _, v := range verdicts {
			list = append(list, Row{Verdict: v, Effect: Effect{Noise: true}})
		}
		return []Table{{Rows: list}}
	}
	for _, tc := range []struct {
		tables []Table
		gaps   []Gap
		want   string
	}{
		{rows(Regression, NoChange, New), nil, "1 regression in 2 comparisons"},
		{rows(Regression, Regression), []Gap{{}, {Accepted: true}}, "2 regressions in 2 comparisons, and 1 thing could not be compared"},
		{rows(NoChange, Small), nil, "no regression in 2 comparisons"},
		{rows(NoChange, Unclear), nil, "no regression in 2 comparisons, but 1 is undecided"},
		{rows(NoChange, Unclear, Unclear), nil, "no verdict: 2 of 3 comparisons are undecided"},
		{rows(NoChange, Unclear, Unclear, Missing), []Gap{{Kind: gapUnclear}, {}}, "no verdict: 2 of 3 comparisons are undecided, and 1 thing could not be compared"},
		{rows(Unclear, Unclear), nil, "no verdict: 2 of 2 comparisons are undecided"},
		{rows(Unclear, New), nil, "no verdict: 1 of 1 comparison is undecided"},
		{rows(NoChange, Missing, Missing), []Gap{{}, {}}, "no regression in 1 comparison, but 2 things could not be compared, which may hide one"},
		{rows(Missing), []Gap{{}}, "nothing could be compared"},
		{rows(New), nil, "nothing was compared"},
	} {
		if got := (&Report{Tables: tc.tables, Gaps: tc.gaps}).Conclusion(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// The verdict names the worst regression, regardless of the direction of its unit, or the noisiest
// benchmark if all are unclear. If there are several packages or columns, it names them.
func TestVerdictNamesTheWorst(t *testing.T) {
	regression := func(name string, change float64) Row {
		return Row{Name: name, Verdict: Regression, Effect: Effect{Change: change}}
	}
	unclear := func(name string, detectable float64) Row {
		return Row{Name: name, Verdict: Unclear, Effect: Effect{Detectable: detectable}}
	}
	improved := Row{Name: "Better", Verdict: Improvement, Effect: Effect{Change: -0.9}}
	of := func(pkg string) []resultfile.Field { return []resultfile.Field{{Name: "pkg", Value: pkg}} }
	for _, tc := range []struct {
		tables []Table
		want   string
	}{
		{[]Table{{Unit: "sec/op", Better: -1, Rows: []Row{improved, regression("A", 0.2)}}}, "1 regression in 2 comparisons; worst: A sec/op +20.00%"},
		{[]Table{{Unit: "sec/op", Better: -1, Rows: []Row{regression("A", 0.2), regression("B", 0.5)}}}, "2 regressions in 2 comparisons; worst: B sec/op +50.00%"},
		// a rate that is a third lower is as bad as a time that is 50% longer
		{[]Table{{Unit: "sec/op", Better: -1, Rows: []Row{regression("A", 0.5)}}, {Unit: "B/s", Better: +1, Rows: []Row{regression("B", -0.34)}}}, "2 regressions in 2 comparisons; worst: B B/s -34.00%"},
		{[]Table{{Unit: "sec/op", Better: -1, Rows: []Row{regression("A", 0.5)}}, {Unit: "B/s", Better: +1, Rows: []Row{regression("B", -0.33)}}}, "2 regressions in 2 comparisons; worst: A sec/op +50.00%"},
		{[]Table{{Unit: "allocs/op", Better: -1, Rows: []Row{regression("A", 9), regression("B", math.Inf(1))}}}, "2 regressions in 2 comparisons; worst: B allocs/op +∞"},
		{[]Table{{Unit: "sec/op", Rows: []Row{unclear("A", 0.05), unclear("B", 0.5)}}}, "no verdict: 2 of 2 comparisons are undecided; noisiest: B sec/op"},
		{[]Table{{Unit: "sec/op", Better: -1, Config: of("a"), New: "x", Rows: []Row{regression("A", 0.2)}}, {Unit: "sec/op", Better: -1, Config: of("b"), New: "x", Rows: []Row{regression("A", 0.5)}}},
			"2 regressions in 2 comparisons; worst: A sec/op +50.00% of b"},
		{[]Table{{Unit: "sec/op", Better: -1, Config: of("a"), New: "x", Rows: []Row{regression("A", 0.2)}}, {Unit: "sec/op", Better: -1, Config: of("a"), New: "y", Rows: []Row{improved}}},
			"1 regression in 2 comparisons; worst: A sec/op +20.00% in x"},
	} {
		r := &Report{Tables: tc.tables}
		if got := r.Verdict(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
		if text := writeString(t, r, "text"); !strings.HasSuffix(text, "\nVerdict: "+tc.want+".\n") {
			t.Error(text)
		}
		for _, format := range []string{"markdown", "jsonl"} {
			if text := writeString(t, r, format); !strings.Contains(strings.ToLower(text), strings.ToLower(tc.want)) {
				t.Errorf("%s: %s", format, text)
			}
		}
	}
}

// If a time and its rate got worse equally, the time is named, regardless of rounding.
func TestWorstIsTheTimeAndNotItsRate(t *testing.T) {
	row := func(change float64) Row {
		return Row{Name: "A", Verdict: Regression, Effect: Effect{Change: change}}
	}
	for i := range 100 {
		slower := float64(i+1) / 37
		r := &Report{Tables: []Table{{Unit: "sec/op", Better: -1, Rows: []Row{row(slower)}}, {Unit: "B/s", Better: +1, Rows: []Row{row(1/(1+slower) - 1)}}}}
		if got := r.Verdict(); !strings.Contains(got, "worst: A sec/op") {
			t.Fatalf("%v slower: %s", slower, got)
		}
	}
}

// The summary names a detectable change of at least the threshold, since smaller changes do not
// count.
func TestSummary(t *testing.T) {
	noisy := func(detectable float64) Row {
		return Row{Verdict: NoChange, Effect: Effect{Noise: true, Detectable: detectable}}
	}
	for _, tc := range []struct {
		rows []Row
		want string
	}{
		{[]Row{noisy(0.0001)}, "1 with no change; in a typical benchmark a change of 3% or more would have been detected"},
		{[]Row{noisy(0.0001), noisy(0.0451), noisy(0.9)}, "3 with no change; in a typical benchmark a change of 4.5% or more would have been detected; geometric mean: sec/op +0.00%"},
		{[]Row{noisy(math.Inf(1))}, "1 with no change"},
		{[]Row{noisy(0.0451), {Verdict: Regression, Effect: Effect{Noise: true, Detectable: 0.9}}}, "1 regression, 1 with no change; in a typical other benchmark a change of 4.5% or more would have been detected; geometric mean: sec/op +0.00%"},
		{[]Row{{Verdict: Regression}, {Verdict: Regression}, {Verdict: Improvement}, {Verdict: Small}, {Verdict: Small}, {Verdict: TooFew}}, "2 regressions, 1 improvement, 2 small changes, 1 with too few samples"},
		{nil, "nothing compared"},
	} {
		if got := (&Report{Tables: []Table{{Unit: "sec/op", Threshold: 0.03, Rows: tc.rows}}}).Summary(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
