package quality

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"simhashkit/datasets"
	"simhashkit/internal/bench/terms"
)

// A generated vector has leastFeatures to mostFeatures features, 100 on average.
const (
	leastFeatures = 50
	mostFeatures  = 150
)

// generator makes pairs of vectors. With positive weights, it makes y from x as if a document were
// edited: new features replace some features and take over their weights, so the angle depends only
// on the shared weights. In a run of indices, y is the same run with an offset. With signed
// weights, both vectors have the same features with different weights.
type generator struct {
	pattern string
	weights string
	r       random
	used    []bool // positions of the current pair
	set     vectors
}

// feature is one nonzero dimension, by its position among the workload's indices.
type feature struct {
	position int
	weight   float64
}

// pair appends two vectors whose angle is near the wanted one, but never 0.
func (g *generator) pair(angle float64) {
	n := leastFeatures + int(g.r.below(mostFeatures-leastFeatures+1))
	weights := make([]float64, n)
	fillWeights(weights, g.weights, g.r)
	if g.weights == terms.Signed {
		g.turn(weights, angle)
	} else {
		g.edit(weights, angle)
	}
}

// round20 rounds sines and cosines, whose last digits differ between machines.
func round20(x float64) float64 { return math.Round(x*(1<<20)) / (1 << 20) }

// turn appends a vector x and a combination of x with a random vector. On average, their angle is
// the wanted one.
func (g *generator) turn(weights []float64, angle float64) {
	other := make([]float64, len(weights))
	fillWeights(other, g.weights, g.r)
	cosine, sine := round20(math.Cos(angle)), round20(math.Sin(angle))
	x, y := make([]feature, 0, len(weights)), make([]feature, 0, len(weights))
	for i, at := range g.positions(len(weights)) {
		turned := math.Round((float64(cosine*weights[i])+float64(sine*other[i]))/quantum) * quantum
		if turned == 0 {
			turned = quantum
		}
		x, y = append(x, feature{at, weights[i]}), append(y, feature{at, turned})
	}
	g.set.append(x)
	g.set.append(y)
}

// edit appends a vector x, and a vector that shares as many features with x as the wanted angle
// requires.
func (g *generator) edit(weights []float64, angle float64) {
	n := len(weights)
	shared := g.share(weights, round20(math.Cos(angle)))
	shuffle(g.r, weights[:shared])
	shuffle(g.r, weights[shared:])

	moved := n - shared
	positions := g.positions(n + moved) // first those only in x, then in both, then only in y
	x, y := make([]feature, 0, n), make([]feature, 0, n)
	for i, w := range weights {
		if i < shared {
			both := feature{positions[moved+i], w}
			x, y = append(x, both), append(y, both)
		} else {
			x, y = append(x, feature{positions[i-shared], w}), append(y, feature{positions[n+i-shared], w})
		}
	}
	g.set.append(x)
	g.set.append(y)
}

// share returns the number of leading weights that both vectors must share to have the given
// cosine. It may reorder the weights.
func (g *generator) share(weights []float64, cosine float64) int {
	total := squares(weights)
	if g.weights == terms.Dominated && float64(weights[0]*weights[0]) > float64(cosine*total) {
		last := len(weights) - 1
		weights[0], weights[last] = weights[last], weights[0] // do not share the dominating weight
	}
	wanted := float64(cosine * total)
	best, sum := 0, 0.0
	least := wanted
	for i, w := range weights[:len(weights)-1] {
		sum += float64(w * w)
		if off := math.Abs(sum - wanted); off < least {
			best, least = i+1, off
		}
	}
	return best
}

func squares(weights []float64) float64 {
	sum := 0.0
	for _, w := range weights {
		sum += float64(w * w)
	}
	return sum
}

// positions returns n different positions: a run, or a random sample in random order.
func (g *generator) positions(n int) []int {
	positions := make([]int, n)
	if hasRuns(g.pattern) {
		start := int(g.r.below(uint64(len(g.used) - n + 1)))
		for i := range positions {
			positions[i] = start + i
		}
		return positions
	}
	for i := range positions {
		at := int(g.r.below(uint64(len(g.used))))
		for g.used[at] {
			at = int(g.r.below(uint64(len(g.used))))
		}
		positions[i], g.used[at] = at, true
	}
	for _, at := range positions {
		g.used[at] = false
	}
	return positions
}

// signs reports for each position whether its weights change their sign in a keying, in all
// vectors. This keeps angles, but changes the sums that a constant bit depends on. Without it, a
// constant bit would have the same error in every keying.
func (w *Workload) signs(keying int) []bool {
	signs, r := make([]bool, w.keys), newRandom(w.options.Seed, forSigns, uint64(keying))
	var word uint64
	for i := range signs {
		if i%64 == 0 {
			word = r.Uint64()
		}
		signs[i] = word>>(i%64)&1 != 0
	}
	return signs
}

// vectors holds sparse vectors in CSR form, with positions instead of indices.
type vectors struct {
	offsets   []int
	positions []uint64
	weights   []float64
}

// append adds a vector, with its positions in ascending order.
func (v *vectors) append(features []feature) {
	slices.SortFunc(features, func(a, b feature) int { return cmp.Compare(a.position, b.position) })
	for _, f := range features {
		v.positions = append(v.positions, uint64(f.position))
		v.weights = append(v.weights, f.weight)
	}
	v.offsets = append(v.offsets, len(v.positions))
}

func (v *vectors) len() int { return len(v.offsets) - 1 }

// editRates are the shares of features that are replaced in edited copies.
var editRates = []float64{0.01, 0.03, 0.05, 0.1, 0.2}

// editedCopies returns n edited copies of vectors of a set, and the row from which each was made.
// The editRates are used in turn. A rate is the share of features, at least one, that are replaced
// by random features of the set with their weights. If eight draws find no feature that the vector
// lacks, the old one is removed. The other weights decrease by up to the same share. If all weights
// are whole numbers, that share of the weights decreases by 1 instead.
func editedCopies(set *datasets.CSR[float32], n int, seed uint64) (copies datasets.CSR[float32], of []int, err error) {
	e := editor{set: set, random: newRandom(seed, forEdits, 0)}
	e.whole = !slices.ContainsFunc(set.Weights, func(w float32) bool { return float64(w) != math.Trunc(float64(w)) })
	var from []int
	for i := range set.Len() {
		if set.Offsets[i] < set.Offsets[i+1] {
			from = append(from, i)
		}
	}
	shuffle(e.random, from)
	for i := range n {
		if len(from) == 0 {
			break
		}
		row := from[i%len(from)]
		// The second round gives each vector a different rate than the first.
		copied := e.edit(row, editRates[(i+i/len(from))%len(editRates)])
		if err := copies.Append(&copied); err != nil {
			return copies, nil, fmt.Errorf("quality: %w", err)
		}
		of = append(of, row)
	}
	return copies, of, nil
}

type editor struct {
	set    *datasets.CSR[float32]
	whole  bool // all weights are whole numbers
	random random
}

func (e *editor) edit(row int, rate float64) datasets.Row[float32] {
	const draws = 8
	indices, weights := e.set.Row(row)
	copied := datasets.Row[float32]{Indices: slices.Clone(indices), Weights: slices.Clone(weights)}
	e.jitter(copied.Weights, rate)
	has := map[uint64]bool{}
	places := make([]int, len(indices))
	for i, index := range indices {
		has[index], places[i] = true, i
	}
	shuffle(e.random, places)
	var removed []int
	for _, at := range places[:max(1, int(math.Round(rate*float64(len(places)))))] {
		found := false
		for try := 0; try < draws && !found; try++ {
			drawn := int(e.random.below(uint64(e.set.NNZ())))
			if index := e.set.Indices[drawn]; !has[index] {
				has[index], found = true, true
				copied.Indices[at] = index
				if weights != nil {
					copied.Weights[at] = e.set.Weights[drawn]
				}
			}
		}
		if !found && len(removed)+1 < len(places) {
			removed = append(removed, at)
		}
	}
	slices.Sort(removed)
	for _, at := range slices.Backward(removed) {
		copied.Indices = slices.Delete(copied.Indices, at, at+1)
		if weights != nil {
			copied.Weights = slices.Delete(copied.Weights, at, at+1)
		}
	}
	return copied
}

// jitter decreases weights at random. It increases none, because a large weight could become
// infinite.
func (e *editor) jitter(weights []float32, rate float64) {
	const steps = 1 << 20
	for i, w := range weights {
		part := float64(rate * float64(e.random.below(steps)) / steps)
		switch {
		case !e.whole:
			weights[i] = float32(float64(w) * (1 - part))
		case math.Abs(float64(w)) > 1 && e.random.below(steps) < uint64(rate*steps):
			weights[i] -= float32(math.Copysign(1, float64(w)))
		}
	}
}
