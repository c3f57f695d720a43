package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
	"simhashkit/internal/texttable"
)

// isExact reports whether a kind of row is computed rather than timed; such rows have tables of
// their own.
func isExact(base string) bool {
	return slices.Contains([]string{terms.Quality, terms.Distance, terms.NearDuplicates, terms.Avalanche}, base)
}

const hashesTitle = `Hashes  quality beside cost: good ones first, the cheapest at the top

  ns per feature: hashing alone by the library and by the best kernel, and a whole sketch with f32 weights by the best.
  bits: what the bits are worth, over all angles and at cosine 0.9 and above, with 95% intervals, in the worst of the cells
  (pattern of indices, weights). A dash: not measured.`

// renderHashes sets the quality of each hash beside its cost. It is "" where there are no cells.
func renderHashes(lines []line) string {
	choices := advice.Choices(lines, func(benchname.Name) bool { return true })
	if len(choices) == 0 {
		return ""
	}
	t := texttable.Aligned([]int{0, 1, 7, 9, 10, 12}, "hash", "encoding", "f", "library", "kernel", "sketch", "bits", "95%", "cos ≥ .9", "95%", "worst case", "cells", "verdict")
	var bad []*advice.Choice
	for _, c := range choices {
		w := c.Worst()
		row := texttable.Row{c.Name(), c.Encoding, c.Bits, nanoseconds(c.Library), nanoseconds(c.Best), nanoseconds(c.Sketch)}
		for _, unit := range []string{terms.EffectiveBits, terms.EffectiveBitsCos90} {
			value, ok := w.Value(unit)
			if !ok {
				row = append(row, "–", "")
				continue
			}
			row = append(row, advice.Bits(value), interval(w, unit))
		}
		t.AppendRow(append(row, w.Case(), len(c.Cells), verdictWord(c.Verdict())))
		if c.Verdict() != terms.Good {
			bad = append(bad, c)
		}
	}
	out := hashesTitle + "\n\n" + texttable.Render(t)
	if len(bad) > 0 {
		out += "\n\nWhat is wrong with those that are not good\n\n" + strings.Join(advice.Faults(bad), "\n")
	}
	return out
}

// interval is that of a figure of bits; "" where there is none.
func interval(c advice.Cell, unit string) string {
	low, ok := c.Value(unit + terms.Low)
	high, okay := c.Value(unit + terms.High)
	if !ok || !okay {
		return ""
	}
	return advice.Bits(low) + "-" + advice.Bits(high)
}

func verdictWord(v int) string {
	switch v {
	case terms.Good:
		return "good"
	case terms.Weak:
		return "weak"
	}
	return "undecided"
}

// nanoseconds is the median of a row, or a dash.
func nanoseconds(l *line) string {
	if l == nil || math.IsNaN(l.Median) {
		return "–"
	}
	return fmt.Sprintf("%.2f", l.Median)
}
