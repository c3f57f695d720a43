package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// bar is a bar of a picture with its label.
type bar struct {
	label string
	value float64
}

const (
	barLabels, barLength, barHeight = 230, 360, 20
	style                           = `text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.label{text-anchor:end}rect{fill:#0969da}` +
		`@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect{fill:#58a6ff}}`
)

// bars draws bars on a logarithmic axis that begins at low, or on a linear one from 0 if low is 0.
func (c *claims) bars(file, title string, list []bar, unit string, low float64) {
	most := 0.0
	for _, b := range list {
		most = max(most, b.value)
	}
	var body strings.Builder
	for i, b := range list {
		y, length := 34+26*i, b.value/most
		if low > 0 {
			length = math.Log(max(b.value, low)/low) / math.Log(most/low)
		}
		fmt.Fprintf(&body, `<text class="label" x="%d" y="%d">%s</text><rect x="%d" y="%d" width="%.1f" height="%d"/><text x="%.1f" y="%d">%s%s</text>`+"\n",
			barLabels-8, y+15, html.EscapeString(b.label), barLabels, y, length*barLength, barHeight, barLabels+length*barLength+6, y+15, thousands(math.Round(b.value)), unit)
	}
	c.drawn[file] = fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 %d" width="680" height="%d" role="img"><title>%s</title><style>%s</style><text class="title" x="8" y="20">%s</text>`+"\n%s</svg>\n",
		34+26*len(list), 34+26*len(list), html.EscapeString(title), style, html.EscapeString(title), body.String())
}

// curves draws row 9.
func (c *claims) curves(recalls map[string]float64, languages []language) {
	var list []bar
	for l, language := range languages {
		for _, n := range lengths {
			list = append(list, bar{fmt.Sprintf("%d %s", n, language.name), 100 * recalls[fmt.Sprint(l, n, 5, 3)]})
		}
	}
	c.bars("lengths.svg", "Recall at k = 3 of 64 bits with 5% of the words changed, by length", list, "%", 0)
}

// pictures draws rows 19 to 22. ns returns the time of a query against 10^6.
func (c *claims) pictures(ns func(method, keys string) float64) {
	c.bars("searches.svg", "Nanoseconds per query within 3 bits against 10^6, logarithmic axis", []bar{
		{"scan", ns("scan", "")}, {"64 posting lists", ns("postings", "")}, {"43,745 neighbours", ns("neighbours", "")}, {"four tables", ns("blocks", "")},
		{"10 permuted tables", ns("manku", "/tables=10")}, {"20 permuted tables", ns("manku", "/tables=20")}, {"10 permutations (99% recall)", ns("permutations", "/permutations=10")}, {"the kit's index", ns("index", "")},
	}, " ns", 10)
}
