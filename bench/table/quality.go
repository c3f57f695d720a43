package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/internal/texttable"
)

const hashesTitle = `Hashes  quality beside cost: good ones first, the cheapest at the top

  ns per feature: hashing alone by the library and by the best kernel, and a whole sketch with f32 weights by the best.
  bits: what the bits are worth, over all angles and at cosine 0.9 and above, with 95% intervals, in the worst of the cells
  (pattern of indices, weights). A dash: not measured.`

// renderHashes sets the quality of each hash beside its cost. It is "" where there are no cells.
func renderHashes(set *advice.Set) string {
	choices := pricedChoices(set)
	if len(choices) == 0 {
		return ""
	}
	t := texttable.Aligned([]int{0, 1, 7, 9, 10, 12}, "hash", "encoding", "f", "library", "kernel", "sketch", "bits", "95%", "cos ≥ .9", "95%", "worst case", "cells", "verdict")
	var bad []*advice.Choice
	for _, c := range choices {
		w := c.Worst()
		row := texttable.Row{c.Hash, c.Encoding, c.Bits, nanoseconds(c.library), nanoseconds(c.kernel), nanoseconds(c.sketch)}
		for _, band := range []*resultfile.Figure{w.All, w.Cos90} {
			if band == nil {
				row = append(row, "–", "")
				continue
			}
			within := ""
			if advice.Bounded(*band) {
				within = advice.Bits(band.Lo) + "-" + advice.Bits(band.Hi)
			}
			row = append(row, advice.Bits(band.Median), within)
		}
		name := w.Row.Name
		t.AppendRow(append(row, name.Get("pattern")+", "+name.Get("weights"), len(c.Cases), terms.VerdictWord(c.Verdict())))
		if c.Verdict() != terms.Good {
			bad = append(bad, c.Choice)
		}
	}
	out := hashesTitle + "\n\n" + texttable.Render(t)
	if len(bad) > 0 {
		out += "\n\nWhat is wrong with those that are not good\n\n" + faults(bad)
	}
	return out
}

// priced is a choice with what it costs in the same run, in ns per feature; infinite where that was
// not measured.
type priced struct {
	*advice.Choice
	library, kernel, sketch float64
}

// pricedChoices returns the good choices first, then undecided ones, then weak ones, each from
// cheap to dear: by whole sketches, those without by hashing alone, and those that were not timed
// last; what is not good and costs the same with the most bits first.
func pricedChoices(set *advice.Set) []priced {
	choices := advice.Choices(set, func(advice.Case) bool { return true })
	var list []priced
	for _, m := range set.Machines() { // one run has one
		isLibrary := func(kernel string) bool { return kernel == terms.Library }
		library := advice.Timed(m, terms.Hash, choices, "", isLibrary)
		kernel := advice.Timed(m, terms.Hash, choices, "", func(kernel string) bool { return !isLibrary(kernel) })
		sketch := advice.Timed(m, terms.Sketch, choices, "", func(string) bool { return true })
		cost := func(of advice.Times, c *advice.Choice) float64 {
			if t, ok := of.Get(c); ok {
				return t.Median
			}
			return math.Inf(1)
		}
		for _, c := range choices {
			list = append(list, priced{c, cost(library, c), cost(kernel, c), cost(sketch, c)})
		}
	}
	bits := func(c *advice.Choice) float64 {
		if f, _ := c.Worst().Worse(); f != nil {
			return f.Median
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b priced) int {
		byCost := cmp.Or(b.Verdict()-a.Verdict(), cmp.Compare(a.sketch, b.sketch), cmp.Compare(min(a.library, a.kernel), min(b.library, b.kernel)))
		if byCost != 0 || a.Verdict() == terms.Good {
			return byCost // good ones are as good as each other
		}
		return cmp.Compare(bits(b.Choice), bits(a.Choice))
	})
	return list
}

// nanoseconds is a time, or a dash.
func nanoseconds(v float64) string {
	if math.IsInf(v, 1) {
		return "–"
	}
	return fmt.Sprintf("%.2f", v)
}
