package main

import (
	"math"
	"math/rand/v2"
)

// pair is a vector, the query, and others that are made of it: the lower the cosine, the more of
// its features are replaced by others of the same weight. Random indices stand for whatever
// features are hashed.
type pair struct {
	indices []uint64
	weights []float64
	total   float64 // of the squared weights, which is exact

	fresh []uint64 // what takes the place of the features, and one more
	order []int    // in which they are replaced

	other    []uint64  // the indices of the other vector
	own      []float64 // its weights
	replaced []bool
	dot      float64 // of what has not been replaced
}

// draw draws another query.
func (p *pair) draw(c Case, r *rand.Rand) {
	*p = pair{
		indices: p.indices[:0], weights: p.weights[:0], fresh: p.fresh[:0], order: p.order[:0],
		other: p.other, own: p.own, replaced: p.replaced[:0],
	}
	for i := range c.Features {
		w := c.weight(r, i)
		p.indices, p.fresh, p.weights = append(p.indices, r.Uint64()), append(p.fresh, r.Uint64()), append(p.weights, w)
		p.order, p.replaced = append(p.order, i), append(p.replaced, false)
		p.total += float64(w * w)
	}
	p.fresh = append(p.fresh, r.Uint64())
	r.Shuffle(len(p.order), func(i, j int) { p.order[i], p.order[j] = p.order[j], p.order[i] })
	p.dot = p.total
}

// at returns the other vector at a cosine, which must be lower from call to call, and the cosine as
// it is by the weights, within 0.001 of what was asked for.
//
// Few features, or one that outweighs the others, leave cosines out that whole ones would have to
// make. So the first feature that is still the same gets a lower weight, and one more feature what
// it lost.
func (p *pair) at(cosine float64) (indices []uint64, weights []float64, actual float64) {
	const spare = 1e-9 // of the rounding of cosine times total
	// The conversions forbid fused multiply-adds, which some machines lack.
	wanted := float64(cosine * p.total)
	lowered := -1
	for _, i := range p.order {
		if p.replaced[i] {
			continue
		}
		if left := p.dot - float64(p.weights[i]*p.weights[i]); left >= wanted-float64(spare*p.total) {
			p.replaced[i], p.dot = true, left
		} else if lowered < 0 {
			lowered = i
		}
	}
	p.other, p.own = p.other[:0], append(p.own[:0], p.weights...)
	for i, index := range p.indices {
		if p.replaced[i] {
			index = p.fresh[i]
		}
		p.other = append(p.other, index)
	}
	dot, total := p.dot, p.total
	if w := p.weights[lowered]; p.dot-wanted > spare*p.total {
		less := rounded(w - (p.dot-wanted)/w)
		lost := rounded(math.Sqrt(float64(w*w) - float64(less*less)))
		p.own[lowered] = less
		p.other, p.own = append(p.other, p.fresh[len(p.indices)]), append(p.own, lost)
		dot -= float64(w * (w - less))
		total += float64(less*less) + float64(lost*lost) - float64(w*w)
	}
	return p.other, p.own, dot / math.Sqrt(float64(p.total*total))
}
