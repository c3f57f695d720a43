// Package table shows benchmark results to people: one table for each kind of measurement, medians
// with their intervals, rates, and factors over the baselines of the same run.
package table

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
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

// WriteDoubts writes what makes the times doubtful, and what was wrong with the cases that have no
// figures.
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
