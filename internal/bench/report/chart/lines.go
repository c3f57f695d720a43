package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
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
	Points []Point // in ascending order of X; each has a mark
}

// SVG draws the picture.
func (l Lines) SVG(size Size) template.HTML {
	return l.svg(size, func(c *canvas) {
		right := 8.0
		for _, s := range l.Series {
			right = max(right, width(labelSize, s.Name)+nameGap+4)
		}
		p := c.plane(l.X, l.Y, right)
		for _, s := range l.Series {
			var points []Point
			for _, v := range s.Points {
				points = append(points, p.at(v))
			}
			p.line(s.Ink, 2, points...)
			for _, at := range points {
				p.mark(s.Ink, 3, at)
			}
		}
		l.nameEnds(p)
	})
}

// nameGap is the distance between the end of a line and its name.
const nameGap = 14

// nameEnds writes the names at the right ends of the lines, moved apart if necessary.
func (l Lines) nameEnds(p plane) {
	type end struct {
		Point
		Series
	}
	var ends []end
	for _, s := range l.Series {
		ends = append(ends, end{p.at(s.Points[len(s.Points)-1]), s})
	}
	const gap = labelSize * 1.3
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.Y, b.Y) })
	var at []float64
	for _, e := range ends {
		at = append(at, e.Y)
	}
	for i, y := range spread(at, gap, p.bottom, p.top) {
		e := ends[i]
		p.line(Muted, 0.75, Point{e.X + 4, e.Y}, Point{p.right + nameGap - 3, y})
		p.write(labelSize, e.Ink, atLeft, p.right+nameGap, y, e.Name)
	}
}

// spread moves ascending positions apart, so that they lie between low and high and neighbours are
// at least gap apart. It makes one sweep up and one down. The positions must fit: (len-1)·gap ≤
// high-low.
func spread(at []float64, gap, low, high float64) []float64 {
	result := make([]float64, len(at))
	floor := low
	for i, v := range at {
		result[i] = max(v, floor)
		floor = result[i] + gap
	}
	ceiling := high
	for i := len(result) - 1; i >= 0; i-- {
		result[i] = min(result[i], ceiling)
		ceiling = result[i] - gap
	}
	return result
}

// Interval is an estimate with its interval. All values may be infinite.
type Interval struct {
	Value, Low, High float64
	Band             float64 // changes within ± this do not matter
	Ink              Ink
}

// Around returns an axis that extends equally to both sides of zero: as far as nine in ten of the
// intervals, and twice every band. If it showed a single large change completely, there would be no
// room to see the others.
func Around(list []Interval) Axis {
	var reach []float64
	least := 0.0
	for _, r := range list {
		least = max(least, 2*r.Band)
		if v := math.Abs(r.Value); !math.IsInf(v, 0) {
			reach = append(reach, max(v, min(2*v, max(math.Abs(r.Low), math.Abs(r.High)))))
		}
	}
	slices.Sort(reach)
	if n := len(reach); n > 0 {
		least = max(least, reach[n-1-n/10])
	}
	if least < 1e-300 { // the axis must have a length
		least = 1
	}
	end := 1.05 * min(least, math.MaxFloat64/8)
	return Axis{Min: -end, Max: end}
}

// SVG draws the interval for a cell of a table, which has the same figures in text, with a line at
// origin. An arrow shows that the interval extends beyond the axis.
func (r Interval) SVG(x Axis, origin float64) template.HTML {
	const wide, high = 140, 18
	c := &canvas{Size: Size{wide, high}}
	at := func(v float64) float64 { return x.place(v, 2, wide-2) }
	if r.Band > 0 {
		from, to := at(-r.Band), at(r.Band)
		c.area(Within, Point{from, 1}, Point{to, 1}, Point{to, high - 1}, Point{from, high - 1})
	}
	c.line(Muted, 1, Point{at(origin), 0}, Point{at(origin), high})
	const middle = high / 2
	c.line(r.Ink, 2, Point{at(r.Low), middle}, Point{at(r.High), middle})
	for _, end := range []struct {
		beyond        bool
		at, direction float64
	}{{r.Low < x.Min, x.Min, -1}, {r.High > x.Max, x.Max, +1}} {
		if end.beyond {
			tip := at(end.at)
			c.area(r.Ink, Point{tip, middle}, Point{tip - 7*end.direction, middle + 5}, Point{tip - 7*end.direction, middle - 5})
		}
	}
	if r.Value >= x.Min && r.Value <= x.Max {
		c.mark(r.Ink, 4, Point{at(r.Value), middle})
	}
	return template.HTML(fmt.Sprintf(`<svg class="interval" aria-hidden="true" viewBox="0 0 %d %d">`, wide, high) + c.svg.String() + "</svg>")
}
