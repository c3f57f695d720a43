package main

import (
	"fmt"
	"math"

	"simhashkit/results/measure/bars"
)

// bars draws bars with whole numbers, see bars.Draw.
func (c *claims) bars(file, title string, list []bars.Bar, unit string, low float64) {
	for i := range list {
		list[i].Words = thousands(math.Round(list[i].Value)) + unit
	}
	c.drawn[file] = bars.Draw(title, list, low)
}

// curves draws row 9.
func (c *claims) curves(recalls map[string]float64, languages []language) {
	var list []bars.Bar
	for l, language := range languages {
		for _, n := range lengths {
			list = append(list, bars.Bar{Label: fmt.Sprintf("%d %s", n, language.name), Value: 100 * recalls[fmt.Sprint(l, n, 5, 3)]})
		}
	}
	c.bars("lengths.svg", "Recall at k = 3 of 64 bits with 5% of the words changed, by length", list, "%", 0)
}

// pictures draws rows 19 to 22. ns returns the time of a query against 10^6.
func (c *claims) pictures(ns func(method, keys string) float64) {
	c.bars("searches.svg", "Nanoseconds per query within 3 bits against 10^6, logarithmic axis", []bars.Bar{
		{Label: "scan", Value: ns("scan", "")}, {Label: "64 posting lists", Value: ns("postings", "")}, {Label: "43,745 neighbours", Value: ns("neighbours", "")},
		{Label: "four tables", Value: ns("blocks", "")}, {Label: "10 permuted tables", Value: ns("manku", "/tables=10")}, {Label: "20 permuted tables", Value: ns("manku", "/tables=20")},
		{Label: "10 permutations (99% recall)", Value: ns("permutations", "/permutations=10")}, {Label: "the kit's index", Value: ns("index", "")},
	}, " ns", 10)
}
