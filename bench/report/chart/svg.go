package chart

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// Frame is what every picture has: an identifier that is unique in the page, what it shows in a few
// words, and what there is to see, for those who cannot.
type Frame struct {
	ID          string
	Title       string
	Description string
}

// Size is the size of a picture in CSS pixels, in which it is sharp and its text as large as the
// page's small print. A page may show it in another.
type Size struct{ Width, Height float64 }

// Point is a pair of values, or a place in a picture: in pixels, y upwards.
type Point struct{ X, Y float64 }

// canvas is a picture in the making. Its words come last, so that no line crosses them.
type canvas struct {
	Size
	svg, words strings.Builder
}

// svg runs the function on an empty canvas of that size and returns what it drew.
func (f Frame) svg(size Size, paint func(*canvas)) template.HTML {
	c := &canvas{Size: size}
	id := template.HTMLEscapeString(f.ID)
	fmt.Fprintf(&c.svg, `<svg role="img" aria-labelledby="%s-title %s-desc" viewBox="0 0 %g %g"><title id="%s-title">%s</title><desc id="%s-desc">%s</desc>`+"\n",
		id, id, size.Width, size.Height, id, template.HTMLEscapeString(f.Title), id, template.HTMLEscapeString(f.Description))
	paint(c)
	return template.HTML(c.svg.String() + c.words.String() + "</svg>")
}

// px writes a length in as few digits as the eye needs.
func px(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

// path draws a path of SVG, unless it is empty.
func (c *canvas) path(d, style string) {
	if strings.HasPrefix(d, "M") {
		fmt.Fprintf(&c.svg, `<path d="%s" style="%s"/>`+"\n", d, style)
	}
}

// through is the path from point to point.
func (c *canvas) through(points []Point) string {
	var d []byte
	for i, p := range points {
		d = append(d, "ML"[min(i, 1)])
		d = append(d, px(p.X)+","+px(c.Height-p.Y)...)
	}
	return string(d)
}

// line draws a line with dashes as in SVG, "" for none.
func (c *canvas) line(ink Ink, width float64, dashes string, points ...Point) {
	style := "fill:none;" + ink.stroke(width)
	if dashes != "" {
		style += ";stroke-dasharray:" + dashes
	}
	c.path(c.through(points), style)
}

func (c *canvas) area(ink Ink, outline ...Point) { c.path(c.through(outline)+"Z", ink.fill()) }

func (c *canvas) circle(style string, radius float64, at Point) {
	fmt.Fprintf(&c.svg, `<circle cx="%s" cy="%s" r="%s" style="%s"/>`+"\n", px(at.X), px(c.Height-at.Y), px(radius), style)
}

// shape is that of a mark: colours alone do not tell lines apart on paper or to every eye.
type shape int

// The full shapes, and the first of the hollow ones, which come in the same order.
const (
	circle shape = iota
	square
	triangle
	ring
	shapes = 2 * ring
)

// shapeOf returns the shape that goes with an ink.
func shapeOf(ink Ink) shape { return shape(max(0, int(ink)-int(Series1))) % shapes }

// mark draws a mark. A square and a triangle cover about as much as the circle of that radius.
func (c *canvas) mark(s shape, ink Ink, radius float64, at Point) {
	style := ink.fill()
	if s >= ring {
		style = "fill:var(--paper);" + ink.stroke(1)
	}
	corner := func(x, y float64) Point { return Point{at.X + x*radius, at.Y + y*radius} }
	switch s % ring {
	case circle:
		c.circle(style, radius, at)
	case square:
		c.path(c.through([]Point{corner(-.86, -.86), corner(.86, -.86), corner(.86, .86), corner(-.86, .86)})+"Z", style)
	case triangle:
		c.path(c.through([]Point{corner(0, 1.25), corner(-1.08, -.62), corner(1.08, -.62)})+"Z", style)
	}
}
