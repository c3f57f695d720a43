package compare

import (
	"fmt"
	"slices"
	"strings"

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
		w := texttable.Aligned([]int{0, len(cellNames) - 1}, cellNames...)
		for _, c := range cellsOf(t) {
			var row texttable.Row
			for _, cell := range c.list() {
				row = append(row, cell)
			}
			w.AppendRow(row)
		}
		fmt.Fprintf(&out, "%s\n\n", texttable.Render(w))
	}
	for _, line := range r.legend() {
		fmt.Fprintf(&out, "%s\n", line)
	}
	for _, line := range r.GapLines() {
		fmt.Fprintf(&out, "GAP   %s\n", line)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&out, "note  %s\n", n)
	}
	fmt.Fprintf(&out, "%s\nVerdict: %s.\n", r.summary(), r.Conclusion())
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
