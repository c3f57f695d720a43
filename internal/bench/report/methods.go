package report

import (
	"html/template"

	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/report/chart"
	"simhashkit/internal/bench/report/page"
)

// methods returns the section that compares hashed indices with stored hyperplanes. It is empty if
// no method of the literature was measured.
func (r *report) methods() page.Section {
	list := advice.Methods(r.set)
	if len(list) == 0 {
		return page.Section{}
	}
	table := &page.Table{
		Caption: "Time on a logarithmic axis; effective bits with their 95% interval, and a line at an ideal hash",
		Columns: []page.Column{{Title: "way to sketch", Class: "name"}, {Title: "ns per vector of 100 features", Class: "number"}, {Title: "time", Class: "drawn"},
			{Title: "stored for 10^6 dimensions", Class: "number"}, {Title: "effective bits of 64", Class: "number"}, {Title: "95%", Class: "number"}, {Title: "bits", Class: "drawn"}},
	}
	var times []float64
	for _, m := range list {
		times = append(times, m.Time)
	}
	axis := timeAxis(times...)
	for _, m := range list {
		bits := none
		if m.Bits != nil {
			bits = template.HTML(number(m.Bits.Median))
		}
		table.Add(page.Words("%s", m.Name), template.HTML(number(m.Time)), drawnTime(axis, m.Time, m.Time, m.Time, chart.Series1), template.HTML(m.Stored), bits, interval(m.Bits), drawnBits(m.Bits, 64, chart.Series1))
	}
	return page.Section{ID: "methods", Short: "Methods", Title: "Hashed indices against stored hyperplanes", Blocks: []page.Block{
		{Paragraph: "A sketch is the signs of 64 sums. The signs of a feature are a stored row of 64 hyperplanes, or the bits of a hash of its index, which needs no memory. Effective bits are over all angles, on runs of consecutive indices."},
		{Table: table},
	}}
}
