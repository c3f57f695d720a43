package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Axis describes one axis of a picture.
type Axis struct {
	Title    string
	Log      bool    // then Min is above zero
	Min, Max float64 // range of the picture
}

// OnLog reports whether a value is positive and finite, so that a logarithmic axis can show it.
func OnLog(v float64) bool { return v > 1e-100 && v < 1e100 }

// LogRange returns a logarithmic axis whose range includes all values, for each of which OnLog is
// true.
func LogRange(title string, values ...float64) Axis {
	const spare = 1.25
	return Axis{Title: title, Log: true, Min: slices.Min(values) / spare, Max: slices.Max(values) * spare}
}

// tick is a labelled value of an axis.
type tick struct {
	value float64
	label string
}

// ticks returns the ticks of a logarithmic axis.
func (a Axis) ticks() []tick {
	var ticks []tick
	// If there are less than two decades, 2 and 5 have labels, too. If there are many, not every
	// power has one.
	low, high := a.Min, a.Max
	decades := math.Log10(high) - math.Log10(low)
	step := max(1, int(math.Ceil(decades/8)))
	for exponent := int(math.Floor(math.Log10(low))); exponent <= int(math.Ceil(math.Log10(high))); exponent++ {
		for _, digit := range []float64{1, 2, 5} {
			v, _ := strconv.ParseFloat(strconv.FormatFloat(digit, 'f', 0, 64)+"e"+strconv.Itoa(exponent), 64)
			if v < low || v > high || digit != 1 && decades > 2 || exponent%step != 0 {
				continue
			}
			ticks = append(ticks, tick{v, Short(v)})
		}
	}
	return ticks
}

// Short formats a number with few characters: 0.05, 20, 5k, 10M, 1e-09.
func Short(v float64) string {
	if a := math.Abs(v); a >= 1e15 || a < 1e-6 && a > 0 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	for _, prefix := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if math.Abs(v) >= prefix.size {
			return trimmed(v/prefix.size) + prefix.name
		}
	}
	return trimmed(v)
}

func trimmed(v float64) string {
	s := strconv.FormatFloat(v, 'f', 6, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// place returns the position of a value in a picture. A value beyond the axis is put at its end.
func (a Axis) place(v, from, to float64) float64 {
	low, high := a.Min, a.Max
	v = min(max(v, low), high)
	if a.Log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	// The values are halved, since the span may overflow.
	return from + (v/2-low/2)/(high/2-low/2)*(to-from)
}

// plane is the part of a picture that its axes span.
type plane struct {
	*canvas
	left, bottom, right, top float64 // in the pixels of the picture, y upwards
	x, y                     Axis
}

func (p plane) at(v Point) Point {
	return Point{p.x.place(v.X, p.left, p.right), p.y.place(v.Y, p.bottom, p.top)}
}

// plane draws logarithmic axes with lines at the ticks. It is as wide as the labels and the space
// on the right allow. The title of the y axis is horizontal, above the axis. Labels that would
// overlap are omitted.
func (c *canvas) plane(x, y Axis, right float64) plane {
	xs, ys := x.ticks(), y.ticks()
	p := plane{canvas: c, left: 8, bottom: 22 + labelSize + 3, right: c.Width - right, top: c.Height - 24, x: x, y: y}
	for _, t := range ys {
		p.left = max(p.left, width(tickSize, t.label)+8)
	}
	if n := len(xs); n > 0 {
		p.right = min(p.right, c.Width-width(tickSize, xs[n-1].label)/2)
	}
	c.write(labelSize, Text, atLeft, 4, c.Height-9, y.Title)
	c.write(labelSize, Text, atMiddle, (p.left+p.right)/2, 9, x.Title)
	free := -p.Width
	for _, t := range xs {
		at, half := x.place(t.value, p.left, p.right), width(tickSize, t.label)/2
		c.line(Grid, 1, Point{at, p.bottom}, Point{at, p.top})
		if at-half >= free {
			c.write(tickSize, Muted, atMiddle, at, p.bottom-13, t.label)
			free = at + half + 4
		}
	}
	free = 0
	for _, t := range ys {
		at := y.place(t.value, p.bottom, p.top)
		c.line(Grid, 1, Point{p.left, at}, Point{p.right, at})
		if at >= free {
			c.write(tickSize, Muted, atRight, p.left-4, at, t.label)
			free = at + tickSize
		}
	}
	return p
}
