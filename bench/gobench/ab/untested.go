package ab

import (
	"fmt"
	"math"

	"simhashkit/bench/gobench/compare"
)

// untested is a comparison that no share of alpha was left for.
type untested struct {
	at   place
	rate bool // it was to follow a time, and does not
	late int  // the first round with figures of both sides, 0 if there is none
}

// judge is the judge that compare asks. It leaves nothing to the usual test but what that has too
// few samples of: it would have an alpha of its own, beside that of the comparisons here.
func (e *engine) judge(t compare.Table, r compare.Row) (compare.Judgement, bool) {
	u := untested{at: placeOf(t, r)}
	for _, j := range e.jobs {
		u.late = max(u.late, j.late[u.at])
		h := j.find[u.at]
		if h == nil {
			continue
		}
		if effect, ok := h.effect(e.Alpha); ok {
			return h.judgement(effect), true
		}
		u.rate = h.time != nil
	}
	if min(r.Old.Samples, r.New.Samples) < compare.MinSamples {
		return compare.Judgement{}, false
	}
	e.untested = append(e.untested, u)
	return compare.Judgement{Effect: unknown(r)}, true
}

// unknown is an effect that says what the medians say, and of which nothing follows.
func unknown(r compare.Row) compare.Effect {
	e := compare.Effect{Lo: math.Inf(-1), Hi: math.Inf(1), P: 1, Detectable: math.Inf(1), Noise: true}
	if old, new := r.Old.Median, r.New.Median; old != new {
		e.Change = (new - old) / math.Abs(old)
	}
	return e
}

// noteUntested says what has no verdict, and why. That is a gap, but for rates: their times have a
// verdict.
func (e *engine) noteUntested(r *compare.Report) {
	for _, u := range e.untested {
		if u.rate {
			r.Notes = append(r.Notes, fmt.Sprintf("%s %s is unclear: in the first round it said what the time says, and had no part of alpha; later it said something else", u.at.row, u.at.unit))
			continue
		}
		message := fmt.Sprintf("%s has no round in which both sides have figures", u.at.row)
		if u.late > 0 {
			message = fmt.Sprintf("%s has figures of both sides from round %d on only, and alpha is divided among what the first round has", u.at.row, u.late)
		}
		e.gap(r, u.at, message)
	}
}
