package chart

import (
	"cmp"
	"html/template"
	"slices"
)

// Lines is a picture of lines with their names at their right ends.
type Lines struct {
	Frame
	X, Y   Axis
	Series []Series
}

// Series is one line.
type Series struct {
	Name   string
	Ink    Ink
	Dashed bool
	Points []Point // each has a mark of a form that goes with the ink
}

// SVG draws the picture. Points without a place on a logarithmic axis are left out.
func (l Lines) SVG(size Size) template.HTML {
	return l.svg(size, func(c *canvas) {
		right := 8.0
		for _, s := range l.Series {
			right = max(right, width(labelSize, shortened(s.Name, nameRoom))+nameGap+4)
		}
		p := c.plane(l.X, l.Y, right)
		for _, s := range l.Series {
			s.draw(p)
		}
		l.nameEnds(p)
	})
}

// nameGap is the distance between the end of a line and its name, which has this much room.
const nameGap, nameRoom = 14, 125

// points are those of the line that have a place, in the picture.
func (s Series) points(p plane) []Point {
	var list []Point
	for _, v := range s.Points {
		if (!p.x.Log || OnLog(v.X)) && (!p.y.Log || OnLog(v.Y)) {
			list = append(list, p.at(v))
		}
	}
	return list
}

func (s Series) draw(p plane) {
	points, dashes := s.points(p), ""
	if s.Dashed {
		dashes = "5,3"
	}
	p.line(s.Ink, 2, dashes, points...)
	for _, at := range points {
		p.mark(shapeOf(s.Ink), s.Ink, 3, at)
	}
}

// nameEnds writes the names beside the right ends of the lines, moved apart where these lie close
// together, with a thin line to what was moved.
func (l Lines) nameEnds(p plane) {
	type end struct {
		Point
		Series
	}
	var ends []end
	for _, s := range l.Series {
		if points := s.points(p); len(points) > 0 {
			ends = append(ends, end{slices.MaxFunc(points, func(a, b Point) int { return cmp.Compare(a.X, b.X) }), s})
		}
	}
	const gap = labelSize * 1.3
	// There is no room for more names; the page's table has all of them.
	ends = ends[:min(len(ends), int((p.top-p.bottom)/gap)+1)]
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.Y, b.Y) })
	var at []float64
	for _, e := range ends {
		at = append(at, e.Y)
	}
	for i, y := range spread(at, gap, p.bottom, p.top) {
		e := ends[i]
		p.line(Muted, 0.75, "", Point{e.X + 4, e.Y}, Point{p.right + nameGap - 3, y})
		p.write(labelSize, e.Ink, atLeft, p.right+nameGap, y, shortened(e.Name, nameRoom))
	}
}
