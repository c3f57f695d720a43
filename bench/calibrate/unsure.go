package calibrate

import (
	"fmt"
	"math"

	"simhashkit/fphash"
)

// Unsure is what a pair's fingerprints find beside the bits that are least sure in one of them, by
// fphash.AppendMasked. Of each pair the query is the vector that was drawn later.
type Unsure struct {
	K       int // the distance beside the ignored bits is at most K
	Ignored int // bits: an eighth of the fingerprint's
	// the smallest k at which no fewer unrelated fingerprints pass, by the model
	Plain        int
	Near, Others uint64 // what is found: near-duplicates, and other pairs
	// the greatest k that finds as many of the other pairs; where none does, the smallest that finds
	// more
	Matched int
}

// leastUnsure is the least width of which bits are ignored.
const leastUnsure = 16

// errorUnit is 1 in squared errors of cosines. They are added as whole numbers, which add up the
// same in any order.
const errorUnit = 1 << 22

// unsure is what pairs are looked at with: the zero one ignores nothing.
type unsure struct {
	k, ignored int
	masks      []uint64 // of all vectors, at the wanted width
	sketcher   *fphash.Sketcher
	cosines    []float64 // by distance
	least      float64   // cosine of the bands of which errors are counted
}

// unsureBand is what is counted of a band.
type unsureBand struct {
	found                     uint64
	estimated                 uint64 // pairs whose cosine was estimated
	errorDistance, errorBySum uint64 // squared, in parts of errorUnit
}

// query is a vector with its sums.
type query struct {
	sketcher  *fphash.LocalSketcher
	estimator fphash.Estimator
	vector    int // -1: none
}

// addMasks makes what unsure bits are looked at with.
func (s *survey[W]) addMasks(hash Hash, o *Options) error {
	if o.Bits < leastUnsure {
		return nil
	}
	sketcher, err := hash.sketcher(o.Bits, o.Workers)
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	s.unsure = unsure{k: 3 * ((o.Bits + 63) / 64), ignored: o.Bits / 8, sketcher: sketcher, least: min(leastShown, o.Cosine)}
	for d := range o.Bits + 1 {
		s.unsure.cosines = append(s.unsure.cosines, fphash.Cosine(d, o.Bits))
	}
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

// newQuery returns what a worker asks by.
func (u *unsure) newQuery() query {
	if u.ignored == 0 {
		return query{}
	}
	return query{sketcher: u.sketcher.Local(), vector: -1}
}

// unsurePair counts what the sums of vector j find in vector i.
func (w *worker[W]) unsurePair(i, j, bin, distance int, cosine float64) {
	u := &w.survey.unsure
	if u.ignored == 0 {
		return
	}
	of, fingerprints := w.bandOf[bin], &w.columns[w.main]
	band := &w.unsureBands[of]
	// ignoring bits takes no more than their number from a distance
	if distance <= u.k+u.ignored && fphash.Distance(fingerprints.of(i), fingerprints.of(j), u.masks[j*fingerprints.words:][:fingerprints.words]) <= u.k {
		band.found++
		if bin <= w.nearTo {
			w.unsureFound[duplicate]++
		} else {
			w.unsureFound[other]++
		}
	}
	if w.edges[of] < u.least {
		return
	}
	if w.query.vector != j {
		w.ask(j)
	}
	band.estimated++
	band.errorDistance += squared(u.cosines[distance] - cosine)
	band.errorBySum += squared(w.query.estimator.Cosine(fingerprints.of(i)) - cosine)
}

// ask makes vector j the query. Its sums are finite, or its fingerprint would have been refused.
func (w *worker[W]) ask(j int) {
	q := &w.query
	q.vector = j
	if indices, weights := w.given.Row(j); w.unit {
		fphash.QueryUnit(q.sketcher, &q.estimator, indices)
	} else {
		fphash.Query(q.sketcher, &q.estimator, indices, weights)
	}
}

func squared(x float64) uint64 { return uint64(math.Round(x * x * errorUnit)) }

func (b *unsureBand) add(c unsureBand) {
	b.found += c.found
	b.estimated += c.estimated
	b.errorDistance += c.errorDistance
	b.errorBySum += c.errorBySum
}

// error returns the root of a mean squared error.
func (b *unsureBand) error(sum uint64) float64 {
	if b.estimated == 0 {
		return 0
	}
	return math.Sqrt(float64(sum) / errorUnit / float64(b.estimated))
}

// unsureFigures are those of all pairs; nil where no bits are ignored.
func (s *survey[W]) unsureFigures(c *counts, thresholds []Threshold) *Unsure {
	u := &s.unsure
	if u.ignored == 0 {
		return nil
	}
	figures := &Unsure{K: u.k, Ignored: u.ignored, Near: c.unsureFound[duplicate], Others: c.unsureFound[other]}
	width := s.columns[s.main].bits
	for strangers(width, figures.Plain) < strangers(width-u.ignored, u.k) {
		figures.Plain++
	}
	figures.Matched = matched(thresholds, figures.Others)
	return figures
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
