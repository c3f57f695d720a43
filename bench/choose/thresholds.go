package choose

import (
	"slices"

	"simhashkit/bench/calibrate"
)

// Threshold is one that can be chosen, and what to expect of it.
type Threshold struct {
	Bits  int    `json:"bits"`
	K     int    `json:"k"`
	Widen string `json:"widen,omitempty"` // how the hash gets that width; "" where it has it

	// part of the near-duplicates; without any, of pairs of exactly the cosine
	Finds float64 `json:"recall"`
	// part of what is found that are near-duplicates; nil: not known
	Real *float64 `json:"precision,omitempty"`
	// pairs that a million such vectors have within k, besides copies
	Found float64 `json:"foundPerMillionVectors"`
	// none were found in the sample, and Found is where its 95% interval ends
	AtMost bool `json:"atMost,omitempty"`
	Take   bool `json:"-"` // it is the one that is suggested
}

// million is the number of vectors that Found is about.
const million = 1_000_000

// Thresholds lists the thresholds to choose from: at the width that is suggested those of rising
// recall, at others the one of the wanted recall.
func (a *Answer) Thresholds() []Threshold {
	c := a.Calibration
	if c == nil || c.Suggestion == nil {
		return a.modelled()
	}
	var list []Threshold
	for _, w := range c.Widths {
		choices := []calibrate.Threshold{w.Thresholds[max(0, w.Least)]}
		if w.Bits == c.Suggestion.Bits {
			choices = c.Attainable(w)
		}
		for _, at := range choices {
			t := Threshold{Bits: w.Bits, K: at.K, Widen: w.Widen, Finds: at.Recall.Value, Real: &at.Precision.Value, Take: w.Bits == c.Suggestion.Bits && at.K == c.Suggestion.K}
			t.Found, t.AtMost = foundAmongMillion(c, at)
			list = append(list, t)
		}
	}
	return list
}

// foundAmongMillion extrapolates from the sample. Of none in n pairs, three or fewer of n are the
// 95% interval.
func foundAmongMillion(c *calibrate.Calibration, at calibrate.Threshold) (found float64, atMost bool) {
	if at.Found == 0 {
		at.Found, atMost = 3, true
	}
	return c.FoundAmong(at, million), atMost
}

// modelled lists thresholds by the model. What is found are the pairs that have nothing in common,
// unless there are vectors that tell more.
func (a *Answer) modelled() []Threshold {
	bits := min(64, a.Hash.Family.Bits)
	near, none := calibrate.Model(bits, a.Options.Cosine), calibrate.Model(bits, 0)
	var list []Threshold
	for _, recall := range []float64{0.5, 0.8, 0.9, 0.95, 0.99, a.Options.Recall} {
		k := slices.IndexFunc(near, func(p float64) bool { return p >= recall })
		t := Threshold{Bits: bits, K: k, Finds: near[k], Found: none[k] * million * (million - 1) / 2, Take: recall == a.Options.Recall}
		if c := a.Calibration; c != nil {
			if w, ok := c.OfWidth(bits); ok {
				t.Found, t.AtMost = foundAmongMillion(c, w.Thresholds[k])
				if p := w.Thresholds[k].Precision; p.Defined {
					t.Real = &p.Value
				}
			}
		}
		at, there := slices.BinarySearchFunc(list, t, func(a, b Threshold) int { return a.K - b.K })
		if there {
			list[at].Take = list[at].Take || t.Take
		} else {
			list = slices.Insert(list, at, t)
		}
	}
	return list
}
