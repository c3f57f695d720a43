package compare

import (
	"fmt"
	"math"

	"golang.org/x/perf/benchunit"
)

// CellNames are the columns of a row as people read it.
var CellNames = []string{"benchmark", "old", "±", "new", "±", "change", "95% interval", "p", "verdict"}

// scales returns the scales of the sides. They share one, so that they can be compared by eye,
// unless one is a thousand times the other.
func scales(r Row, class benchunit.Class) [2]benchunit.Scaler {
	old, new := math.Abs(r.Old.Median), math.Abs(r.New.Median)
	if low, high := min(old, new), max(old, new); low > 0 && high/low >= 1000 {
		return [2]benchunit.Scaler{benchunit.CommonScale([]float64{r.Old.Median}, class), benchunit.CommonScale([]float64{r.New.Median}, class)}
	}
	common := benchunit.CommonScale([]float64{r.Old.Median, r.New.Median}, class)
	return [2]benchunit.Scaler{common, common}
}

// Cells renders the rows of a table for people, each in the order of [CellNames].
func (t Table) Cells() [][]string {
	class := benchunit.ClassOf(t.Unit)
	show := func(s Side, scale benchunit.Scaler) (center, within string) {
		switch {
		case s.Samples == 0:
			return "", ""
		case t.Exact:
			return fmt.Sprintf("%.8g", s.Median), ""
		}
		return scale.Format(s.Median), s.PlusMinus()
	}
	var rows [][]string
	for _, r := range t.Rows {
		scale := scales(r, class)
		old, oldRange := show(r.Old, scale[0])
		new, newRange := show(r.New, scale[1])
		var change, interval, p string
		if r.Verdict.Compared() {
			change = SignedPercent(r.Effect.Change)
			if r.Effect.Noise {
				interval = fmt.Sprintf("%s to %s", SignedPercent(r.Effect.Lo), SignedPercent(r.Effect.Hi))
				p = fmt.Sprintf("%.3f", r.Effect.P)
				if r.Effect.P < 0.001 {
					p = "<0.001"
				}
			}
		}
		rows = append(rows, []string{r.Name, old, oldRange, new, newRange, change, interval, p, string(r.Verdict)})
	}
	return rows
}

// Title says what a table compares and by which rule.
func (t Table) Title() string {
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
