package calibrate

import (
	"fmt"
	"math"

	"simhashkit/fphash"
)

// Unsure says what a search finds that ignores the least sure bits of the query, as --unsure does
// (fphash.AppendMasked). Of each pair the query is the vector that was drawn later.
type Unsure struct {
	K       int    `json:"k"`              // greatest distance, ignored bits aside
	Ignored int    `json:"ignoredBits"`    // an eighth of the fingerprint's
	Near    uint64 `json:"nearDuplicates"` // found
	Others  uint64 `json:"others"`         // found, that are no near-duplicates
	// the smallest plain k at which no fewer unrelated fingerprints pass, by the model
	Plain int `json:"plainK"`
	// the greatest plain k that finds as many of the others or, where none does, the smallest that
	// finds more
	Matched int `json:"matchedK"`
}

// leastUnsure is the least width of which bits are ignored.
const leastUnsure = 16

// unsure is how pairs are searched for beside the least sure bits. The zero value does not search.
type unsure struct {
	k, ignored int
	masks      []uint64 // of all vectors, at the wanted width
}

// addMasks makes the masks of all vectors.
func (s *survey[W]) addMasks(hash Hash, o *Options) error {
	if o.Bits < leastUnsure || s.sets {
		return nil
	}
	sketcher, err := hash.sketcher(o.Bits, o.Workers)
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	s.unsure = unsure{k: 3 * ((o.Bits + 63) / 64), ignored: o.Bits / 8}
	if set := &s.given; s.unit {
		_, s.unsure.masks, _, err = fphash.AppendMaskedBatchUnit(sketcher, nil, nil, s.unsure.ignored, nil, set.Offsets, set.Indices)
	} else {
		_, s.unsure.masks, _, err = fphash.AppendMaskedBatch(sketcher, nil, nil, s.unsure.ignored, nil, set.Offsets, set.Indices, set.Weights)
	}
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	return nil
}

// countUnsure counts a pair if the query j finds i beside its least sure bits.
func (w *worker[W]) countUnsure(i, j, kind, distance int) {
	u, c := &w.survey.unsure, &w.columns[w.main]
	// ignoring bits takes no more than their number from a distance
	if u.ignored > 0 && distance <= u.k+u.ignored && fphash.Distance(c.of(i), c.of(j), u.masks[j*c.words:][:c.words]) <= u.k {
		w.unsureFound[kind]++
	}
}

// unsureFigures are those of all pairs; nil where no bits are ignored.
func (s *survey[W]) unsureFigures(c *counts, thresholds []Threshold) *Unsure {
	if s.unsure.ignored == 0 {
		return nil
	}
	others := c.unsureFound[other]
	u := &Unsure{K: s.unsure.k, Ignored: s.unsure.ignored, Near: c.unsureFound[duplicate], Others: others, Matched: matched(thresholds, others)}
	width := s.columns[s.main].bits
	for strangers(width, u.Plain) < strangers(width-u.Ignored, u.K) {
		u.Plain++
	}
	return u
}

// strangers returns the logarithm of the probability that unrelated fingerprints of that many bits
// differ in at most k of them, k being less than half: it underflows itself at 4096 bits.
func strangers(bits, k int) float64 {
	sum := 1.0 // in units of the last term, C(bits, k)
	for i, term := k, 1.0; i > 0; i-- {
		term *= float64(i) / float64(bits-i+1)
		sum += term
	}
	all, _ := math.Lgamma(float64(bits + 1))
	in, _ := math.Lgamma(float64(k + 1))
	out, _ := math.Lgamma(float64(bits - k + 1))
	return all - in - out + math.Log(sum) - float64(bits)*math.Ln2
}

// matched is Unsure.Matched: the last threshold finds all pairs.
func matched(thresholds []Threshold, others uint64) int {
	k := 0
	for thresholds[k].others() < float64(others) {
		k++
	}
	for k+1 < len(thresholds) && thresholds[k+1].others() == float64(others) {
		k++
	}
	return k
}

// others is how many pairs are found that are no near-duplicates.
func (t *Threshold) others() float64 { return t.Found - t.Hits }
