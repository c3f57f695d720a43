package ab

import (
	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
)

// judgement is the effect with the figures that it is about: those of runs, where the medians of
// all samples may tell another change.
//
// The estimate is the median of the differences of all new runs from all old ones, which differs a
// little from the difference of two medians.
func (h *hypothesis) judgement(e compare.Effect) compare.Judgement {
	ofOld, ofNew := h.Old, h.New
	if h.Means || h.time != nil && h.time.Means {
		ofOld, ofNew = h.means.old, h.means.new
	}
	old, new := compare.Apart(resultfile.NewFigure(ofOld), resultfile.NewFigure(ofNew), e.Change)
	return compare.Judgement{Effect: e, Old: &old, New: &new}
}
