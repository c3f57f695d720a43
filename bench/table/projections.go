package table

import (
	"fmt"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/internal/texttable"
)

const projectionsTitle = `Projections  hyperplanes that are stored, or computed by hashing, against the number of dimensions D

  ns/vector: median. table: bytes of the random entries. RMSE and bias: of the estimated angle, in radians, beside the RMSE
  of independent bits.`

// renderProjections shows all that was measured of each projection in one line. It is "" where
// there are none.
func renderProjections(lines []line) string {
	t := texttable.Aligned([]int{0, 3}, "method", "f", "D", "pattern", "nnz", terms.NanosecondsPerVector, "±", "table, B", "RMSE", "ideal", "bias")
	index := resultfile.NewIndex(lines)
	var skipped []string
	for _, l := range lines {
		if l.Name.Base != terms.Projection || l.Unit != terms.NanosecondsPerVector && l.Unit != "" {
			continue
		}
		n := l.Name
		figure := func(unit string, write func(float64) string) string {
			if r, ok := index.Get(n, unit); ok && r.Err == "" {
				return write(r.Median)
			}
			return "–"
		}
		format := func(f string) func(float64) string { return func(v float64) string { return fmt.Sprintf(f, v) } }
		pattern := n.Get("pattern")
		if pattern == "" {
			pattern = terms.Uniform
		}
		within := ""
		if l.Err == "" {
			within = l.PlusMinus()
		}
		if l.Skipped {
			skipped = append(skipped, fmt.Sprintf("not measured  %s: %s", n, l.Err))
		}
		t.AppendRow(texttable.Row{n.Get("method"), n.Get("f"), n.Get("D"), pattern, n.Get("nnz"), figure(terms.NanosecondsPerVector, format("%.0f")), within,
			figure(terms.TableBytes, scaled), figure(terms.AngleRMSE, format("%.4f")), figure(terms.AngleRMSEIdeal, format("%.4f")),
			figure(terms.AngleBias, format("%+.4f"))})
	}
	if t.Length() == 0 {
		return ""
	}
	out := projectionsTitle + "\n\n" + texttable.Render(t)
	if len(skipped) > 0 {
		out += "\n\n" + strings.Join(skipped, "\n")
	}
	return out
}
