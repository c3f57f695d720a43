package chart

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Scatter is a picture of dots that have a cost, which is better small, and a gain, which is better
// great and has an interval.
type Scatter struct {
	Frame
	X, Y Axis
	Dots []Dot
	Best float64 // where a perfect dot lies on Y: a line
}

// Dot is a mark with the interval of its gain.
type Dot struct {
	Name      string
	Number    int // stands for the name where there is no room for it
	X, Y      float64
	Low, High float64 // the interval of Y
	Ink       Ink
}

// Front returns the places of the dots on the Pareto front, the cheapest first: those that cost
// less than all that are as good, where as good is what the intervals do not tell apart.
func Front(dots []Dot) []int {
	order := make([]int, len(dots))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(dots[i].X, dots[j].X), cmp.Compare(dots[j].Y, dots[i].Y))
	})
	var front []int
	for _, i := range order {
		if n := len(front); n == 0 || dots[i].Low > dots[front[n-1]].High {
			front = append(front, i)
		}
	}
	return front
}

// SVG draws the picture, with names beside the dots where there is room and numbers where there is
// not.
func (s Scatter) SVG(size Size) template.HTML {
	return s.svg(size, func(c *canvas) {
		p := c.plane(s.X, s.Y, 8)
		front := Front(s.Dots)
		best := []Point{p.at(Point{s.X.Min, s.Best}), p.at(Point{s.X.Max, s.Best})}
		steps := s.frontLine(p, front)
		c.line(Muted, 1, "2,3", best...)
		c.line(Muted, 1.5, "", steps...)
		space := placer{bounds: p.box, taken: []box{around(best[0], best[1])}}
		for i := 1; i < len(steps); i++ {
			space.taken = append(space.taken, around(steps[i-1], steps[i]))
		}
		for i, d := range s.Dots {
			at := p.at(Point{d.X, d.Y})
			p.line(d.Ink, 1, "", p.at(Point{d.X, d.Low}), p.at(Point{d.X, d.High}))
			reach := 5.0
			if slices.Contains(front, i) {
				p.circle("fill:none;"+Text.stroke(1.2), ringRadius, at)
				reach = ringRadius + 1
			}
			p.mark(shapeOf(d.Ink), d.Ink, 4, at)
			space.taken = append(space.taken, around(at, at).grown(reach))
		}
		s.labels(p, &space, front)
	})
}

// ringRadius is that of the ring around a dot of the front.
const ringRadius = 7.5

// frontLine is the border of what can be had: steps, since between two dots there is nothing to be
// had but the cheaper one.
func (s Scatter) frontLine(p plane, front []int) []Point {
	var steps []Point
	for _, i := range front {
		at := p.at(Point{s.Dots[i].X, s.Dots[i].Y})
		if n := len(steps); n > 0 {
			steps = append(steps, Point{at.X, steps[n-1].Y})
		}
		steps = append(steps, at)
	}
	if n := len(steps); n > 0 {
		steps = append(steps, Point{p.right, steps[n-1].Y})
	}
	return steps
}

// labels writes the name of a dot where it covers nothing. If there is no room, it writes the dot's
// number; if there is no room for that either, nothing. Dots of one name that lie close together
// share a label.
func (s Scatter) labels(p plane, space *placer, front []int) {
	order := slices.Clone(front) // which choose first
	for i := range s.Dots {
		if !slices.Contains(front, i) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order[len(front):], func(i, j int) int { return cmp.Compare(s.Dots[i].X, s.Dots[j].X) })
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
