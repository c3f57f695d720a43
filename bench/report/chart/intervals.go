package chart

import (
	"html/template"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
	return p.svg(Size{wide, pitch*float64(len(p.Rows)) + axisRoom}, class, func(c draw.Canvas) {
		plain, small := style(labelSize, Text), style(labelSize, Text)
		left, right, nameRoom := 4.0, 4.0, 0.0
		if beside {
			for _, r := range p.Rows {
				// not taken back from left, where rounding might lose what the widest name needs
				nameRoom = max(nameRoom, min(width(plain, r.Name), 0.5*wide))
				right = max(right, width(small, r.Figure)+12)
			}
			left = nameRoom + 12
		}
		area := box{left, 24, wide - right, pitch*float64(len(p.Rows)) + 24}
		toX := func(v float64) vg.Length {
			return vg.Length(area.left + (min(max(v, p.X.Min), p.X.Max)-p.X.Min)/(p.X.Max-p.X.Min)*(area.right-area.left))
		}
		p.grid(c, area, toX)
		for i, r := range p.Rows {
			top := area.top - pitch*float64(i)
			middle := vg.Length(top - pitch/2)
			nameAt := middle
			figureX := vg.Length(area.right + 8)
			if !beside {
				middle, nameAt = vg.Length(top-pitch+10), vg.Length(top-10)
				figure := width(small, r.Figure)
				nameRoom, figureX = wide-8-figure-8, vg.Length(wide-4-figure)
			}
			r.draw(c, p.X, toX, middle)
			write(c, plain, 4, nameAt, shortened(r.Name, nameRoom, func(s string) float64 { return width(plain, s) }))
			small.Color = r.Ink
			write(c, small, figureX, nameAt, r.Figure)
		}
	})
}

// grid draws the lines of the ticks, a stronger one at zero, and what the axis says.
func (p Intervals) grid(c draw.Canvas, area box, toX func(float64) vg.Length) {
	ticks := style(tickSize, Muted)
	ticks.XAlign = draw.XCenter
	for _, t := range p.X.Ticks(p.X.Min, p.X.Max) {
		line := draw.LineStyle{Color: Grid, Width: 1}
		if t.Value == 0 {
			line.Color = Muted
		}
		x := toX(t.Value)
		c.StrokeLine2(line, x, vg.Length(area.bottom), x, vg.Length(area.top))
		label := strings.Replace(t.Label, "-", "−", 1)
		if t.Value > 0 {
			label = "+" + label
		}
		half := vg.Length(width(ticks, label) / 2)
		c.FillText(ticks, vg.Point{X: min(max(x, half), c.Max.X-half), Y: 12}, label)
	}
	title := style(labelSize, Text)
	write(c, title, vg.Length(area.left), c.Max.Y-10, p.X.Title)
}

// draw draws the band, the interval and the estimate of a row; an arrow where one of them lies
// beyond the axis.
func (r Interval) draw(c draw.Canvas, x Axis, toX func(float64) vg.Length, y vg.Length) {
	if r.Band > 0 {
		c.SetColor(IdealBand)
		c.Fill(rectangle(nil, toX(-r.Band), y-8, toX(r.Band), y+8))
	}
	c.StrokeLine2(draw.LineStyle{Color: r.Ink, Width: 2}, toX(r.Low), y, toX(r.High), y)
	for _, end := range []struct {
		beyond    bool
		at        float64
		direction vg.Length
	}{{r.Low < x.Min, x.Min, -1}, {r.High > x.Max, x.Max, +1}} {
		if end.beyond {
			tip := toX(end.at)
			var arrow vg.Path
			arrow.Move(vg.Point{X: tip, Y: y})
			arrow.Line(vg.Point{X: tip - 7*end.direction, Y: y + 5})
			arrow.Line(vg.Point{X: tip - 7*end.direction, Y: y - 5})
			arrow.Close()
			c.SetColor(r.Ink)
			c.Fill(arrow)
		}
	}
	if r.Value >= x.Min && r.Value <= x.Max {
		c.DrawGlyph(draw.GlyphStyle{Color: r.Ink, Radius: 4, Shape: r.shape()}, vg.Point{X: toX(r.Value), Y: y})
	}
}

// shape tells good from bad where colours do not.
func (r Interval) shape() draw.GlyphDrawer {
	switch r.Ink {
	case Weak:
		return draw.BoxGlyph{}
	case Good:
		return draw.CircleGlyph{}
	}
	return draw.PyramidGlyph{}
}

// shortened cuts out the middle of a name that has no room, since names of benchmarks differ at
// both ends.
func shortened(name string, room float64, width func(string) float64) string {
	if width(name) <= room {
		return name
	}
	letters := []rune(name)
	for keep := len(letters) - 1; keep > 2; keep-- {
		head := keep / 2
		if s := string(letters[:head]) + "…" + string(letters[len(letters)-(keep-head):]); width(s) <= room {
			return s
		}
	}
	return "…"
}
