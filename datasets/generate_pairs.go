package datasets

import (
	"math"
	"math/rand/v2"
)

// duplicate is a near-duplicate in the making. Sums are of squares of weights; counts and their
// squares are exact in float64.
type duplicate struct {
	wanted   float64
	features []drawn
	total    float64 // of the original
	shared   float64 // of the features kept from the original
	norm     float64 // of the duplicate
}

// cosine returns the cosine of the duplicate with the original if it shares some features and has
// the given norm.
func (d *duplicate) cosine(shared, norm float64) float64 {
	return shared / math.Sqrt(float64(d.total*norm))
}

// miss is how far from the wanted cosine that is.
func (d *duplicate) miss(shared, norm float64) float64 {
	return math.Abs(d.cosine(shared, norm) - d.wanted)
}

// nearDuplicate makes vector i, which is B of the pair, from vector A.
func (g *generator) nearDuplicate(pair Pair, i int) []drawn {
	original := g.vector(pair.A)
	source := g.source(forDuplicate, i)
	fresh := freshFeatures{g, source, make(map[uint64]bool, 2*len(original)), map[uint64]uint64{}}
	d := duplicate{wanted: pair.Wanted, features: original}
	for _, f := range original {
		fresh.taken[f.index] = true
		d.total += float64(f.weight * f.weight)
	}
	d.shared, d.norm = d.total, d.total

	last := -1 // the smallest feature left, whose replacement would go just below the wanted cosine
	for step, f := range g.shuffled(source, len(original), len(original)) {
		if g.ended(step) {
			return nil
		}
		square := float64(original[f].weight * original[f].weight)
		if d.cosine(d.shared-square, d.norm) >= d.wanted {
			d.features[f].index = fresh.next()
			d.shared -= square
		} else if last < 0 || original[f].weight < original[last].weight {
			last = f
		}
	}
	g.closeGap(&d, last, &fresh)
	return d.features
}

// closeGap ends with features that only the duplicate has, or with one replacement more, whichever
// comes nearer to the wanted cosine.
func (g *generator) closeGap(d *duplicate, last int, fresh *freshFeatures) {
	var extra []drawn
	norm := d.norm
	for range len(d.features)/4 + 4 {
		missing := float64(d.shared*d.shared)/float64(d.total*float64(d.wanted*d.wanted)) - norm
		weight := g.extraWeight(min(missing, d.total))
		longer := norm + float64(weight*weight)
		if !(d.miss(d.shared, longer) < d.miss(d.shared, norm)) {
			break
		}
		norm = longer
		extra = append(extra, drawn{fresh.next(), weight})
	}
	if last >= 0 {
		square := float64(d.features[last].weight * d.features[last].weight)
		if d.miss(d.shared-square, d.norm) < d.miss(d.shared, norm) {
			d.features[last].index = fresh.next()
			return
		}
	}
	d.features = append(d.features, extra...)
}

// extraWeight returns the largest weight of the kind whose square is at most the given one, but at
// least 1, the smallest weight there is.
func (g *generator) extraWeight(square float64) float64 {
	if !(square > 1) {
		return 1
	}
	switch g.options.Weights {
	case UnitWeights:
		return 1
	case CountWeights:
		return math.Floor(math.Sqrt(square))
	}
	return math.Floor(math.Sqrt(square)*weightSteps) / weightSteps
}

// freshFeatures draws features that neither vector of a pair has.
type freshFeatures struct {
	g      *generator
	source *rand.PCG
	taken  map[uint64]bool   // indices
	passed map[uint64]uint64 // see nextFree
}

// next returns the index of one more.
func (f *freshFeatures) next() uint64 {
	isTaken := func(rank uint64) bool { return f.taken[f.g.index(rank)] }
	index := f.g.index(f.g.nextFree(f.g.zipf.rank(f.source), isTaken, f.passed))
	f.taken[index] = true
	return index
}
