package advice

import (
	"fmt"
	"math"

	"simhashkit/bench/gobench/resultfile"
)

// wide is the part of a median that its interval may reach to one side before the run is called
// noisy, and manyWide the part of the medians that must have such intervals.
const wide, manyWide = 0.25, 0.05

// Noise returns why the times of a run are to be doubted, in a sentence; "" if they are not.
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

// spread is the longer half of the interval as a part of the median.
func spread(f resultfile.Figure) float64 {
	if f.Median == 0 {
		return 0
	}
	return max(f.Hi-f.Median, f.Median-f.Lo) / math.Abs(f.Median)
}
