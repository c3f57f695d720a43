// Package chart draws the pictures of a report with gonum/plot, as SVG that stands inside an HTML
// page and takes its colours and its font from the page's style.
//
// gonum writes fixed colours. Every [Ink] has one that nothing else has, and in the finished SVG it
// is replaced by the CSS variable of that name, so that a page can be light or dark. Text stays
// text. The same input gives the same bytes.
package chart

import (
	"fmt"
	"image/color"
	"strings"
)

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
	IdealBand // what an ideal hash does, mean ± standard deviation
	HashBand  // the same of the hash in question
	Good      // a change for the better
	Weak      // a change for the worse
	Seldom1   // flips in fewer than half of the cases, Seldom1 hardly fewer and Seldom5 never
	Seldom2
	Seldom3
	Seldom4
	Seldom5
	Often1 // flips in more than half of the cases
	Often2
	Often3
	Often4
	Often5
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
	IdealBand: {"--muted", ".25"}, HashBand: {"--series-1", ".25"}, Good: {"--good", ""}, Weak: {"--weak", ""},
	Seldom1: {"--seldom", ".2"}, Seldom2: {"--seldom", ".4"}, Seldom3: {"--seldom", ".6"}, Seldom4: {"--seldom", ".8"}, Seldom5: {"--seldom", ""},
	Often1: {"--often", ".2"}, Often2: {"--often", ".4"}, Often3: {"--often", ".6"}, Often4: {"--often", ".8"}, Often5: {"--often", ""},
}

// RGBA makes an ink a colour for gonum: not the one that is seen, but one that [inkReplacer] finds
// again. gonum leaves black out of areas and of text, so none is black.
func (i Ink) RGBA() (r, g, b, a uint32) {
	return color.RGBA{R: 0xF1, G: 0x0F, B: uint8(i) * 4, A: 0xFF}.RGBA()
}

var _ color.Color = Text

// inkReplacer turns the colours of the inks, as gonum writes them, into those of the page's style.
var inkReplacer = func() *strings.Replacer {
	var pairs []string
	for i := range inks {
		written := hex(i)
		area := fmt.Sprintf("fill:var(%s)", names[i].variable)
		if names[i].opacity != "" {
			area += ";fill-opacity:" + names[i].opacity
		}
		pairs = append(pairs, "fill:"+written, area, "stroke:"+written, fmt.Sprintf("stroke:var(%s)", names[i].variable))
	}
	return strings.NewReplacer(pairs...)
}()

// hex writes a colour as gonum's SVG canvas does, which loses one now and then in going from 16
// bits to 8.
func hex(c color.Color) string {
	r, g, b, a := c.RGBA()
	scale := 255.0 / float64(a)
	return fmt.Sprintf("#%02X%02X%02X", int(float64(r)*scale), int(float64(g)*scale), int(float64(b)*scale))
}
