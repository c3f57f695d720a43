package compare

import (
	"fmt"
	"math"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
)

const (
	// wide is the part of a figure that its interval may reach to one side before it is called
	// noisy, and manyWide the part of the comparisons with noise that must have such a figure.
	wide     = 0.25
	manyWide = 0.05
)

// doubt says what makes the results worth little, behind a conclusion; "" where nothing does.
func (r *Report) doubt() string {
	all, noisy := 0, 0
	worst, worstSpread, worstText := "", 0.0, ""
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if !row.Verdict.Compared() || !row.Effect.Noise {
				continue
			}
			all++
			figure := row.Old.Figure
			if spread(row.New.Figure) > spread(figure) {
				figure = row.New.Figure
			}
			if spread(figure) > wide {
				noisy++
			}
			if spread(figure) > worstSpread {
				worst, worstSpread, worstText = row.Name+" "+t.Unit, spread(figure), figure.PlusMinus()
			}
		}
	}
	if float64(noisy) <= manyWide*float64(all) {
		return ""
	}
	return fmt.Sprintf("; noisy: %d of %s %s a figure that is uncertain by more than %.0f%%, %s by %s; measure again when the machine is quiet",
		noisy, plural(all, "comparison"), english.Plural(noisy, "has", "have"), 100*wide, worst, worstText)
}

// spread is the longer half of the interval as a part of the figure, 0 where there is none.
func spread(f resultfile.Figure) float64 {
	if f.Median == 0 || math.IsInf(f.Lo, 0) || math.IsInf(f.Hi, 0) {
		return 0
	}
	return max(f.Hi-f.Median, f.Median-f.Lo) / math.Abs(f.Median)
}
