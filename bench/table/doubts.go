package table

import (
	"fmt"
	"math"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/internal/texttable"
)

// wide is the part of a median that its interval may reach to one side before the run is called
// noisy, and manyWide the part of the medians that must have such intervals.
const wide, manyWide = 0.25, 0.05

// doubts says what makes the times of a run worth little; "" where nothing does.
func doubts(lines []line) string {
	timed, noisy, worst := 0, 0, line{}
	for _, l := range lines {
		if l.Err != "" || !advice.Bounded(l.Figure) {
			continue
		}
		timed++
		if spread(l.Figure) > wide {
			noisy++
		}
		if spread(l.Figure) > spread(worst.Figure) {
			worst = l
		}
	}
	if float64(noisy) <= manyWide*float64(timed) {
		return ""
	}
	return strings.Join(texttable.Wrap(fmt.Sprintf("Noisy: %d of %d medians are uncertain by more than %.0f%%, %s by %s. Something else ran on this machine. Measure again when it is quiet, or with more --samples.",
		noisy, timed, 100*wide, worst.Name, worst.PlusMinus()), verdictWidth), "\n")
}

// spread is the longer half of the interval as a part of the median.
func spread(f resultfile.Figure) float64 {
	if f.Median == 0 {
		return 0
	}
	return max(f.Hi-f.Median, f.Median-f.Lo) / math.Abs(f.Median)
}

// partOfMemory compares a scan with reading the same amount of memory.
func partOfMemory(l line, all []line) (part float64, ok bool) {
	if l.Name.Base != terms.HammingScan || l.Err != "" {
		return 0, false
	}
	for _, other := range all {
		if other.Name.Base == terms.MemoryRead && other.Name.Get("n") == l.Name.Get("n") && other.Err == "" {
			return l.Median / other.Median, true
		}
	}
	return 0, false
}
