package chart

import (
	"html/template"
	"math"
	"slices"
	"strings"
)

// Intervals is a picture of estimates with their intervals around zero, one below the other, each
// on the band of what does not matter.
type Intervals struct {
	Frame
	X    Axis // as by [AroundZero]
	Rows []Interval
}

// Interval is one estimate. Any of its figures may be infinite.
type Interval struct {
	Name             string
	Figure           string // the estimate in words
	Value, Low, High float64
	Band             float64 // what is within ± this does not matter
	Ink              Ink
}

// AroundZero returns an axis for the rows: as much on both sides of zero as nine in ten of the
// estimates and of the bounds near them take, and twice every band. What lies beyond has an arrow
// at the end of the axis, since a single large change would leave no room to see the others.
func AroundZero(title, unit string, rows []Interval) Axis {
	reach := []float64{}
	least := 0.0
	for _, r := range rows {
		least = max(least, 2*r.Band)
		if v := math.Abs(r.Value); !math.IsInf(v, 0) {
			reach = append(reach, max(v, min(2*v, max(math.Abs(r.Low), math.Abs(r.High)))))
		}
	}
	slices.Sort(reach)
	if n := len(reach); n > 0 {
		least = max(least, reach[n-1-n/10])
	}
	if least < leastTop {
		least = 1
	}
	top := 1.05 * min(least, math.MaxFloat64/8)
	return Axis{Title: title, Min: -top, Max: top, Every: Step(top, 3), Unit: unit}
}

// Distances in the picture.
const (
	besideRow = 21.0 // the height of a row with its name beside it
	belowName = 36.0 // and of one with its name above it
	axisRoom  = 46.0 // above and below the rows, for the title and the ticks
)

// SVG draws the picture of that width, as high as the rows need, with the names beside the
// intervals where there is room for that, above them on a phone.
func (p Intervals) SVG(wide float64, class string) template.HTML {
	beside := wide >= 600
	pitch := belowName
	if beside {
		pitch = besideRow
	}
	return p.svg(Size{wide, pitch*float64(len(p.Rows)) + axisRoom}, class, func(c *canvas) {
		left, right, nameRoom := 4.0, 4.0, 0.0
		if beside {
			for _, r := range p.Rows {
				// not taken back from left, where rounding might lose what the widest name needs
				nameRoom = max(nameRoom, min(width(labelSize, r.Name), 0.5*wide))
				right = max(right, width(labelSize, r.Figure)+12)
			}
			left = nameRoom + 12
		}
		area := box{left, 24, wide - right, pitch*float64(len(p.Rows)) + 24}
		toX := func(v float64) float64 { return p.X.place(v, area.left, area.right) }
		p.grid(c, area, toX)
		for i, r := range p.Rows {
			top := area.top - pitch*float64(i)
			middle := top - pitch/2
			nameAt, figureX := middle, area.right+8
			if !beside {
				middle, nameAt = top-pitch+10, top-10
				figure := width(labelSize, r.Figure)
				nameRoom, figureX = wide-8-figure-8, wide-4-figure
			}
			r.draw(c, p.X, toX, middle)
			c.write(labelSize, Text, atLeft, 4, nameAt, shortened(r.Name, nameRoom))
			c.write(labelSize, r.Ink, atLeft, figureX, nameAt, r.Figure)
		}
	})
}

// grid draws the lines of the ticks, a stronger one at zero, and what the axis says.
func (p Intervals) grid(c *canvas, area box, toX func(float64) float64) {
	for _, t := range p.X.Ticks() {
		ink := Grid
		if t.Value == 0 {
			ink = Muted
		}
		x := toX(t.Value)
		c.line(ink, 1, "", Point{x, area.bottom}, Point{x, area.top})
		words := strings.Replace(t.Label, "-", "−", 1)
		if t.Value > 0 {
			words = "+" + words
		}
		c.write(tickSize, Muted, atMiddle, x, 12, words)
	}
	c.write(labelSize, Text, atLeft, area.left, c.Height-10, p.X.Title)
}

// draw draws the band, the interval and the estimate of a row; an arrow where one of them lies
// beyond the axis.
func (r Interval) draw(c *canvas, x Axis, toX func(float64) float64, y float64) {
	if r.Band > 0 {
		from, to := toX(-r.Band), toX(r.Band)
		c.area(Within, Point{from, y - 8}, Point{to, y - 8}, Point{to, y + 8}, Point{from, y + 8})
	}
	c.line(r.Ink, 2, "", Point{toX(r.Low), y}, Point{toX(r.High), y})
	for _, end := range []struct {
		beyond        bool
		at, direction float64
	}{{r.Low < x.Min, x.Min, -1}, {r.High > x.Max, x.Max, +1}} {
		if end.beyond {
			tip := toX(end.at)
			c.area(r.Ink, Point{tip, y}, Point{tip - 7*end.direction, y + 5}, Point{tip - 7*end.direction, y - 5})
		}
	}
	if r.Value >= x.Min && r.Value <= x.Max {
		c.mark(r.shape(), r.Ink, 4, Point{toX(r.Value), y})
	}
}

// shape tells good from bad where colours do not.
func (r Interval) shape() shape {
	switch r.Ink {
	case Weak:
		return square
	case Good:
		return circle
	}
	return triangle
}

// shortened cuts out the middle of a label that has no room, since names of benchmarks differ at
// both ends.
func shortened(name string, room float64) string {
	if width(labelSize, name) <= room {
		return name
	}
	letters := []rune(name)
	for keep := len(letters) - 1; keep > 2; keep-- {
		head := keep / 2
		if s := string(letters[:head]) + "…" + string(letters[len(letters)-(keep-head):]); width(labelSize, s) <= room {
			return s
		}
	}
	return "…"
}
