// Package chart draws the pictures of a report as SVG inside an HTML page. The page's style sets
// the colours and the font.
//
// An [Ink] is a CSS variable, so that a page can be light or dark. Text remains text, and has the
// width that the layout computes, whatever the font. The same input gives the same bytes.
package chart

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// Ink is a colour, named by its role.
type Ink uint8

// The inks. The page sets the colour of each with a CSS variable.
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
	Within // area of changes that do not matter
	Good   // a change for the better
	Weak   // a change for the worse
)

// SeriesInk returns the ink of the i-th series, from 0. There are six inks, which then repeat.
func SeriesInk(i int) Ink { return Series1 + Ink(i%6) }

// Class returns the name of the ink in CSS classes, such as series-1.
func (i Ink) Class() string { return strings.TrimPrefix(variables[i], "--") }

var variables = [...]string{
	Text: "--ink", Muted: "--muted", Grid: "--grid",
	Series1: "--series-1", Series2: "--series-2", Series3: "--series-3", Series4: "--series-4", Series5: "--series-5", Series6: "--series-6",
	Within: "--muted", Good: "--good", Weak: "--weak",
}

func (i Ink) fill() string {
	if i == Within {
		return "fill:var(--muted);fill-opacity:.25"
	}
	return "fill:var(" + variables[i] + ")"
}

func (i Ink) stroke(width float64) string {
	return "stroke:var(" + variables[i] + ");stroke-width:" + px(width)
}

// Frame has the properties of every picture: a unique identifier, a title, and a description in
// words.
type Frame struct {
	ID          string
	Title       string
	Description string
}

// Size is the size of a picture in CSS pixels. A page may scale the picture.
type Size struct{ Width, Height float64 }

// Point is a pair of values, or a position in a picture: in pixels, y upwards.
type Point struct{ X, Y float64 }

// canvas is a picture that is being drawn. Its text is drawn last, so that no line crosses it.
type canvas struct {
	Size
	svg, words strings.Builder
}

// svg calls paint with an empty canvas of that size and returns the drawing.
func (f Frame) svg(size Size, paint func(*canvas)) template.HTML {
	c := &canvas{Size: size}
	id := template.HTMLEscapeString(f.ID)
	fmt.Fprintf(&c.svg, `<svg role="img" aria-labelledby="%s-title %s-desc" viewBox="0 0 %g %g"><title id="%s-title">%s</title><desc id="%s-desc">%s</desc>`+"\n",
		id, id, size.Width, size.Height, id, template.HTMLEscapeString(f.Title), id, template.HTMLEscapeString(f.Description))
	paint(c)
	return template.HTML(c.svg.String() + c.words.String() + "</svg>")
}

func px(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

func (c *canvas) path(d, style string) {
	fmt.Fprintf(&c.svg, `<path d="%s" style="%s"/>`+"\n", d, style)
}

func (c *canvas) through(points []Point) string {
	var d []byte
	for i, p := range points {
		d = append(d, "ML"[min(i, 1)])
		d = append(d, px(p.X)+","+px(c.Height-p.Y)...)
	}
	return string(d)
}

func (c *canvas) line(ink Ink, width float64, points ...Point) {
	c.path(c.through(points), "fill:none;"+ink.stroke(width))
}

func (c *canvas) area(ink Ink, outline ...Point) { c.path(c.through(outline)+"Z", ink.fill()) }

// mark draws a dot.
func (c *canvas) mark(ink Ink, radius float64, at Point) {
	fmt.Fprintf(&c.svg, `<circle cx="%s" cy="%s" r="%s" style="%s"/>`+"\n", px(at.X), px(c.Height-at.Y), px(radius), ink.fill())
}

// Sizes of text, in the pixels of the picture.
const (
	labelSize = 12
	tickSize  = 11
)

// The share of a text's width to the left of its position.
const atLeft, atMiddle, atRight = 0.0, 0.5, 1.0

// write writes words, vertically centred at y. Their width is the result of [width]; a browser with
// a different font stretches or squeezes them to it. Words that would extend beyond a side of the
// picture are moved inwards.
func (c *canvas) write(size float64, ink Ink, align, x, y float64, words string) {
	const edge = 2 // a browser may be wrong by a pixel
	wide := min(width(size, words), c.Width-2*edge)
	x = max(edge, min(x-align*wide, c.Width-edge-wide))
	fmt.Fprintf(&c.words, `<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs" style="font-size:%gpx;%s">%s</text>`+"\n",
		px(x), px(c.Height-y+size/3), px(wide), size, ink.fill(), template.HTMLEscapeString(words))
}

// widths are the widths of letters in Arial, Helvetica and Liberation Sans, in thousandths of the
// size.
var widths = func() map[rune]float64 {
	m := map[rune]float64{}
	for wide, letters := range map[float64]string{
		191: "'", 222: "ijl", 260: "|", 278: " !,.·/:;I[\\]ft", 333: "()-`r{}", 355: "\"", 389: "*", 400: "°", 469: "^",
		500: "Jcksvxyz", 549: "±≤≥", 584: "+<=>~−×", 611: "FTZ", 667: "&ABEKPSVXY", 722: "CDHNRUw", 778: "GOQ", 833: "Mm", 889: "%", 944: "W", 1000: "…@",
	} {
		for _, r := range letters {
			m[r] = wide
		}
	}
	return m
}()

// width returns the width of a text. Letters of other scripts count as wide, like Chinese ones.
func width(size float64, words string) float64 {
	sum := 0.0
	for _, r := range words {
		switch wide, known := widths[r]; {
		case known:
			sum += wide
		case r < 0x1100:
			sum += 556 // the width of digits and most lowercase letters
		default:
			sum += 1000
		}
	}
	return sum * size / 1000
}
