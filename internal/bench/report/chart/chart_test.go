package chart

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Areas and lines use the CSS variable of their ink, and no fixed colours.
func TestInksBecomeVariables(t *testing.T) {
	for ink := range Ink(len(variables)) {
		got := string(Frame{ID: "x"}.svg(Size{10, 10}, func(c *canvas) {
			c.area(ink, Point{1, 1}, Point{2, 2}, Point{1, 2})
			c.line(ink, 1, Point{1, 1}, Point{2, 2})
		}))
		variable := "var(" + variables[ink] + ")"
		if !strings.Contains(got, "fill:"+variable) || !strings.Contains(got, "stroke:"+variable) || strings.Contains(got, "#") {
			t.Errorf("ink %d: %s", ink, got)
		}
		if ink == Within && !strings.Contains(got, "fill-opacity:.25") {
			t.Errorf("ink %d is not transparent: %s", ink, got)
		}
	}
}

func example() Lines {
	return Lines{
		Frame:  Frame{ID: "id", Title: "A <b> & c", Description: `says "d"`},
		X:      LogRange("features", 1, 1000),
		Y:      LogRange("ns", 0.1, 100),
		Series: []Series{{Name: "<i>", Ink: Series1, Points: []Point{{X: 1, Y: 10}, {X: 100, Y: 5}, {X: 1000, Y: 1}}}, {Name: "flat", Ink: Series2, Points: []Point{{X: 1, Y: 1}, {X: 1000, Y: 1}}}},
	}
}

func TestLines(t *testing.T) {
	got := string(example().SVG(Size{400, 300}))
	for _, want := range []string{
		`<svg role="img" aria-labelledby="id-title id-desc" viewBox="0 0 400 300">`,
		`<title id="id-title">A &lt;b&gt; &amp; c</title>`, `<desc id="id-desc">says &#34;d&#34;</desc>`,
		">&lt;i&gt;</text>", ">flat</text>", ">features</text>", ">ns</text>", ">100</text>", ">1k</text>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	for _, bad := range []string{"NaN", "Inf", "http", "font-family", "<b>", "<i>"} {
		if strings.Contains(got, bad) {
			t.Errorf("%s in\n%s", bad, got)
		}
	}
	if again := string(example().SVG(Size{400, 300})); again != got {
		t.Error("the same picture has other bytes the second time")
	}
	if open, closed := strings.Count(got, "<g "), strings.Count(got, "</g>"); open != closed || !strings.HasSuffix(strings.TrimSpace(got), "</svg>") {
		t.Errorf("%d groups are opened, %d closed", open, closed)
	}
}

func TestTicks(t *testing.T) {
	for _, tc := range []struct {
		name string
		axis Axis
		want string
	}{
		{"decades", LogRange("", 1, 10_000), "1 10 100 1k 10k"},
		{"one decade", LogRange("", 30, 1000), "50 100 200 500 1k"},
		{"bytes", LogRange("", 1e3, 1e9), "1k 10k 100k 1M 10M 100M 1G"},
		{"many decades", LogRange("", 1, 1e14), "1 100 10k 1M 100M 10G 1T 100T"},
	} {
		var labels []string
		for _, tick := range tc.axis.ticks() {
			labels = append(labels, tick.label)
		}
		if diff := cmp.Diff(tc.want, strings.Join(labels, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// For all positive numbers, an axis has a limited number of ticks, all within its range.
func TestTicksOfAnyRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(1e-100, 1e100), 1, 3).Draw(t, "values")
		a := LogRange("", values...)
		ticks := a.ticks()
		if len(ticks) > 20 {
			t.Fatalf("%d ticks from %g to %g", len(ticks), a.Min, a.Max)
		}
		for _, tick := range ticks {
			if tick.value < a.Min || tick.value > a.Max {
				t.Fatalf("tick %g from %g to %g", tick.value, a.Min, a.Max)
			}
		}
	})
}

func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SliceOfN(rapid.Float64Range(-50, 350), 1, 20).Draw(t, "at")
		slices.Sort(at)
		const gap, low, high = 15.0, 0.0, 300.0
		got := spread(at, gap, low, high)
		for i, v := range got {
			if v < low-1e-9 || v > high+1e-9 || i > 0 && v-got[i-1] < gap-1e-9 {
				t.Fatalf("%v from %v", got, at)
			}
		}
	})
	if diff := cmp.Diff([]float64{10, 100, 115}, spread([]float64{10, 100, 101}, 15, 0, 300)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
