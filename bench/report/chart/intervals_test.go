package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sampleIntervals() Intervals {
	p := Intervals{Frame: Frame{ID: "id", Title: "title"}, Rows: []Interval{
		{Name: "worse<", Figure: "+5%", Value: 5, Low: 4, High: 6, Band: 3, Ink: Weak},
		{Name: "better", Figure: "−4%", Value: -4, Low: -5, High: -3, Band: 3, Ink: Good},
		{Name: "beyond", Figure: "+∞", Value: math.Inf(1), Low: math.Inf(1), High: math.Inf(1), Ink: Weak},
		{Name: strings.Repeat("long", 60) + "end", Figure: "0%", Low: -1, High: 100, Band: 3, Ink: Muted},
	}}
	p.X = AroundZero("change", "%", p.Rows)
	return p
}

func TestIntervals(t *testing.T) {
	p := sampleIntervals()
	if p.X.Min != -p.X.Max || p.X.Max < 6 || p.X.Max > 10 {
		t.Errorf("axis from %g to %g", p.X.Min, p.X.Max)
	}
	for _, wide := range []float64{360, 900} {
		got := string(p.SVG(wide, "x"))
		for _, want := range []string{">worse&lt;</text>", ">+5%</text>", ">+∞</text>", ">0%</text>", ">−5%</text>", ">change</text>", "…", "end</text>", "var(--weak)", "var(--good)", "fill:var(--muted);fill-opacity:.25"} {
			if !strings.Contains(got, want) {
				t.Errorf("%g wide: no %s", wide, want)
			}
		}
		for _, bad := range []string{"NaN", "Inf", "#"} {
			if strings.Contains(got, bad) {
				t.Errorf("%g wide: %s in\n%s", wide, bad, got)
			}
		}
	}
}

// A name is written out wherever there is room for it, however short: its room is its own width,
// which nothing may round away.
func TestShortNamesAreWrittenOut(t *testing.T) {
	for _, name := range []string{"A", "B", "Fib", "Sort/n=10", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "i", "Hash/kernel=avx2"} {
		p := Intervals{Frame: Frame{ID: "id"}, Rows: []Interval{{Name: name, Figure: "+1%", Value: 1, Low: 0, High: 2}}}
		p.X = AroundZero("change", "%", p.Rows)
		for _, wide := range []float64{360, 900} {
			if got := string(p.SVG(wide, "x")); !strings.Contains(got, ">"+name+"</text>") || strings.Contains(got, "…") {
				t.Errorf("%s: not written out, %g wide", name, wide)
			}
		}
	}
}

// What lies beyond the axis has an arrow on its side, and no mark at the end as if that were its
// place.
func TestArrows(t *testing.T) {
	area := regexp.MustCompile(`<path d="M([0-9.]+),[^"]*" style="fill:var\(--weak\)`)
	for _, tc := range []struct {
		row  Interval
		want []bool // for each area of its colour, the marks included: whether it is on the right
	}{
		{Interval{Value: 1, Low: 0, High: 2}, []bool{true}},
		{Interval{Value: 1, Low: -50, High: 2}, []bool{false, true}},
		{Interval{Value: 1, Low: -50, High: 50}, []bool{false, true, true}},
		{Interval{Value: 50, Low: 40, High: 60}, []bool{true}},
		{Interval{Value: math.Inf(-1), Low: math.Inf(-1), High: math.Inf(-1)}, []bool{false}},
	} {
		tc.row.Ink = Weak
		picture := Intervals{Frame: Frame{ID: "id"}, X: Axis{Min: -10, Max: 10, Every: 5}, Rows: []Interval{tc.row}}
		var got []bool
		for _, m := range area.FindAllStringSubmatch(string(picture.SVG(360, "")), -1) {
			x, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, x > 180)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s\n%s", tc.row, diff, picture.SVG(360, ""))
		}
	}
}

// A single large change leaves room to see the others, but a few of them are all there is to see.
func TestAroundZero(t *testing.T) {
	rows := make([]Interval, 20)
	for i := range rows {
		rows[i] = Interval{Value: 4, Low: 3, High: 5, Band: 3}
	}
	rows[7] = Interval{Value: 900, Low: 800, High: 1000, Band: 3}
	if a := AroundZero("", "", rows); a.Max > 8 {
		t.Errorf("the axis reaches to %g", a.Max)
	}
	if a := AroundZero("", "", rows[7:8]); a.Max < 1000 {
		t.Errorf("the axis reaches to %g", a.Max)
	}
	for _, rows := range [][]Interval{nil, {{}}, {{Value: math.Inf(-1)}}, {{Value: math.MaxFloat64, Band: math.MaxFloat64}}} {
		a := AroundZero("", "", rows)
		if !(a.Max > 0) || math.IsInf(a.Max, 0) || a.Min != -a.Max || len(a.Ticks()) == 0 {
			t.Errorf("%v: %+v", rows, a)
		}
	}
}

func TestShortened(t *testing.T) {
	for _, tc := range []struct{ name, want, room string }{
		{"abcdef", "abcdef", "abcdef"}, {"abcdefgh", "abc…fgh", "abc…fgh"}, {"Größe/λ=1", "Gr…=1", "Gr…=1"}, {"abcdef", "…", "a"},
	} {
		if got := shortened(tc.name, width(labelSize, tc.room)); got != tc.want {
			t.Errorf("%s in the room of %s: %s, want %s", tc.name, tc.room, got, tc.want)
		}
	}
}
