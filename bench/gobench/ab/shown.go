package ab

import (
	"math"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
)

// judgement is the effect with the figures that it is about: those of runs, where the medians of
// all samples may tell another change.
//
// The estimate is the median of the differences of all new runs from all old ones, which differs a
// little from the difference of two medians. So the sides are shown around the middle of these, as
// far from each other as the estimate says.
func (h *hypothesis) judgement(e compare.Effect) compare.Judgement {
	ofOld, ofNew := h.Old, h.New
	if h.Means || h.time != nil && h.time.Means {
		ofOld, ofNew = h.means.old, h.means.new
	}
	old, new := resultfile.NewFigure(ofOld), resultfile.NewFigure(ofNew)
	switch {
	case math.IsInf(e.Change, 0) || old.Median == new.Median && e.Change == 0:
	case old.Median > 0 && new.Median > 0 && e.Change > -1:
		middle, half := math.Sqrt(old.Median)*math.Sqrt(new.Median), math.Sqrt(1+e.Change)
		old, new = scaled(old, middle/half), scaled(new, middle*half)
	default:
		new = moved(new, old.Median+e.Change*math.Abs(old.Median))
	}
	return compare.Judgement{Effect: e, Old: &old, New: &new}
}

// scaled returns the figure with another median, and an interval of the same relative width.
func scaled(f resultfile.Figure, median float64) resultfile.Figure {
	factor := median / f.Median
	return resultfile.Figure{Median: median, Lo: f.Lo * factor, Hi: f.Hi * factor, Samples: f.Samples}
}

// moved returns the figure with another median, and an interval of the same width.
func moved(f resultfile.Figure, median float64) resultfile.Figure {
	by := median - f.Median
	return resultfile.Figure{Median: median, Lo: f.Lo + by, Hi: f.Hi + by, Samples: f.Samples}
}
