package report

import (
	"fmt"
	"html/template"
	"math"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
	"simhashkit/bench/rows"
	"simhashkit/bench/terms"
)

// distance shows the distance of fingerprints by the angle of their vectors, beside that of an
// ideal hash.
func (r *report) distance() page.Section {
	return r.curves(curves{
		Section: page.Section{ID: "distance", Short: "Distance", Title: "Distance against angle"},
		base:    terms.Distance, what: "distances by angle", key: "angle", most: 180,
		units: []string{terms.MeanDistance, terms.DeviationOfDistance},
		lead: "Mean distance in bits, and one standard deviation to both sides. Where the blue line leaves the grey one, angles read wrong on average; where the blue " +
			"band is the wider one, single pairs read wrong even though the mean is right.",
		legend: []page.Key{
			{Class: "series-1", Words: "this hash, mean"}, {Class: "area series-1", Words: "± standard deviation"},
			{Class: "dashed muted", Words: "ideal hash on the same pairs, mean"}, {Class: "area muted", Words: "± standard deviation"},
		},
		caption: "Distance in bits by angle in degrees (the middle of its band), of this hash and of an ideal one",
		columns: []page.Column{{Title: "angle", Class: "number"}, {Title: "mean", Class: "number"}, {Title: "sd", Class: "number"},
			{Title: "ideal mean", Class: "number"}, {Title: "ideal sd", Class: "number"}, {Title: "pairs", Class: "number"}},
		cells: func(c rows.Cell) []template.HTML {
			return []template.HTML{page.Words("%s", c.Name.Get("angle")), cellNumber(c, terms.MeanDistance), cellNumber(c, terms.DeviationOfDistance),
				cellNumber(c, terms.Ideal+terms.MeanDistance), cellNumber(c, terms.Ideal+terms.DeviationOfDistance), count(c, terms.Pairs)}
		},
		draw: drawDistance,
	})
}

func drawDistance(p *panel, number int) template.HTML {
	widest, highest := 90.0, 8.0
	curve := func(prefix string, ink chart.Ink, band chart.Ink, dashed bool) (chart.Series, chart.Band) {
		line, area := chart.Series{Ink: ink, Dashed: dashed}, chart.Band{Ink: band}
		for _, c := range p.cells {
			angle, _ := c.Number("angle")
			mean, ok := c.Value(prefix + terms.MeanDistance)
			sd, known := c.Value(prefix + terms.DeviationOfDistance)
			if !ok {
				continue
			}
			widest, highest = max(widest, angle), max(highest, mean)
			line.Points = append(line.Points, chart.Point{X: angle, Y: mean})
			if known {
				highest = max(highest, mean+sd)
				area.X, area.Low, area.High = append(area.X, angle), append(area.Low, mean-sd), append(area.High, mean+sd)
			}
		}
		return line, area
	}
	ideal, idealBand := curve(terms.Ideal, chart.Muted, chart.IdealBand, true)
	hash, hashBand := curve("", chart.Series1, chart.HashBand, false)
	highest = min(highest, maxBits)
	every := 8.0
	for highest > 6*every {
		every *= 2
	}
	return chart.Lines{
		Frame: chart.Frame{
			ID: fmt.Sprintf("distance-%d", number), Title: "Distance against angle: " + title(&p.choice),
			Description: fmt.Sprintf("Mean distance with its standard deviation over the angle, %s, beside that of an ideal hash. The largest difference of mean or standard deviation is %.1f bits.",
				advice.Name(p.cells[0]), p.strays),
		},
		X:     chart.Axis{Title: "angle", Unit: "°", Min: 0, Max: math.Ceil(widest/30) * 30, Every: 30},
		Y:     chart.Axis{Title: "distance, bits", Min: 0, Max: math.Ceil(highest/every) * every, Every: every},
		Bands: []chart.Band{idealBand, hashBand}, Series: []chart.Series{ideal, hash},
	}.SVG(small, "")
}
