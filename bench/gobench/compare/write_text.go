package compare

import (
	"fmt"
	"strings"

	"simhashkit/internal/texttable"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

func (r *Report) text() string {
	var out strings.Builder
	var above []Field
	for _, t := range r.Tables {
		for _, f := range t.Config {
			if !contains(above, f) {
				fmt.Fprintf(&out, "%s: %s\n", f.Name, f.Value)
			}
		}
		above = t.Config
		fmt.Fprintf(&out, "%s\n\n", title(t))
		w := texttable.New(cellNames...)
		w.SetColumnConfigs(alignments())
		for _, c := range cellsOf(t) {
			var row pretty.Row
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

func contains(fields []Field, f Field) bool {
	for _, other := range fields {
		if other == f {
			return true
		}
	}
	return false
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

func alignments() []pretty.ColumnConfig {
	columns := make([]pretty.ColumnConfig, len(cellNames))
	for i := range columns {
		align := text.AlignRight
		if i == 0 || i == len(columns)-1 {
			align = text.AlignLeft
		}
		columns[i] = pretty.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align}
	}
	return columns
}
