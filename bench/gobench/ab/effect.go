package ab

import (
	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
)

// judgement is the effect with the figures of the runs, moved apart as the effect says: the
// estimate is the median of the differences of all new runs from all old ones, which differs a
// little from the difference of two medians.
func (h *hypothesis) judgement(e compare.Effect) compare.Judgement {
	runs := [2][]float64{h.Old, h.New}
	if h.Means {
		runs = [2][]float64{h.mean.old, h.mean.new}
	}
	old, new := compare.Apart(resultfile.NewFigure(runs[0]), resultfile.NewFigure(runs[1]), e.Change)
	return compare.Judgement{Effect: e, Old: old, New: new}
}

// effect returns the finding for package compare, with a P to be compared with alpha. ok is false
// if there is none.
func (h *hypothesis) effect(alpha float64) (e compare.Effect, ok bool) {
	switch {
	case h.counted():
		change := compare.Relative(h.Old[0], h.New[0])
		e := compare.Effect{Change: change, Lo: change, Hi: change}
		if change == 0 {
			e.P = 1
		}
		return e, true
	case h.settled():
		// samples may differ now and then, but the test of package compare has no share of alpha
		return compare.Effect{P: 1}, true
	case h.test == nil || h.same && h.samples < compare.MinSamples:
		// package compare says that there are too few samples
		return compare.Effect{}, false
	}
	f := h.Finding
	return compare.Effect{Change: f.Change, Lo: f.Lo, Hi: f.Hi, P: min(1, f.P*alpha/h.Share), Detectable: f.Detectable, Noise: f.Noise}, true
}
