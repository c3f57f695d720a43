package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Words stay within the picture and have the computed width, at all positions.
func TestWords(t *testing.T) {
	attributes := regexp.MustCompile(`<text x="([^"]*)" y="[^"]*" textLength="([^"]*)" lengthAdjust="spacingAndGlyphs"`)
	rapid.Check(t, func(t *rapid.T) {
		words, align := rapid.StringN(1, 60, -1).Draw(t, "words"), rapid.SampledFrom([]float64{atLeft, atMiddle, atRight}).Draw(t, "align")
		at, natural := rapid.Float64Range(-100, 500).Draw(t, "x"), width(labelSize, words)
		m := attributes.FindStringSubmatch(string(Frame{}.svg(Size{400, 20}, func(c *canvas) { c.write(labelSize, Text, align, at, 10, words) })))
		if m == nil {
			t.Fatal("there are no words")
		}
		x, _ := strconv.ParseFloat(m[1], 64)
		wide, _ := strconv.ParseFloat(m[2], 64)
		if x < 2 || x+wide > 398.01 || natural < 396 && math.Abs(wide-natural) > 0.01 {
			t.Fatalf("from %g, %g wide; they need %g", x, wide, natural)
		}
		if left := at - align*natural; left > 2 && left+natural < 398 && math.Abs(x-left) > 0.01 {
			t.Fatalf("from %g, though there is room from %g", x, left)
		}
	})
	// Chromium measures these widths in Liberation Sans at 100 px.
	for words, want := range map[string]float64{"Hash/kernel=avx2": 803.2, "+9.90% −0.25%": 711.7, "日本": 200} {
		if got := width(100, words); math.Abs(got-want) > 0.2 {
			t.Errorf("%s is %g wide, want %g", words, got, want)
		}
	}
}

// Labels of ticks that would overlap are omitted on both axes.
func TestCrowdedTicks(t *testing.T) {
	axis := LogRange("t", 1, 50) // with ticks at 1, 2, 5, 10, 20 and 50
	for _, tc := range []struct {
		size Size
		all  bool
	}{{Size{2000, 2000}, true}, {Size{100, 2000}, false}, {Size{2000, 100}, false}} {
		got := string(Lines{X: axis, Y: axis}.SVG(tc.size))
		if labels := strings.Count(got, "<text"); (labels == 2*6+2) != tc.all || labels < 6+2 || strings.Count(got, "<path") != 2*6 {
			t.Errorf("%v: %d labels", tc.size, labels)
		}
	}
}

// Greater values are farther to the right and higher up. Values beyond an axis are at its end.
func TestPlace(t *testing.T) {
	for _, tc := range []struct {
		axis    Axis
		v, want float64
	}{
		{Axis{Min: 1, Max: 5}, 2, 25},
		{Axis{Min: 1, Max: 5}, 7, 100},
		{Axis{Min: 1, Max: 5}, math.Inf(-1), 0},
		{Axis{Min: 1, Max: 100, Log: true}, 10, 50},
		{Axis{Min: -math.MaxFloat64, Max: math.MaxFloat64}, 0, 50},
	} {
		if got := tc.axis.place(tc.v, 0, 100); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%g on %+v is at %g, want %g", tc.v, tc.axis, got, tc.want)
		}
	}
	got := string(Frame{}.svg(Size{100, 100}, func(c *canvas) {
		c.line(Text, 1, Point{10, 20}, Point{30, 40})
		c.mark(Text, 3, Point{10, 20})
		c.write(tickSize, Text, atLeft, 10, 20, "words")
	}))
	for _, want := range []string{`d="M10,80L30,60"`, `cx="10" cy="80"`, `<text x="10" y="83.67"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}
