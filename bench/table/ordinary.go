package table

import (
	"slices"

	"golang.org/x/perf/benchunit"

	"simhashkit/bench/advice"
	"simhashkit/bench/terms"
	"simhashkit/internal/texttable"
)

// timed is what has tables with rates and factors.
var timed = []string{terms.Hash, terms.Accumulate, terms.Sketch, terms.HammingScan, terms.MemoryRead}

// ordinary reports whether the line is of a benchmark without such a table: one that this kit
// does not have, such as one of go test -bench.
func ordinary(l line) bool {
	if l.Name.Base == terms.Quality {
		return false
	}
	_, known := units[l.Unit]
	return !slices.Contains(timed, l.Name.Base) || l.Unit != "" && !known
}

// renderOrdinary lays out ordinary benchmarks, in a line each and with a column for each unit, as
// benchstat does. It is "" if there are none.
func renderOrdinary(lines []line) string {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return !ordinary(l) || l.Err != "" })
	if len(lines) == 0 {
		return ""
	}
	var columns []string // units
	for _, l := range lines {
		if !slices.Contains(columns, l.Unit) {
			columns = append(columns, l.Unit)
		}
	}
	header := []string{"benchmark"}
	for _, unit := range columns {
		_, tidied := benchunit.Tidy(1, unit)
		header = append(header, tidied, "±")
	}
	t := texttable.Aligned([]int{0}, header...)
	for _, of := range advice.GroupBy(lines, func(l line) string { return l.Name.String() }) {
		row := texttable.Row{of[0].Name.String()}
		for _, unit := range columns {
			i := slices.IndexFunc(of, func(l line) bool { return l.Unit == unit })
			if i < 0 {
				row = append(row, "", "")
				continue
			}
			v, tidied := benchunit.Tidy(of[i].Median, unit)
			row = append(row, benchunit.Scale(v, benchunit.ClassOf(tidied)), of[i].PlusMinus())
		}
		t.AppendRow(row)
	}
	return texttable.Render(t)
}
