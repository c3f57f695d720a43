package report

import (
	"fmt"
	"html/template"

	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/report/chart"
	"simhashkit/internal/bench/report/page"
	"simhashkit/internal/bench/terms"
)

// methods returns the section that compares hashed indices with stored hyperplanes. It is empty if
// no method of the literature was measured.
func (r *report) methods() page.Section {
	s := page.Section{ID: "methods", Short: "Methods", Title: "Hashed indices against stored hyperplanes"}
	rows := map[string]advice.Cell{}
	for _, base := range []string{terms.Sketch, terms.Quality} {
		for _, c := range r.set.Exact(base) {
			rows[c.Name.String()] = c
		}
	}
	table := page.Table{Columns: []page.Column{{Title: "way to sketch", Class: "name"}, {Title: "ns per vector of 100 features", Class: "number"}, {Title: "stored for 10^6 dimensions", Class: "number"}, {Title: "effective bits of 64", Class: "number"}, {Title: "95%", Class: "number"}}}
	var dots []chart.Dot
	var spans []float64
	literature := false
	for _, m := range advice.Methods() {
		time, ok := rows[m.Time].Get(terms.NanosecondsPerFeature)
		quality, judged := rows[m.Quality].Get(terms.EffectiveBits)
		if !ok || !chart.OnLog(time.Median) {
			continue
		}
		literature = literature || rows[m.Time].Name.Get("method") != ""
		stored, has := rows[m.Time].Value(terms.BytesStored)
		name, memory := m.Words, "0"
		if has && stored > 0 {
			memory = fmt.Sprintf("%.0f MB", stored/1e6)
			name += ", " + memory
		}
		cells := []template.HTML{page.Words("%s", m.Words), template.HTML(number(methodFeatures * time.Median)), template.HTML(memory), none, none}
		if judged {
			quality.Lo, _ = rows[m.Quality].Value(terms.EffectiveBits + terms.Low)
			quality.Hi, _ = rows[m.Quality].Value(terms.EffectiveBits + terms.High)
			cells[3], cells[4] = template.HTML(number(quality.Median)), interval(&quality)
			x := methodFeatures * time.Median
			dot := chart.Dot{Name: name, Number: len(table.Rows) + 1, X: x, Left: x, Right: x, Y: quality.Median, Low: quality.Median, High: quality.Median, Ink: chart.Series1}
			if rows[m.Time].Name.Get("method") == "" {
				dot.Ink = chart.Series2
			}
			if advice.Bounded(quality) {
				dot.Low, dot.High = quality.Lo, quality.Hi
			}
			dots, spans = append(dots, dot), append(spans, x)
		}
		table.Add(cells...)
	}
	if !literature {
		return page.Section{}
	}
	s.Blocks = append(s.Blocks, page.Block{Paragraph: "A sketch is the signs of 64 sums. The signs of a feature are a stored row of 64 hyperplanes, or the bits of a hash of its index, which needs no memory. Effective bits are over all angles, on runs of consecutive indices."})
	if len(dots) > 1 {
		picture := chart.Scatter{
			Frame: chart.Frame{ID: "methods-1", Title: "Ways to sketch: time, memory and effective bits",
				Description: fmt.Sprintf("%d ways to sketch a vector of %d features, by time and by effective bits of 64. Names have the memory for 10^6 dimensions.", len(dots), methodFeatures)},
			X:    chart.LogRange("ns per vector, logarithmic", spans...),
			Y:    chart.Axis{Title: "effective bits of 64", Min: 0, Max: 84, Every: chart.Step(64, 8)},
			Dots: dots, Best: 64,
		}
		s.Blocks = append(s.Blocks, page.Block{Pictures: &page.Pictures{Layout: page.Single,
			Legend:  []page.Key{{Class: "dot " + chart.Series1.Class(), Words: "methods of the literature"}, {Class: "dot " + chart.Series2.Class() + " square", Words: "kernels of this module"}},
			Figures: []page.Figure{{Picture: picture.SVG(wide), Caption: "The dotted line is an ideal hash. Names that do not fit are replaced by line numbers of the table below."}}}})
	}
	s.Blocks = append(s.Blocks, page.Block{Table: &table})
	return s
}

// methodFeatures is the number of features of the vectors of the methods.
const methodFeatures = 100
