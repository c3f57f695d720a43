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
// great.
type Scatter struct {
	Frame
	X, Y Axis
	Dots []Dot
	Best float64 // where a perfect dot lies on Y: a line
}

// Dot is a full mark where the gain is worst, and a hollow one with a line to it where the median
// of the gains is.
type Dot struct {
	Name          string
	Number        int // stands for the name where there is no room for it
	X             float64
	Worst, Median float64
	Low, High     float64 // the interval of Worst
	Ink           Ink
	Front         bool // see the function Front
}

// Front marks the dots on the Pareto front: those that cost less than all that are as good, where
// as good is what the intervals of the worst gains do not tell apart. It returns their places, the
// cheapest first.
func Front(dots []Dot) []int {
	order := make([]int, len(dots))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(dots[i].X, dots[j].X), cmp.Compare(dots[j].Worst, dots[i].Worst))
	})
	var front []int
	for _, i := range order {
		if n := len(front); n == 0 || dots[i].Low > dots[front[n-1]].High {
			front = append(front, i)
			dots[i].Front = true
		}
	}
	return front
}

// SVG draws the picture, with names beside the dots where there is room and numbers where there is
// not, or with numbers only.
func (s Scatter) SVG(size Size, class string, numbersOnly bool) template.HTML {
	return s.svg(size, class, func(c *canvas) {
		p := c.plane(s.X, s.Y, 8)
		front := Front(s.Dots)
		best := []Point{p.at(Point{s.X.Min, s.Best}), p.at(Point{s.X.Max, s.Best})}
		steps := s.frontLine(p, front)
		c.line(Muted, 1, "2,3", best...)
		c.line(Muted, 1.5, "", steps...)
		s.dots(p)
		s.labels(p, front, append(steps, best...), numbersOnly)
	})
}

// frontLine is the border of what can be had: steps, since between two dots there is nothing to be
// had but the cheaper one.
func (s Scatter) frontLine(p plane, front []int) []Point {
	var steps []Point
	for _, i := range front {
		at := p.at(Point{s.Dots[i].X, s.Dots[i].Worst})
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

func (s Scatter) dots(p plane) {
	for _, d := range s.Dots {
		worst, median := p.at(Point{d.X, d.Worst}), p.at(Point{d.X, d.Median})
		p.line(d.Ink, 1, "", worst, median)
		p.mark(ring, d.Ink, 2.5, median)
	}
	for _, d := range s.Dots {
		at := p.at(Point{d.X, d.Worst})
		if d.Front {
			p.circle("fill:none;"+Text.stroke(1.2), ringRadius, at)
		}
		p.mark(shapeOf(d.Ink), d.Ink, 4, at)
	}
}

// ringRadius is that of the ring around a dot of the front.
const ringRadius = 7.5

// cluster is the dots of one name that lie so close together that one label serves them all.
type cluster []int

// clusters puts the dots together, those of the front first, then the others from left to right:
// the order in which labels choose their places.
func (s Scatter) clusters(front []int, near func(i, j int) bool) []cluster {
	order := slices.Clone(front)
	for i, d := range s.Dots {
		if !d.Front {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order[len(front):], func(i, j int) int { return cmp.Compare(s.Dots[i].X, s.Dots[j].X) })
	var list []cluster
	for _, i := range order {
		at := slices.IndexFunc(list, func(c cluster) bool { return s.Dots[c[0]].Name == s.Dots[i].Name && near(c[0], i) })
		if at < 0 {
			list = append(list, cluster{i})
		} else {
			list[at] = append(list[at], i)
		}
	}
	return list
}

// numbers are those of a cluster's dots: "7" or "7,8".
func (s Scatter) numbers(c cluster) string {
	var list []string
	for _, i := range slices.Sorted(slices.Values(c)) {
		list = append(list, strconv.Itoa(s.Dots[i].Number))
	}
	return strings.Join(list, ",")
}

// labels writes names where they cover neither dots nor lines nor each other, numbers where there
// is no room for a name, and nothing where there is none for a number.
func (s Scatter) labels(p plane, front []int, lines []Point, numbersOnly bool) {
	space := placer{bounds: p.box}
	for _, d := range s.Dots {
		worst, median := p.at(Point{d.X, d.Worst}), p.at(Point{d.X, d.Median})
		reach := 5.0
		if d.Front {
			reach = ringRadius + 1
		}
		space.obstacles = append(space.obstacles, box{worst.X, worst.Y, worst.X, worst.Y}.grown(reach), box{median.X, median.Y, median.X, median.Y}.grown(3))
	}
	for i := 1; i < len(lines); i++ {
		// All but the way from one line to the other, where there is none.
		if a, b := lines[i-1], lines[i]; a.X == b.X || a.Y == b.Y {
			space.obstacles = append(space.obstacles, box{min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X), max(a.Y, b.Y)}.grown(0.5))
		}
	}
	near := func(i, j int) bool {
		a, b := p.at(Point{s.Dots[i].X, s.Dots[i].Worst}), p.at(Point{s.Dots[j].X, s.Dots[j].Worst})
		return math.Abs(a.X-b.X) < 12 && math.Abs(a.Y-b.Y) < 12
	}
	for _, c := range s.clusters(front, near) {
		d := s.Dots[c[0]]
		at := p.at(Point{d.X, d.Worst})
		texts := []string{d.Name, s.numbers(c)}
		if numbersOnly {
			texts = texts[1:]
		}
		for _, words := range texts {
			spot, ok := space.place(wanted{x: at.X, y: at.Y, width: width(labelSize, words), height: labelSize + 2})
			if !ok {
				continue
			}
			if spot.leader {
				p.line(Muted, 0.6, "", at, Point{spot.x, spot.y})
			}
			p.write(labelSize, Text, atLeft, spot.left, (spot.bottom+spot.top)/2, words)
			break
		}
	}
}
