package chart

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An interval that extends beyond the axis has an arrow. A value beyond the axis has no mark.
func TestArrows(t *testing.T) {
	area := regexp.MustCompile(`<(?:path d="M|circle cx=")([0-9.]+)[^>]* style="fill:var\(--weak\)`)
	for _, tc := range []struct {
		row  Interval
		want []bool // whether each coloured area or mark is in the right half
	}{
		{Interval{Value: 1, Low: 0, High: 2}, []bool{true}},
		{Interval{Value: 1, Low: -50, High: 2}, []bool{false, true}},
		{Interval{Value: 1, Low: -50, High: 50}, []bool{false, true, true}},
		{Interval{Value: 50, Low: 40, High: 60}, []bool{true}},
		{Interval{Value: math.Inf(-1), Low: math.Inf(-1), High: math.Inf(-1)}, []bool{false}},
	} {
		tc.row.Ink = Weak
		picture := string(tc.row.SVG(Axis{Min: -10, Max: 10}, 0))
		var got []bool
		for _, m := range area.FindAllStringSubmatch(picture, -1) {
			x, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, x > 70)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s\n%s", tc.row, diff, picture)
		}
	}
}

// A single large change among many does not determine the axis, but a large change alone does.
func TestAround(t *testing.T) {
	rows := make([]Interval, 20)
	for i := range rows {
		rows[i] = Interval{Value: 4, Low: 3, High: 5, Band: 3}
	}
	rows[7] = Interval{Value: 900, Low: 800, High: 1000, Band: 3}
	if r := Around(rows).Max; r > 8 {
		t.Errorf("the axis reaches to %g", r)
	}
	if r := Around(rows[7:8]).Max; r < 1000 {
		t.Errorf("the axis reaches to %g", r)
	}
	for _, rows := range [][]Interval{nil, {{}}, {{Value: math.Inf(-1)}}, {{Value: math.MaxFloat64, Band: math.MaxFloat64}}} {
		if r := Around(rows).Max; !(r > 0) || math.IsInf(r, 0) {
			t.Errorf("%v: %g", rows, r)
		}
	}
}
