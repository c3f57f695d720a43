// Package chart draws the pictures of a report as SVG that stands inside an HTML page and takes its
// colours and its font from the page's style.
//
// An [Ink] is a CSS variable, so that a page can be light or dark. Text stays text, as wide as the
// layout says in whatever font. The same input gives the same bytes.
package chart

import "strings"

// Ink is a colour by its role.
type Ink uint8

// The inks. The page gives each its colour by a CSS variable: --ink, --muted, --grid, --series-1
// and so on.
const (
	Text Ink = iota
	Muted
	Grid
	Series1
	Series2
	Series3
	Series4
	Series5
	Series6
	Within // what does not matter
	Good   // a change for the better
	Weak   // a change for the worse
	inks
)

// SeriesInk returns the ink of the i-th series, counted from 0; there are six, which then come
// again.
func SeriesInk(i int) Ink { return Series1 + Ink(i%6) }

// Class returns the name of the ink in CSS classes: series-1.
func (i Ink) Class() string { return strings.TrimPrefix(names[i].variable, "--") }

var names = [inks]struct {
	variable string
	opacity  string // of an area, "" for 1
}{
	Text: {"--ink", ""}, Muted: {"--muted", ""}, Grid: {"--grid", ""},
	Series1: {"--series-1", ""}, Series2: {"--series-2", ""}, Series3: {"--series-3", ""},
	Series4: {"--series-4", ""}, Series5: {"--series-5", ""}, Series6: {"--series-6", ""},
	Within: {"--muted", ".25"}, Good: {"--good", ""}, Weak: {"--weak", ""},
}

// fill is the style of an area.
func (i Ink) fill() string {
	style := "fill:var(" + names[i].variable + ")"
	if opacity := names[i].opacity; opacity != "" {
		style += ";fill-opacity:" + opacity
	}
	return style
}

// stroke is the style of a line of that width.
func (i Ink) stroke(width float64) string {
	return "stroke:var(" + names[i].variable + ");stroke-width:" + px(width)
}
