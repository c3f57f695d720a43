// Package table shows benchmark results to people: one table for each kind of measurement, medians
// with their intervals, rates, and factors over the baselines of the same run.
package table

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/internal/texttable"
)

// Write writes the rows as tables, in order of appearance, followed by the quality of hashes beside
// their cost, and what [WriteDoubts] says.
func Write(w io.Writer, list []resultfile.Row) error {
	var out strings.Builder
	lines := resultfile.Summarize(list)
	for _, g := range groupsOf(lines) {
		fmt.Fprintf(&out, "%s\n\n%s\n\n", g.title, g.render(lines))
	}
	for _, text := range []string{renderOrdinary(lines), renderHashes(oneRun(list))} {
		if text != "" {
			fmt.Fprintf(&out, "%s\n\n", text)
		}
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return WriteDoubts(w, list)
}

// WriteDoubts writes the reasons to doubt the times, and the errors of cases without figures.
func WriteDoubts(w io.Writer, list []resultfile.Row) error {
	var out strings.Builder
	lines := resultfile.Summarize(list)
	if text := doubts(lines); text != "" {
		fmt.Fprintf(&out, "%s\n\n", text)
	}
	for _, l := range lines {
		if l.Err != "" && !l.Skipped {
			fmt.Fprintf(&out, "ERROR  %s: %s\n", l.Name, l.Err)
		}
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}

// oneRun is the set of the rows of one run.
func oneRun(list []resultfile.Row) *advice.Set {
	return advice.NewSet([]advice.Source{{File: resultfile.File{Rows: list}}})
}

// render lays one group out.
func (g group) render(all []line) string {
	header := slices.Clone(g.varying)
	var words []int // columns
	for i, key := range g.varying {
		if !g.numeric(key) {
			words = append(words, i)
		}
	}
	figures := g.figures(all)
	for _, f := range figures {
		header = append(header, f.header)
	}
	t := texttable.Aligned(words, header...)

	var above line
	for i, l := range g.lines {
		var row texttable.Row
		same := i > 0
		for _, key := range g.varying {
			value := l.Name.Get(key)
			same = same && value == above.Name.Get(key)
			if same {
				value = "" // said in the line above
			}
			row = append(row, value)
		}
		for _, f := range figures {
			if l.Err != "" {
				row = append(row, "ERROR")
				break
			}
			row = append(row, f.of(l))
		}
		t.AppendRow(row)
		above = l
	}
	return texttable.Render(t)
}

// wide is the part of a median that its interval may reach to one side before the run is called
// noisy, and manyWide the part of the medians that must have such intervals.
const wide, manyWide = 0.25, 0.05

// doubts returns the reasons to doubt the times of a run; "" if there are none.
func doubts(lines []line) string {
	timed, noisy, worst := 0, 0, line{}
	for _, l := range lines {
		if l.Err != "" || !advice.Bounded(l.Figure) {
			continue
		}
		timed++
		if spread(l.Figure) > wide {
			noisy++
		}
		if spread(l.Figure) > spread(worst.Figure) {
			worst = l
		}
	}
	if float64(noisy) <= manyWide*float64(timed) {
		return ""
	}
	return strings.Join(texttable.Wrap(fmt.Sprintf("Noisy: %d of %d medians are uncertain by more than %.0f%%, %s by %s. Something else ran on this machine. Measure again when it is quiet, or with more --samples.",
		noisy, timed, 100*wide, worst.Name, worst.PlusMinus()), verdictWidth), "\n")
}

// spread is the longer half of the interval as a part of the median.
func spread(f resultfile.Figure) float64 {
	if f.Median == 0 {
		return 0
	}
	return max(f.Hi-f.Median, f.Median-f.Lo) / math.Abs(f.Median)
}

// partOfMemory compares a scan with reading the same amount of memory.
func partOfMemory(l line, all []line) (part float64, ok bool) {
	if l.Name.Base != terms.HammingScan || l.Err != "" {
		return 0, false
	}
	for _, other := range all {
		if other.Name.Base == terms.MemoryRead && other.Name.Get("n") == l.Name.Get("n") && other.Err == "" {
			return l.Median / other.Median, true
		}
	}
	return 0, false
}

// timed are the tables with rates and factors.
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
