package report

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"simhashkit/bench/projections"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
	"simhashkit/bench/rows"
	"simhashkit/bench/terms"
)

// projections compares stored hyperplanes with hashing, by what they cost as D grows.
func (r *report) projections() page.Section {
	s := r.byMachine(page.Section{ID: "projections", Short: "Projections", Title: "Stored hyperplanes or hashes: cost against D"},
		"The same vectors by stored hyperplanes, by one hash function for each bit, and by one hash whose bits serve all. D is the number of dimensions. "+
			"Where a line ends, its method was not measured any further. All of a picture is from one run.", r.projectionsOn)
	if len(s.Blocks) == 0 {
		s.Blocks = append(s.Blocks, missing("projections", commandProjections))
	} else if list := r.brokenOf(terms.Projection); len(list) > 0 {
		s.Blocks = append(s.Blocks, page.Block{Details: &page.Details{
			Summary: page.Words("%s without times, and why", plural(len(list), "case", "cases")),
			Blocks:  []page.Block{{List: list}},
		}})
	}
	return s
}

// fromUsual says how far vectors are from those of documents, which have about 100 features: it
// decides what is shown first.
func fromUsual(c rows.Cell) float64 {
	nnz, ok := c.Number("nnz")
	if !ok || nnz <= 0 {
		return math.MaxFloat64
	}
	return math.Abs(math.Log(nnz / 100))
}

func (r *report) projectionsOn(m rows.Machine, machine int) []page.Block {
	cells := m.Run(terms.Projection, func(c rows.Cell) bool {
		d, ok := c.Number("D")
		return ok && chart.OnLog(d)
	})
	if len(cells) == 0 {
		return nil
	}
	groups := rows.GroupBy(cells, func(c rows.Cell) string { return group(c.Name, "method", "D") })
	t := &page.Table{
		Caption: "Median time per vector with 95% interval, bytes of tables, root mean squared error and bias of the angle in radians",
		Columns: []page.Column{{Title: "method"}, {Title: "vectors"}, {Title: "D", Class: "number"}, {Title: "ns per vector", Class: "number"}, {Title: "±", Class: "number"},
			{Title: "table, bytes", Class: "number"}, {Title: "RMSE", Class: "number"}, {Title: "ideal RMSE", Class: "number"}, {Title: "bias", Class: "number"}, {Title: "row", Class: "row"}},
	}
	var blocks, others []page.Block
	slices.SortStableFunc(groups, func(a, b []rows.Cell) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(fromUsual(a[0]), fromUsual(b[0])))
	})
	ahead := r.crossovers(cells)
	for n, same := range groups {
		slices.SortStableFunc(same, func(a, b rows.Cell) int {
			return cmp.Or(cmp.Compare(a.Name.Get("method"), b.Name.Get("method")), rows.ByNumber("D")(a, b))
		})
		drawn := []page.Block{
			{Heading: workOf(same[0])},
			{Pictures: &page.Pictures{Layout: page.Pairs, Figures: projectionFigures(fmt.Sprintf("projections-%d-%d", machine, n+1), same)}},
		}
		if list := ahead[group(same[0].Name, "method", "D")]; len(list) > 0 {
			drawn = append(drawn, page.Block{Paragraph: "From which D on one hash is ahead, by what was measured; of times, one is ahead where the 95% intervals of the medians are apart:"}, page.Block{List: list})
		}
		if n == 0 {
			blocks = drawn
		} else {
			others = append(others, drawn...)
		}
		for _, c := range same {
			cost, within := none, none
			if f, ok := c.Get(terms.NanosecondsPerVector); ok {
				cost, within = template.HTML(number(f.Median)), plusMinus(f)
			}
			t.Add(page.Words("<strong>%s</strong>", c.Name.Get("method")), page.Words("%s", workOf(c)), page.Words("%s", c.Name.Get("D")), cost, within,
				count(c, terms.TableBytes), cellNumber(c, terms.AngleRMSE), cellNumber(c, terms.AngleRMSEIdeal), cellNumber(c, terms.AngleBias), r.row(c))
		}
	}
	if len(others) > 0 {
		blocks = append(blocks, page.Block{Details: &page.Details{Summary: "Vectors of other kinds", Blocks: others}})
	}
	return append(blocks, numbers(t))
}

// crossovers says from which D on hashing is ahead of the other methods, by the kind of vectors.
// The cells are of one run.
func (r *report) crossovers(cells []rows.Cell) map[string][]template.HTML {
	said := map[string][]template.HTML{}
	for _, c := range projections.Crossovers(projections.FromResults(r.set.Sources[cells[0].Source].File.Rows)) {
		key := group(c.Name(), "method", "D")
		said[key] = append(said[key], page.Words("%s", c.String()))
	}
	return said
}

// workOf says what vectors and fingerprints a row is about: "nnz=100, f=64".
func workOf(c rows.Cell) string {
	var parts []string
	for _, k := range slices.Backward(c.Name.Keys) {
		if k.Key != "method" && k.Key != "D" {
			parts = append(parts, k.Key+"="+k.Value)
		}
	}
	return strings.Join(parts, ", ")
}

// projectionFigures draws time, memory and accuracy, as far as there are figures.
func projectionFigures(id string, cells []rows.Cell) []page.Figure {
	var figures []page.Figure
	logarithmic := func(title string, values ...float64) chart.Axis { return chart.LogRange(title, "", values...) }
	bytes := func(title string, values ...float64) chart.Axis { return chart.LogRange(title, "B", values...) }
	for i, kind := range []struct {
		unit, title, axis string
		scale             func(title string, values ...float64) chart.Axis
	}{
		{terms.NanosecondsPerVector, "Time", "ns per vector", logarithmic},
		{terms.TableBytes, "Memory", "bytes of tables", bytes},
		{terms.AngleRMSE, "Error of the angle", "root mean squared error, radians", chart.FromZero},
	} {
		var series []chart.Series
		var dimensions, values []float64
		var zero []string
		for _, c := range cells {
			v, ok := c.Value(kind.unit)
			if !ok {
				continue
			}
			method := c.Name.Get("method")
			d, _ := c.Number("D")
			if v <= 0 {
				if !slices.Contains(zero, method) {
					zero = append(zero, method)
				}
				continue
			}
			if !chart.OnLog(v) {
				continue
			}
			if n := len(series); n == 0 || series[n-1].Name != method {
				series = append(series, chart.Series{Name: method, Ink: chart.SeriesInk(methodNumber(cells, method)), Marked: true})
			}
			line := &series[len(series)-1]
			line.Points = append(line.Points, chart.Point{X: d, Y: v})
			dimensions, values = append(dimensions, d), append(values, v)
		}
		if len(series) == 0 {
			continue
		}
		caption := page.Words("<strong>%s</strong>", kind.title)
		if len(zero) > 0 {
			caption += page.Words(" Zero, which has no place on this axis: %s.", strings.Join(zero, ", "))
		}
		var methods []string
		for _, s := range series {
			methods = append(methods, s.Name)
		}
		figures = append(figures, page.Figure{Caption: caption, Forms: []template.HTML{chart.Lines{
			Frame: chart.Frame{
				ID: fmt.Sprintf("%s-%d", id, i+1), Title: kind.title + " against the number of dimensions",
				Description: fmt.Sprintf("Lines for %s over D from %s to %s; %s from %s to %s.", strings.Join(methods, ", "), chart.Short(slices.Min(dimensions)), chart.Short(slices.Max(dimensions)),
					kind.axis, number(slices.Min(values)), number(slices.Max(values))),
			},
			X: chart.LogRange("D, dimensions", "", dimensions...), Y: kind.scale(kind.axis, values...),
			Series: series, Named: true,
		}.SVG(medium, "")}})
	}
	return figures
}

// methodNumber gives a method the same colour in all pictures.
func methodNumber(cells []rows.Cell, method string) int {
	of := func(c rows.Cell) string { return c.Name.Get("method") }
	return slices.IndexFunc(rows.GroupBy(cells, of), func(same []rows.Cell) bool { return of(same[0]) == method })
}
