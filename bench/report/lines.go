package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
)

// largest returns the cells with the same key of one run of which there are most, the later of two
// as many. There is no line in a single value of the number that goes along the axis, so such cells
// do not count.
func largest(cells []advice.Cell, number string, key func(advice.Cell) string) (most []advice.Cell) {
	for _, same := range advice.GroupBy(cells, func(c advice.Cell) string { return fmt.Sprint(c.Source, " ", key(c)) }) {
		several := slices.ContainsFunc(same, func(c advice.Cell) bool { return c.Name.Get(number) != same[0].Name.Get(number) })
		if several && len(same) >= len(most) {
			most = same
		}
	}
	return most
}

// lines is a picture of figures by a number in their names, both on logarithmic axes.
type lines struct {
	title, x, y string
	number      string  // the key in names
	scale       float64 // of figures: what is written is the figure over that
	series      []chart.Series
	xs, ys      []float64
}

// add adds a line of the cells that have the figure. Lines have six inks, and those beyond are
// dashed.
func (l *lines) add(name string, ink int, unit string, cells []advice.Cell) {
	line := chart.Series{Name: name, Ink: chart.SeriesInk(ink), Dashed: ink >= 6}
	for _, c := range slices.SortedStableFunc(slices.Values(cells), advice.ByNumber(l.number)) {
		x, counted := c.Number(l.number)
		y, ok := c.Value(unit)
		if y /= l.scale; counted && ok && chart.OnLog(x) && chart.OnLog(y) {
			line.Points = append(line.Points, chart.Point{X: x, Y: y})
			l.xs, l.ys = append(l.xs, x), append(l.ys, y)
		}
	}
	if len(line.Points) > 0 {
		l.series = append(l.series, line)
	}
}

// figures returns the picture with its caption; none where it has no lines.
func (l lines) figures(id string, caption template.HTML) []page.Figure {
	if len(l.series) == 0 {
		return nil
	}
	var names []string
	for _, s := range l.series {
		names = append(names, s.Name)
	}
	return []page.Figure{{Caption: caption, Picture: chart.Lines{
		Frame: chart.Frame{ID: id, Title: l.title, Description: fmt.Sprintf("Lines for %s over %s to %s %s; from %s to %s %s.", strings.Join(names, ", "),
			chart.Short(slices.Min(l.xs)), chart.Short(slices.Max(l.xs)), l.x, number(slices.Min(l.ys)), number(slices.Max(l.ys)), l.y)},
		X: chart.LogRange(l.x, l.xs...), Y: chart.LogRange(l.y, l.ys...), Series: l.series,
	}.SVG(medium)}}
}

// with returns the cells for which want holds.
func with(cells []advice.Cell, want func(advice.Cell) bool) []advice.Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c advice.Cell) bool { return !want(c) })
}
