package advice

import (
	"fmt"
	"math"

	"simhashkit/bench/gobench/resultfile"
)

// A median is uncertain if its interval extends by more than wide of the median to one side. A run
// is noisy if more than manyWide of its medians are uncertain.
const wide, manyWide = 0.25, 0.05

// Noise returns a warning if the times of a run are noisy, and "" otherwise.
func Noise(rows []resultfile.Summary) string {
	timed, noisy, worst := 0, 0, resultfile.Summary{}
	for _, r := range rows {
		if r.Err != "" || !Bounded(r.Figure) {
			continue
		}
		timed++
		if spread(r.Figure) > wide {
			noisy++
		}
		if spread(r.Figure) > spread(worst.Figure) {
			worst = r
		}
	}
	if float64(noisy) <= manyWide*float64(timed) {
		return ""
	}
	return fmt.Sprintf("Noisy: %d of %d medians are uncertain by more than %.0f%%, %s by %s. Something else ran on this machine. Measure again when it is quiet, or with more --samples.",
		noisy, timed, 100*wide, worst.Name, worst.PlusMinus())
}

// spread returns the longer half of the interval as a fraction of the median.
func spread(f resultfile.Figure) float64 {
	if f.Median == 0 {
		return 0
	}
	return max(f.Hi-f.Median, f.Median-f.Lo) / math.Abs(f.Median)
}
