package compare

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/texttable"
)

func (r *Report) text() string {
	var out strings.Builder
	var above []resultfile.Field
	for _, t := range r.Tables {
		for _, f := range t.Config {
			if !slices.Contains(above, f) {
				fmt.Fprintf(&out, "%s: %s\n", f.Name, f.Value)
			}
		}
		above = t.Config
		fmt.Fprintf(&out, "%s\n\n", title(t))
		fmt.Fprintf(&out, "%s\n\n", textTable(cellsOf(t)))
	}
	for _, line := range r.legend() {
		fmt.Fprintf(&out, "%s\n", line)
	}
	out.WriteString(r.Remarks())
	for _, words := range []string{r.summary(), "Verdict: " + r.Verdict() + "."} {
		fmt.Fprintf(&out, "%s\n", strings.Join(texttable.Wrap(words, textWidth), "\n"))
	}
	return out.String()
}

// textTable lays the rows out. Where names make it too wide, what they have in common stands above.
func textTable(rows []cells) string {
	names := make([]string, len(rows))
	for i, c := range rows {
		names[i] = c.list()[0]
	}
	render := func() string {
		w := texttable.Aligned([]int{0, len(cellNames) - 1}, cellNames...)
		for i, c := range rows {
			row := texttable.Row{names[i]}
			for _, cell := range c.list()[1:] {
				row = append(row, cell)
			}
			w.AppendRow(row)
		}
		return texttable.Render(w)
	}
	table := render()
	rule := strings.Split(table, "\n")[1]
	if utf8.RuneCountInString(rule) <= textWidth {
		return table
	}
	var common string
	if common, names = commonParts(names); common == "" {
		return table
	}
	return common + ":\n\n" + render()
}

// textWidth is that of lines of words.
const textWidth = 120

// Remarks returns gaps and notes as lines of a text.
func (r *Report) Remarks() string {
	var out strings.Builder
	add := func(kind string, lines []string) {
		for _, line := range lines {
			parts := texttable.Wrap(line, textWidth-len(kind))
			fmt.Fprintf(&out, "%s%s\n", kind, strings.Join(parts, "\n"+strings.Repeat(" ", len(kind))))
		}
	}
	add("GAP   ", r.GapLines())
	add("note  ", r.Notes)
	return out.String()
}

// title says what a table compares and by which rule.
func title(t Table) string {
	direction := map[int]string{-1: "lower is better", 0: "direction unknown", +1: "higher is better"}[t.Better]
	kind := fmt.Sprintf("threshold %s", percent(t.Threshold))
	switch {
	case t.Unjudged:
		kind = "not judged"
	case t.Exact:
		kind = "exact"
		if t.Threshold > 0 {
			kind += fmt.Sprintf(", threshold %s", percent(t.Threshold))
		}
	}
	return fmt.Sprintf("%s (%s, %s): %s → %s", t.Unit, direction, kind, t.Old, t.New)
}
