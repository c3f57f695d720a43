package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An interval that extends beyond the axis has an arrow. A value beyond the axis has no mark.
func TestArrows(t *testing.T) {
	area := regexp.MustCompile(`<(?:path d="M|circle cx=")([0-9.]+)[^>]* style="fill:var\(--weak\)`)
	for _, tc := range []struct {
		row  interval
		want []bool // whether each coloured area or mark is in the right half
	}{
		{interval{value: 1, low: 0, high: 2}, []bool{true}},
		{interval{value: 1, low: -50, high: 2}, []bool{false, true}},
		{interval{value: 1, low: -50, high: 50}, []bool{false, true, true}},
		{interval{value: 50, low: 40, high: 60}, []bool{true}},
		{interval{value: math.Inf(-1), low: math.Inf(-1), high: math.Inf(-1)}, []bool{false}},
	} {
		tc.row.ink = inkWeak
		picture := string(tc.row.svg(axis{min: -10, max: 10}, 0))
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
	rows := make([]interval, 20)
	for i := range rows {
		rows[i] = interval{value: 4, low: 3, high: 5, band: 3}
	}
	rows[7] = interval{value: 900, low: 800, high: 1000, band: 3}
	if r := axisAround(rows).max; r > 8 {
		t.Errorf("the axis reaches to %g", r)
	}
	if r := axisAround(rows[7:8]).max; r < 1000 {
		t.Errorf("the axis reaches to %g", r)
	}
	for _, rows := range [][]interval{nil, {{}}, {{value: math.Inf(-1)}}, {{value: math.MaxFloat64, band: math.MaxFloat64}}} {
		if r := axisAround(rows).max; !(r > 0) || math.IsInf(r, 0) {
			t.Errorf("%v: %g", rows, r)
		}
	}
}

// Greater values are farther to the right. Values beyond an axis are at its end.
func TestPlace(t *testing.T) {
	for _, tc := range []struct {
		axis    axis
		v, want float64
	}{
		{axis{min: 1, max: 5}, 2, 25},
		{axis{min: 1, max: 5}, 7, 100},
		{axis{min: 1, max: 5}, math.Inf(-1), 0},
		{axis{min: 1, max: 100, log: true}, 10, 50},
		{axis{min: -math.MaxFloat64, max: math.MaxFloat64}, 0, 50},
	} {
		if got := tc.axis.place(tc.v, 0, 100); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%g on %+v is at %g, want %g", tc.v, tc.axis, got, tc.want)
		}
	}
}

// Areas and lines use the CSS variable of their ink, and no fixed colours.
func TestInksBecomeVariables(t *testing.T) {
	for _, ink := range []ink{inkMuted, inkGood, inkUndecided, inkWeak} {
		got := string(interval{value: 1, low: 0, high: 9, band: 2, ink: ink}.svg(axis{min: -5, max: 5}, 0))
		variable := "var(--" + string(ink) + ")"
		if !strings.Contains(got, "fill:"+variable) || !strings.Contains(got, "stroke:"+variable) || strings.Contains(got, "#") || !strings.Contains(style, "--"+string(ink)+":") {
			t.Errorf("ink %s: %s", ink, got)
		}
	}
}
