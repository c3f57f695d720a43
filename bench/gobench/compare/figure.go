package compare

import (
	"math"

	"simhashkit/bench/gobench/resultfile"
)

// Apart moves the figures of two sides around their middle until they are as far apart as the
// judged change says. The change is not the difference of the medians, but readers compare the
// columns with the verdict, so sign and size must agree.
func Apart(old, new resultfile.Figure, change float64) (shownOld, shownNew resultfile.Figure) {
	switch {
	case math.IsInf(change, 0) || old.Median == new.Median && change == 0:
		return old, new
	case old.Median > 0 && new.Median > 0 && change > -1:
		middle, half := math.Sqrt(old.Median)*math.Sqrt(new.Median), math.Sqrt(1+change)
		return timesAs(old, middle/half), timesAs(new, middle*half)
	}
	by := old.Median + change*math.Abs(old.Median) - new.Median
	return old, resultfile.Figure{Median: new.Median + by, Lo: new.Lo + by, Hi: new.Hi + by, Samples: new.Samples}
}

// timesAs returns the figure with another median, and an interval of the same relative width.
func timesAs(f resultfile.Figure, median float64) resultfile.Figure {
	factor := median / f.Median
	return resultfile.Figure{Median: median, Lo: f.Lo * factor, Hi: f.Hi * factor, Samples: f.Samples}
}
