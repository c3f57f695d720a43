package chart

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Scatter is a picture of dots, each of which has a cost, and a gain with an interval.
type Scatter struct {
	Frame
	X, Y Axis
	Dots []Dot
	Best float64 // position of a perfect dot on Y, drawn as a line
}

// Dot is a mark with intervals of its cost and its gain.
type Dot struct {
	Name        string
	Number      int // replaces the name if there is no room for it
	X, Y        float64
	Left, Right float64 // the interval of X
	Low, High   float64 // the interval of Y
	Ink         Ink
	Ring        bool // the mark has a ring
}

// SVG draws the picture, with names beside the dots, or numbers if names do not fit.
func (s Scatter) SVG(size Size) template.HTML {
	return s.svg(size, func(c *canvas) {
		p := c.plane(s.X, s.Y, 8)
		best := []Point{p.at(Point{s.X.Min, s.Best}), p.at(Point{s.X.Max, s.Best})}
		c.line(Muted, 1, "2,3", best...)
		space := placer{bounds: p.box, taken: []box{around(best[0], best[1])}}
		for _, d := range s.Dots {
			at := p.at(Point{d.X, d.Y})
			p.line(d.Ink, 1, "", p.at(Point{d.X, d.Low}), p.at(Point{d.X, d.High}))
			p.line(d.Ink, 1, "", p.at(Point{d.Left, d.Y}), p.at(Point{d.Right, d.Y}))
			reach := 5.0
			if d.Ring {
				p.circle("fill:none;"+Text.stroke(1.2), ringRadius, at)
				reach = ringRadius + 1
			}
			p.mark(shapeOf(d.Ink), d.Ink, 4, at)
			space.taken = append(space.taken, around(at, at).grown(reach))
		}
		s.labels(p, &space)
	})
}

const ringRadius = 7.5

// labels writes names where they cover nothing, and numbers if a name does not fit. Nearby dots
// with the same name share a label.
func (s Scatter) labels(p plane, space *placer) {
	order := make([]int, len(s.Dots))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.Dots[i].X, s.Dots[j].X) })
	slices.SortStableFunc(order, func(i, j int) int { // rings get labels first
		if s.Dots[i].Ring == s.Dots[j].Ring {
			return 0
		} else if s.Dots[i].Ring {
			return -1
		}
		return 1
	})
	near := func(i, j int) bool {
		a, b := p.at(Point{s.Dots[i].X, s.Dots[i].Y}), p.at(Point{s.Dots[j].X, s.Dots[j].Y})
		return s.Dots[i].Name == s.Dots[j].Name && math.Abs(a.X-b.X) < 12 && math.Abs(a.Y-b.Y) < 12
	}
	done := make([]bool, len(s.Dots))
	for _, i := range order {
		if done[i] {
			continue
		}
		var numbers []string
		for j := range s.Dots {
			if near(i, j) {
				done[j] = true
				numbers = append(numbers, strconv.Itoa(s.Dots[j].Number))
			}
		}
		for _, words := range []string{s.Dots[i].Name, strings.Join(numbers, ",")} {
			if spot, ok := space.place(p.at(Point{s.Dots[i].X, s.Dots[i].Y}), width(labelSize, words), labelSize+2); ok {
				p.write(labelSize, Text, atLeft, spot.left, (spot.bottom+spot.top)/2, words)
				break
			}
		}
	}
}

// Positions are in the pixels of the picture, y upwards.

type box struct{ left, bottom, right, top float64 }

func (b box) overlaps(o box) bool {
	return b.left < o.right && o.left < b.right && b.bottom < o.top && o.bottom < b.top
}

func (b box) inside(o box) bool {
	return b.left >= o.left && b.right <= o.right && b.bottom >= o.bottom && b.top <= o.top
}

func (b box) grown(by float64) box { return box{b.left - by, b.bottom - by, b.right + by, b.top + by} }

// around returns the box of a horizontal or vertical segment.
func around(a, b Point) box {
	return box{min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X), max(a.Y, b.Y)}
}

// placer finds positions for labels near their points. Earlier labels have more choice.
type placer struct {
	bounds box
	taken  []box // areas of marks, lines and labels
}

// place returns the nearest position where a label covers nothing, if there is one. It tries the
// right, above, below and the left, then positions between these, then positions farther away.
func (s *placer) place(at Point, wide, high float64) (box, bool) {
	const labelGap = 4
	for _, distance := range []float64{8, 16, 24} {
		for _, degrees := range []float64{0, 90, -90, 180, 45, -45, 135, -135} {
			sin, cos := math.Sincos(degrees * math.Pi / 180)
			// The label extends outwards: its nearest point is at that distance.
			left := at.X + distance*cos + wide/2*(math.Round(cos)-1)
			bottom := at.Y + distance*sin + high/2*(math.Round(sin)-1)
			b := box{left, bottom, left + wide, bottom + high}
			if b.inside(s.bounds) && !slices.ContainsFunc(s.taken, b.overlaps) {
				s.taken = append(s.taken, b.grown(labelGap))
				return b, true
			}
		}
	}
	return box{}, false
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
