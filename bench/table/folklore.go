package table

import (
	"fmt"
	"io"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/texttable"
)

const folkloreTitle = `Folklore  what tutorials repeat, and what the rows say`

// WriteFolklore writes what became of each claim that the rows say something about, with the names
// of the rows.
func WriteFolklore(w io.Writer, rows []resultfile.Row) error {
	findings := advice.Folklore(resultfile.Summarize(rows))
	if len(findings) == 0 {
		return nil
	}
	t := texttable.New("claim", "verdict", "figures", "rows")
	t.SetColumnConfigs([]pretty.ColumnConfig{
		{Number: 1, WidthMax: 34, WidthMaxEnforcer: text.WrapSoft},
		{Number: 2, WidthMax: 12, WidthMaxEnforcer: text.WrapSoft},
		{Number: 3, WidthMax: 56, WidthMaxEnforcer: text.WrapSoft},
	})
	for i, f := range findings {
		t.AppendRow(texttable.Row{f.Claim, f.Verdict, f.Figures, fmt.Sprintf("[%d]", i+1)})
	}
	t.Style().Options.SeparateRows = true
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n%s\n\nThe rows\n", folkloreTitle, texttable.Render(t))
	for i, f := range findings {
		for _, name := range f.Rows {
			fmt.Fprintf(&out, "  [%d] Benchmark%s\n", i+1, name)
		}
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}
