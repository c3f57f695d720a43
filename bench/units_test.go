package bench

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/projections"
	"simhashkit/bench/terms"
)

// The heap is measured once, with whatever else the process does: it is shown in comparisons, and
// nothing follows from it.
func TestHeapIsNotJudged(t *testing.T) {
	file := func(label string, heap uint64) compare.Input {
		c := projections.Case{Method: projections.Gaussian, Bits: 64, Dimensions: 100, Pattern: terms.Uniform, NNZ: 10}
		samples := slices.Repeat([]resultfile.Sample{{Iterations: 1, Value: 5}}, compare.MinSamples)
		rows := projections.Results([]projections.Row{{Case: c, Samples: samples, TableBytes: 25600, HeapBytes: heap}})
		var text bytes.Buffer
		if err := resultfile.Write(&text, resultfile.File{Rows: rows, Units: describe(rows, projections.ExactUnits())}); err != nil {
			t.Fatal(err)
		}
		return compare.Input{Label: label, Name: label, Reader: &text}
	}
	r, err := compare.Compare([]compare.Input{file("old", 27264), file("new", 45000)}, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	count := r.Count()
	if len(r.Gaps) > 0 || count[compare.NotJudged] != 1 || count[compare.NoChange] != 6 {
		t.Errorf("%v, gaps %v", count, r.Gaps)
	}
}

// Files say of each unit of their rows what there is to say.
func TestDescribe(t *testing.T) {
	rows := []resultfile.Row{{Name: "A", Unit: terms.NanosecondsPerKey}, {Name: "B", Unit: terms.Verdict}, {Name: "C", Unit: terms.NanosecondsPerKey}, {Name: "B", Unit: terms.Pairs}}
	want := []resultfile.Unit{{Name: terms.NanosecondsPerKey, Better: -1}, {Name: terms.Verdict, Exact: true, Better: +1}, {Name: terms.Pairs, Exact: true}}
	if diff := cmp.Diff(want, describe(rows, []string{terms.Verdict, terms.Pairs})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
