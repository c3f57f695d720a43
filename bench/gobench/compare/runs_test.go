package compare

import (
	"fmt"
	"strings"
	"testing"
)

// runsOf returns the output of n equal process runs.
func runsOf(n int, text string) string { return strings.Repeat(text+"PASS\n", n) }

// With one process run of a side, a change of times is unclear. With two, it is unclear unless
// placement in memory and drift cannot explain it.
func TestFewRuns(t *testing.T) {
	for _, tc := range []struct {
		name              string
		unit              string
		old, new          float64
		oldRuns, newRuns  int
		verdict, withheld Verdict
	}{
		{"slower", "ns/op", 100, 106, 1, 1, Unclear, Regression},
		{"faster", "ns/op", 100, 90, 1, 1, Unclear, Improvement},
		{"unknown direction", "wombats", 100, 90, 1, 1, Unclear, Changed},
		{"the fewer runs count", "ns/op", 100, 106, 6, 2, Unclear, Regression},
		{"the fewer runs count, the other way round", "ns/op", 100, 106, 2, 6, Unclear, Regression},
		{"three runs", "ns/op", 100, 106, 3, 3, Regression, ""},
		{"as much as drift can do", "ns/op", 100, 199, 2, 2, Unclear, Regression},
		{"more than drift can do", "ns/op", 100, 201, 2, 2, Regression, ""},
		{"as much, faster", "ns/op", 199, 100, 2, 2, Unclear, Improvement},
		{"more, faster", "ns/op", 201, 100, 2, 2, Improvement, ""},
		{"as much, of a rate", "MB/s", 199, 100, 2, 2, Unclear, Regression},
		{"more, of a rate", "MB/s", 201, 100, 2, 2, Regression, ""},
		{"from nothing", "ns/op", 0, 100, 2, 2, Regression, ""},
		{"one run, much slower", "ns/op", 100, 900, 1, 1, Unclear, Regression},
		{"one run of one side", "ns/op", 100, 900, 1, 6, Unclear, Regression},
		{"one run, from nothing", "ns/op", 0, 100, 1, 1, Unclear, Regression},
		{"within the threshold", "ns/op", 100, 102.5, 1, 1, Small, ""},
		{"memory", "B/op", 100, 106, 1, 1, Regression, ""},
		{"allocations", "allocs/op", 100, 106, 1, 1, Regression, ""},
	} {
		r := compareTexts(t, runsOf(tc.oldRuns, samplesOf("A", tc.old, tc.unit, 8)), runsOf(tc.newRuns, samplesOf("A", tc.new, tc.unit, 8)), Options{})
		row := r.Tables[0].Rows[0]
		if row.Verdict != tc.verdict || row.Withheld != tc.withheld {
			t.Errorf("%s: %q, withheld %q; want %q, %q", tc.name, row.Verdict, row.Withheld, tc.verdict, tc.withheld)
		}
		if said := len(r.Notes) == 1 && strings.Contains(r.Notes[0], "1 change that would be significant is unclear"); (r.OpenGaps() > 0) != (tc.withheld != "") || said != (tc.withheld != "") {
			t.Errorf("%s: gaps %q, notes %q", tc.name, gaps(r), r.Notes)
		}
		if tc.withheld == "" {
			continue
		}
		// If the gap is accepted, the change is judged, and a note about few runs replaces the gap.
		r = compareTexts(t, runsOf(tc.oldRuns, samplesOf("A", tc.old, tc.unit, 8)), runsOf(tc.newRuns, samplesOf("A", tc.new, tc.unit, 8)), Options{Accept: []string{gapRuns, gapDirection}})
		if row := r.Tables[0].Rows[0]; row.Verdict != tc.withheld || row.Withheld != "" || r.OpenGaps() != 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "fewer than 3 runs") {
			t.Errorf("%s, accepted: %q, withheld %q, gaps %q, notes %q", tc.name, row.Verdict, row.Withheld, gaps(r), r.Notes)
		}
	}
}

// Text formats show a withheld verdict as unclear with a note. JSON has fields for it.
func TestWithheld(t *testing.T) {
	var old, new strings.Builder
	for i := range 200 { // the middle samples are slow
		for _, side := range []*strings.Builder{&old, &new} {
			fmt.Fprintf(side, "BenchmarkStretch 1 %.1f ns/op\n", 100+0.2*float64(i/10%2))
		}
	}
	old.WriteString(samplesOf("Slower", 100, "ns/op", 8))
	new.WriteString(samplesOf("Slower", 110, "ns/op", 8))
	r := compareTexts(t, old.String(), new.String(), Options{})
	for format, wants := range map[string][]string{
		"text":     {"no change\n", "unclear\n", "change that would be significant is unclear", "\nVerdict: no regression in 2"},
		"markdown": {"| no change |", "**sec/op", "| unclear |", "Therefore, 1 change that would be significant is unclear"},
		"jsonl":    {`"verdict":"unclear","withheld":"REGRESSION"}`, `"benchmark":"Slower"`, `"conclusion":"no regression in 2`},
	} {
		got := writeString(t, r, format)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s has no %q:\n%s", format, want, got)
			}
		}
	}
	// The row with the withheld verdict is above the collapsed section.
	if before, _, _ := strings.Cut(writeString(t, r, "markdown"), "<details>"); !strings.Contains(before, "| Slower |") || strings.Contains(before, "| Stretch |") {
		t.Error(before)
	}
}
