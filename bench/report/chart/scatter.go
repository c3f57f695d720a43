package chart

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
	return s.svg(size, class, func(c draw.Canvas) {
		p := newPlot(s.X, s.Y)
		front := Front(s.Dots)
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: s.X.Min, Y: s.Best}, {X: s.X.Max, Y: s.Best}}, LineStyle: draw.LineStyle{Color: Muted, Width: 1, Dashes: []vg.Length{2, 3}}})
		p.Add(s.frontLine(front))
		c = within(c, s.Y, 8)
		p.Draw(c)
		data := p.DataCanvas(c)
		s.dots(p, data)
		s.labels(p, data, front, numbersOnly)
	})
}

// frontLine is the border of what can be had: steps, since between two dots there is nothing to be
// had but the cheaper one.
func (s Scatter) frontLine(front []int) *plotter.Line {
	var steps plotter.XYs
	for n, i := range front {
		d := s.Dots[i]
		if n > 0 {
			steps = append(steps, plotter.XY{X: d.X, Y: steps[len(steps)-1].Y})
		}
		steps = append(steps, plotter.XY{X: d.X, Y: d.Worst})
	}
	if len(steps) > 0 {
		steps = append(steps, plotter.XY{X: s.X.Max, Y: steps[len(steps)-1].Y})
	}
	return &plotter.Line{XYs: steps, LineStyle: draw.LineStyle{Color: Muted, Width: 1.5}}
}

func (s Scatter) dots(p *plot.Plot, data draw.Canvas) {
	toX, toY := p.Transforms(&data)
	for _, d := range s.Dots {
		x, worst, median := toX(d.X), toY(d.Worst), toY(d.Median)
		data.StrokeLine2(draw.LineStyle{Color: d.Ink, Width: 1}, x, worst, x, median)
		data.DrawGlyph(draw.GlyphStyle{Color: d.Ink, Radius: 2.5, Shape: draw.RingGlyph{}}, vg.Point{X: x, Y: median})
	}
	for _, d := range s.Dots {
		at := vg.Point{X: toX(d.X), Y: toY(d.Worst)}
		if d.Front {
			ring(data, at)
		}
		data.DrawGlyph(glyph(d.Ink, 4), at)
	}
}

const ringRadius = 7.5

// ring marks a dot of the front.
func ring(c draw.Canvas, at vg.Point) {
	var p vg.Path
	p.Move(vg.Point{X: at.X + ringRadius, Y: at.Y})
	p.Arc(at, ringRadius, 0, 2*math.Pi)
	c.SetLineStyle(draw.LineStyle{Color: Text, Width: 1.2})
	c.Stroke(p)
}

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
func (s Scatter) labels(p *plot.Plot, data draw.Canvas, front []int, numbersOnly bool) {
	toX, toY := p.Transforms(&data)
	at := func(x, y float64) (float64, float64) { return toX(x).Points(), toY(y).Points() }
	space := placer{bounds: box{data.Min.X.Points(), data.Min.Y.Points(), data.Max.X.Points(), data.Max.Y.Points()}}
	for _, d := range s.Dots {
		x, worst := at(d.X, d.Worst)
		_, median := at(d.X, d.Median)
		reach := 5.0
		if d.Front {
			reach = ringRadius + 1
		}
		space.obstacles = append(space.obstacles, box{x, worst, x, worst}.grown(reach), box{x, median, x, median}.grown(3))
	}
	lines := append(s.frontLine(front).XYs, plotter.XY{X: s.X.Min, Y: s.Best}, plotter.XY{X: s.X.Max, Y: s.Best})
	for i := 1; i < len(lines); i++ {
		x0, y0 := at(lines[i-1].X, lines[i-1].Y)
		x1, y1 := at(lines[i].X, lines[i].Y)
		if x0 == x1 || y0 == y1 {
			space.obstacles = append(space.obstacles, box{min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)}.grown(0.5))
		}
	}
	near := func(i, j int) bool {
		x0, y0 := at(s.Dots[i].X, s.Dots[i].Worst)
		x1, y1 := at(s.Dots[j].X, s.Dots[j].Worst)
		return math.Abs(x0-x1) < 12 && math.Abs(y0-y1) < 12
	}
	plain := style(labelSize, Text)
	for _, c := range s.clusters(front, near) {
		d := s.Dots[c[0]]
		texts := []string{d.Name, s.numbers(c)}
		if numbersOnly {
			texts = texts[1:]
		}
		for _, words := range texts {
			x, y := at(d.X, d.Worst)
			spot, ok := space.place(wanted{x: x, y: y, width: width(plain, words), height: labelSize + 2})
			if !ok {
				continue
			}
			if spot.leader {
				data.StrokeLine2(draw.LineStyle{Color: Muted, Width: 0.6}, vg.Length(x), vg.Length(y), vg.Length(spot.x), vg.Length(spot.y))
			}
			write(data, plain, vg.Length(spot.left), vg.Length(spot.bottom+spot.top)/2, words)
			break
		}
	}
}
