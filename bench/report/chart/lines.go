package chart

import (
	"cmp"
	"html/template"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
	Points plotter.XYs
}

// Band is the area between two lines over the same x.
type Band struct {
	Ink          Ink
	X, Low, High []float64
}

// SVG draws the picture. Points without a place on a logarithmic axis are left out.
func (l Lines) SVG(size Size, class string) template.HTML {
	return l.svg(size, class, func(c draw.Canvas) {
		p := newPlot(l.X, l.Y)
		for _, b := range l.Bands {
			p.Add(b.polygon(l.Y))
		}
		for _, s := range l.Series {
			p.Add(s.plotters(l)...)
		}
		names := style(labelSize, Text)
		right := 8.0
		if l.Named {
			for _, s := range l.Series {
				right = max(right, width(names, clipped(s.Name))+nameGap+4)
			}
		}
		c = within(c, l.Y, right)
		p.Draw(c)
		l.events(p, c)
		if l.Named {
			l.nameEnds(p, c)
		}
	})
}

// events draws the events, with the names for which there is room.
func (l Lines) events(p *plot.Plot, c draw.Canvas) {
	data := p.DataCanvas(c)
	toX, _ := p.Transforms(&data)
	names := style(tickSize, Muted)
	free := data.Min.X
	for _, e := range l.Events {
		x := toX(e.X)
		line := draw.LineStyle{Color: Muted, Width: 1}
		if e.Name == "" {
			line.Dashes = []vg.Length{1, 4}
		}
		c.StrokeLine2(line, x, data.Min.Y, x, data.Max.Y)
		wide := vg.Length(width(names, e.Name))
		from := min(x+3, data.Max.X-wide)
		if e.Name != "" && from >= free {
			write(c, names, from, data.Max.Y-tickSize/2, e.Name)
			free = from + wide + 3
		}
	}
}

// nameGap is the distance between the end of a line and its name.
const nameGap = 14

// clipped cuts off what would leave no room for the lines.
func clipped(name string) string {
	const most = 20
	if letters := []rune(name); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return name
}

// polygon is the band's outline, as far as the axis reaches: what a standard deviation adds may lie
// beyond.
func (b Band) polygon(y Axis) *plotter.Polygon {
	var outline plotter.XYs
	bounded := func(v float64) float64 { return min(max(v, y.Min), y.Max) }
	for i, x := range b.X {
		outline = append(outline, plotter.XY{X: x, Y: bounded(b.High[i])})
	}
	for i, x := range slices.Backward(b.X) {
		outline = append(outline, plotter.XY{X: x, Y: bounded(b.Low[i])})
	}
	return &plotter.Polygon{XYs: []plotter.XYs{outline}, Color: b.Ink}
}

// onAxes returns the points that have a place.
func (l Lines) onAxes(points plotter.XYs) plotter.XYs {
	return slices.DeleteFunc(slices.Clone(points), func(p plotter.XY) bool { return l.X.Log && !OnLog(p.X) || l.Y.Log && !OnLog(p.Y) })
}

func (s Series) plotters(l Lines) []plot.Plotter {
	points := l.onAxes(s.Points)
	line := &plotter.Line{XYs: points, LineStyle: draw.LineStyle{Color: s.Ink, Width: 2}}
	if s.Dashed {
		line.Dashes = []vg.Length{5, 3}
	}
	list := []plot.Plotter{line}
	if s.Marked {
		list = append(list, &plotter.Scatter{XYs: points, GlyphStyle: glyph(s.Ink, 3)})
	}
	return list
}

// shapes of marks: colours alone do not tell the lines apart on paper or to every eye.
var shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}}

// glyph is the mark of an ink.
func glyph(ink Ink, radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: ink, Radius: radius, Shape: shapes[max(0, int(ink)-int(Series1))%len(shapes)]}
}

// nameEnds writes the names beside the right ends of the lines, moved apart where these lie close
// together, with a thin line to what was moved.
func (l Lines) nameEnds(p *plot.Plot, c draw.Canvas) {
	data := p.DataCanvas(c)
	toX, toY := p.Transforms(&data)
	type end struct {
		x, y vg.Length
		Series
	}
	var ends []end
	for _, s := range l.Series {
		if points := l.onAxes(s.Points); len(points) > 0 {
			last := slices.MaxFunc(points, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
			ends = append(ends, end{toX(last.X), toY(last.Y), s})
		}
	}
	height := (data.Max.Y - data.Min.Y).Points()
	const gap = labelSize * 1.3
	ends = ends[:min(len(ends), int(height/gap)+1)] // those without a name are in the page's table
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	var at []float64
	for _, e := range ends {
		at = append(at, e.y.Points())
	}
	words := style(labelSize, Text)
	for i, y := range spread(at, gap, data.Min.Y.Points(), data.Max.Y.Points()) {
		e := ends[i]
		words.Color = e.Ink
		level := vg.Length(y)
		c.StrokeLine2(draw.LineStyle{Color: Muted, Width: 0.75}, e.x+4, e.y, data.Max.X+nameGap-3, level)
		write(c, words, data.Max.X+nameGap, level, clipped(e.Name))
	}
}
