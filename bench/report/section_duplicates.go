package report

import (
	"fmt"
	"html/template"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
	"simhashkit/bench/rows"
	"simhashkit/bench/terms"
)

// retrieval are the units of near-duplicates, as they are drawn.
var retrieval = []struct {
	unit   string
	ink    chart.Ink
	dashed bool
}{
	{terms.Ideal + terms.Recall, chart.Muted, false},
	{terms.Ideal + terms.Precision, chart.Muted, true},
	{terms.Recall, chart.Series1, false},
	{terms.Precision, chart.Series2, true},
}

// duplicates shows how many near-duplicates are found by k, and how much of what is found are some.
func (r *report) duplicates() page.Section {
	return r.curves(curves{
		Section: page.Section{ID: "duplicates", Short: "Near-duplicates", Title: "Recall and precision of near-duplicates against k"},
		base:    terms.NearDuplicates, what: "recall and precision", key: "k", most: maxBits,
		units: []string{terms.Recall, terms.Precision},
		lead: "Pairs at cosine ≥ 0.95 are to be found by a distance of at most k. Recall is the part of them that is found; precision is the part of what is found that they make up, " +
			"and is left out where nothing is found. Precision depends on the other vectors too, so it compares hashes in one case and says nothing about other data.",
		legend:  []page.Key{{Class: "series-1", Words: "recall"}, {Class: "dashed series-2", Words: "precision"}, {Class: "muted", Words: "recall of an ideal hash"}, {Class: "dashed muted", Words: "precision of an ideal hash"}},
		caption: "Recall and precision by k, of this hash and of an ideal one",
		columns: []page.Column{{Title: "k", Class: "number"}, {Title: "recall", Class: "number"}, {Title: "precision", Class: "number"}, {Title: "ideal recall", Class: "number"}, {Title: "ideal precision", Class: "number"}},
		cells: func(c rows.Cell) []template.HTML {
			return []template.HTML{page.Words("%s", c.Name.Get("k")), cellNumber(c, terms.Recall), cellNumber(c, terms.Precision), cellNumber(c, terms.Ideal+terms.Recall), cellNumber(c, terms.Ideal+terms.Precision)}
		},
		draw: drawDuplicates,
	})
}

func drawDuplicates(p *panel, number int) template.HTML {
	most := 16.0
	var series []chart.Series
	for _, kind := range retrieval {
		line := chart.Series{Ink: kind.ink, Dashed: kind.dashed}
		for _, c := range p.cells {
			k, _ := c.Number("k")
			if v, ok := c.Value(kind.unit); ok {
				most = max(most, k)
				line.Points = append(line.Points, chart.Point{X: k, Y: v})
			}
		}
		series = append(series, line)
	}
	return chart.Lines{
		Frame: chart.Frame{
			ID: fmt.Sprintf("duplicates-%d", number), Title: "Recall and precision against k: " + title(&p.choice),
			Description: fmt.Sprintf("Recall and precision of near-duplicates over k, %s, beside those of an ideal hash. The largest difference is %.2f.", advice.Name(p.cells[0]), p.strays),
		},
		X:      chart.Axis{Title: "k, bits", Min: 0, Max: most, Every: chart.Step(most, 4)},
		Y:      chart.Axis{Title: "recall, precision", Min: 0, Max: 1, Every: 0.25},
		Series: series,
	}.SVG(small, "")
}
