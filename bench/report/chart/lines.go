package chart

import (
	"cmp"
	"html/template"
	"slices"
)

// Lines is a picture of lines, and bands behind them.
type Lines struct {
	Frame
	X, Y   Axis
	Bands  []Band
	Series []Series
	Named  bool    // each line has its name at its right end
	Events []Event // in order of X
}

// Event is an upright line at which something has changed.
type Event struct {
	X    float64
	Name string // "" of lesser ones, whose lines are dotted
}

// Series is one line.
type Series struct {
	Name   string
	Ink    Ink
	Dashed bool
	Marked bool // with a mark at each point, of a form that goes with the ink
	Points []Point
}

// Band is the area between two lines over the same x.
type Band struct {
	Ink          Ink
	X, Low, High []float64
}

// SVG draws the picture. Points without a place on a logarithmic axis are left out.
func (l Lines) SVG(size Size, class string) template.HTML {
	return l.svg(size, class, func(c *canvas) {
		right := 8.0
		if l.Named {
			for _, s := range l.Series {
				right = max(right, width(labelSize, shortened(s.Name, nameRoom))+nameGap+4)
			}
		}
		p := c.plane(l.X, l.Y, right)
		for _, b := range l.Bands {
			c.area(b.Ink, b.outline(p)...)
		}
		for _, s := range l.Series {
			s.draw(p)
		}
		l.events(p)
		if l.Named {
			l.nameEnds(p)
		}
	})
}

// events draws the events, with the names for which there is room.
func (l Lines) events(p plane) {
	free := p.left
	for _, e := range l.Events {
		x := p.at(Point{X: e.X}).X
		dashes := ""
		if e.Name == "" {
			dashes = "1,4"
		}
		p.line(Muted, 1, dashes, Point{x, p.bottom}, Point{x, p.top})
		wide := width(tickSize, e.Name)
		if from := min(x+3, p.right-wide); e.Name != "" && from >= free {
			p.write(tickSize, Muted, atLeft, from, p.top-tickSize/2, e.Name)
			free = from + wide + 3
		}
	}
}

// nameGap is the distance between the end of a line and its name, which has this much room.
const nameGap, nameRoom = 14, 125

// outline is that of the band, as far as the axes reach: what a standard deviation adds may lie
// beyond.
func (b Band) outline(p plane) []Point {
	var list []Point
	for i, x := range b.X {
		list = append(list, p.at(Point{x, b.High[i]}))
	}
	for i, x := range slices.Backward(b.X) {
		list = append(list, p.at(Point{x, b.Low[i]}))
	}
	return list
}

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
	if s.Marked {
		for _, at := range points {
			p.mark(shapeOf(s.Ink), s.Ink, 3, at)
		}
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
