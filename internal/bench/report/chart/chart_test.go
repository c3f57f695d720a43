package chart

import (
	"math"
	"regexp"
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
			c.line(ink, 1, "", Point{1, 1}, Point{2, 2})
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
		Series: []Series{{Name: "<i>", Ink: Series1, Points: []Point{{X: 1, Y: 10}, {X: 100, Y: 5}, {X: 1000, Y: 1}}}, {Name: "dashed", Ink: Series2, Dashed: true, Points: []Point{{X: 1, Y: 1}, {X: 1000, Y: 1}}}},
	}
}

func TestLines(t *testing.T) {
	got := string(example().SVG(Size{400, 300}))
	for _, want := range []string{
		`<svg role="img" aria-labelledby="id-title id-desc" viewBox="0 0 400 300">`,
		`<title id="id-title">A &lt;b&gt; &amp; c</title>`, `<desc id="id-desc">says &#34;d&#34;</desc>`,
		">&lt;i&gt;</text>", ">dashed</text>", ">features</text>", ">ns</text>", ">100</text>", ">1k</text>", "stroke-dasharray:5,3",
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
		{"linear", Axis{Min: 0, Max: 40, Every: 8}, "0 8 16 24 32 40"},
		{"rounded", Axis{Min: 0, Max: 0.3, Every: 0.1}, "0 0.1 0.2 0.3"},
		{"decades", LogRange("", 1, 10_000), "1 10 100 1k 10k"},
		{"one decade", LogRange("", 30, 1000), "50 100 200 500 1k"},
		{"bytes", LogRange("", 1e3, 1e9), "1k 10k 100k 1M 10M 100M 1G"},
		{"many decades", LogRange("", 1, 1e14), "1 100 10k 1M 100M 10G 1T 100T"},
		{"too fine", Axis{Min: 0, Max: 1e9, Every: 8}, "0 100M 200M 300M 400M 500M 600M 700M 800M 900M 1G"},
	} {
		var labels []string
		for _, tick := range tc.axis.Ticks() {
			labels = append(labels, tick.Label)
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
		for _, a := range []Axis{LogRange("", values...), {Max: values[0], Every: 8}} {
			ticks := a.Ticks()
			if len(ticks) > maxTicks+2 {
				t.Fatalf("%d ticks from %g to %g", len(ticks), a.Min, a.Max)
			}
			for _, tick := range ticks {
				if tick.Value < a.Min || tick.Value > a.Max*1.0001 && !math.IsInf(a.Max*1.0001, 0) {
					t.Fatalf("tick %g from %g to %g", tick.Value, a.Min, a.Max)
				}
			}
		}
	})
}

// Placed labels lie within the bounds and cover neither each other nor a mark.
func TestPlacer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := placer{bounds: box{0, 0, 300, 200}}
		n := rapid.IntRange(1, 40).Draw(t, "labels")
		var points []Point
		for range n {
			points = append(points, Point{rapid.Float64Range(0, 300).Draw(t, "x"), rapid.Float64Range(0, 200).Draw(t, "y")})
			space.taken = append(space.taken, around(points[len(points)-1], points[len(points)-1]).grown(4))
		}
		marks := slices.Clone(space.taken)
		var spots []box
		for _, at := range points {
			if spot, ok := space.place(at, rapid.Float64Range(5, 90).Draw(t, "width"), 14); ok {
				spots = append(spots, spot)
			}
		}
		if n == 1 && len(spots) == 0 {
			t.Fatal("a label alone finds no place")
		}
		for i, s := range spots {
			if !s.inside(space.bounds) || slices.ContainsFunc(marks, s.overlaps) {
				t.Fatalf("label at %v leaves the picture or covers a mark", s)
			}
			for _, o := range spots[:i] {
				if s.overlaps(o) {
					t.Fatalf("labels at %v and %v overlap", s, o)
				}
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

// If many hashes have nearly the same cost and quality, names that do not fit are replaced by
// numbers or omitted.
func TestCrowdedScatter(t *testing.T) {
	s := Scatter{Frame: Frame{ID: "s"}, X: LogRange("x", 1, 2), Y: Axis{Max: 83, Every: 8}, Best: 64}
	for i := range 60 {
		s.Dots = append(s.Dots, Dot{Name: "some-long-name-" + string(rune('a'+i%26)) + string(rune('a'+i/26)), Number: i + 1, X: 1 + float64(i)/60, Y: 63, Low: 63, High: 63, Ink: Series1})
	}
	named := string(s.SVG(Size{900, 480}))
	if n := strings.Count(named, "some-long-name"); n < 10 || n > 60 {
		t.Errorf("%d names", n)
	}
}

// A dot has the intervals of both figures, and at most one ring.
func TestScatterDots(t *testing.T) {
	s := Scatter{Frame: Frame{ID: "s"}, X: LogRange("x", 1, 10), Y: Axis{Max: 83, Every: 8}, Best: 64, Dots: []Dot{
		{Name: "a", X: 2, Left: 1.5, Right: 3, Y: 60, Low: 50, High: 64, Ink: Series1},
		{Name: "b", X: 5, Left: 4, Right: 9, Y: 62, Low: 61, High: 63, Ink: Series2, Ring: true},
	}}
	size := Size{900, 480}
	ring := regexp.MustCompile(`<circle cx="([\d.]+)" cy="([\d.]+)" r="7.5"`).FindAllStringSubmatch(string(s.SVG(size)), -1)
	if len(ring) != 1 {
		t.Fatalf("rings: %q", ring)
	}
	spans := regexp.MustCompile(`d="M ?([\d.]+)[ ,]([\d.]+) ?L ?([\d.]+)[ ,]([\d.]+)" style="fill:none;stroke:var\(--series-2\)`).FindAllStringSubmatch(string(s.SVG(size)), -1)
	if len(spans) != 2 || spans[0][1] != ring[0][1] || spans[1][2] != ring[0][2] || spans[1][2] != spans[1][4] || spans[1][1] == spans[1][3] {
		t.Errorf("ring %q, intervals %q", ring, spans)
	}
}
