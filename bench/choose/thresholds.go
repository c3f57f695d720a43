package choose

import (
	"slices"

	"simhashkit/internal/binomial"
)

// Threshold is a threshold that can be chosen, and its expected results.
type Threshold struct {
	Bits  int    `json:"bits"`
	K     int    `json:"k"`
	Widen string `json:"widen,omitempty"` // how the hash gets that width; "" where it has it

	// part of the near-duplicates; by the model, of pairs of exactly the cosine
	Finds float64 `json:"recall"`
	Low   float64 `json:"recallLow,omitempty"` // of its 95% interval
	High  float64 `json:"recallHigh,omitempty"`
	// part of those near-duplicates that are in the least tenth of the cosines from the wanted one
	// to 1, such as 0.9 to 0.91; nil: not known, of fewer than 30
	FindsFar *float64 `json:"recallFar,omitempty"`
	// part of what is found that are near-duplicates; nil: not known
	Real *float64 `json:"precision,omitempty"`
	// pairs that a million such vectors have within k, besides copies
	Found float64 `json:"foundPerMillionVectors"`
	// none were found in the sample, and Found is where its 95% interval ends
	AtMost bool `json:"atMost,omitempty"`
	Take   bool `json:"take,omitempty"` // it is the one that is suggested

	others float64 // part of the other pairs within k
}

const (
	million = 1_000_000 // vectors, which Found is about
	// part of the other pairs that a threshold may find where its precision is not known
	mostOthers = 100e-6
)

// Taken is the threshold that is suggested.
func (a *Answer) Taken() Threshold {
	return a.Thresholds[slices.IndexFunc(a.Thresholds, func(t Threshold) bool { return t.Take })]
}

// measuredThresholds lists the thresholds to choose from: at the width that is suggested those of
// rising recall, at half of it and twice as many bits the one of the wanted recall. met says
// whether it has what is wanted.
func (a *Answer) measuredThresholds(c *comparison) (list []Threshold, met bool) {
	if c.pairs.Near+uint64(c.pairs.Edits) < leastPairs {
		return a.modelled(c), true
	}
	o := a.Options
	least := make([]Threshold, len(c.widths)) // of the wanted recall
	best := 0
	for i, w := range c.widths {
		k := c.atLeast(w, o.Recall)
		least[i] = c.threshold(w, k)
		switch {
		case met:
		case least[i].fits(o.Precision):
			best, met = i, true
		case least[i].better(least[best]):
			best = i
		}
	}
	for i, w := range c.widths {
		if i != best {
			if i == best-1 || i == best+1 {
				list = append(list, least[i])
			}
			continue
		}
		at := []int{c.atLeast(w, 0.8), least[i].K, c.atLeast(w, 0.99)}
		slices.Sort(at)
		for _, k := range slices.Compact(at) {
			t := c.threshold(w, k)
			t.Take = k == least[i].K
			list = append(list, t)
		}
	}
	return list, met
}

func (t Threshold) fits(precision float64) bool {
	if t.Real == nil {
		return t.others <= mostOthers
	}
	return *t.Real >= precision
}

// better reports whether t finds fewer false positives.
func (t Threshold) better(o Threshold) bool {
	if t.Real == nil || o.Real == nil {
		return t.others < o.others
	}
	return *t.Real > *o.Real
}

// threshold returns the results of the pairs at k.
func (c *comparison) threshold(w *width, k int) Threshold {
	near, other, edits := within(w.near, k), within(w.other, k), within(w.edits, k)
	keyings, p := float64(w.keyings), c.pairs
	t := Threshold{Bits: w.bits, K: k, Widen: w.widen}
	if all := float64(p.Near) + float64(p.Edits); all > 0 {
		t.Finds = (near + edits) / keyings / all
		// pairs share vectors, so they are no independent sample; an edit has a vector of its own
		t.Low, t.High = binomial.Wilson(t.Finds, min(all, max(1, float64(p.related)/2+float64(p.Edits)/2)))
	}
	if far := within(w.far, w.bits); far >= leastPairs*keyings {
		part := within(w.far, k) / far
		t.FindsFar = &part
	}
	if p.Near >= leastPairs && near+other > 0 {
		part := near / (near + other)
		t.Real = &part
	}
	pairs := float64(p.All - p.Copies)
	found := (near + other) / keyings
	if found == 0 { // three or fewer of n are the 95% interval of none
		found, t.AtMost = 3, true
	}
	if pairs > 0 {
		t.Found = found / pairs * million * (million - 1) / 2
	}
	if others := pairs - float64(p.Near); others > 0 {
		t.others = other / keyings / others
	}
	return t
}

// atLeast returns the smallest k of a recall.
func (c *comparison) atLeast(w *width, recall float64) int {
	k := 0
	for k < w.bits && c.threshold(w, k).Finds < recall {
		k++
	}
	return k
}

// within sums the pairs at a distance of at most k.
func within(byDistance []uint64, k int) float64 {
	sum := uint64(0)
	for _, n := range byDistance[:k+1] {
		sum += n
	}
	return float64(sum)
}

// modelled lists thresholds by the model, without a sample. Pairs found are unrelated ones, unless
// the vectors show more.
func (a *Answer) modelled(c *comparison) (list []Threshold) {
	bits := min(64, a.Hash.Bits)
	near, none := binomial.OfCosine(bits, a.Options.Cosine), binomial.OfCosine(bits, 0)
	for _, recall := range []float64{0.8, 0.99, a.Options.Recall} {
		k := slices.IndexFunc(near, func(p float64) bool { return p >= recall })
		t := Threshold{Bits: bits, K: k, Found: none[k] * million * (million - 1) / 2}
		if c != nil {
			t = c.threshold(c.widths[slices.IndexFunc(c.widths, func(w *width) bool { return w.bits == bits })], k)
			t.Low, t.High, t.FindsFar = 0, 0, nil
		}
		t.Finds, t.Take = near[k], recall == a.Options.Recall
		at, there := slices.BinarySearchFunc(list, t, func(a, b Threshold) int { return a.K - b.K })
		if there {
			list[at].Take = list[at].Take || t.Take
		} else {
			list = slices.Insert(list, at, t)
		}
	}
	return list
}
