package quality

import (
	"cmp"
	"math"
	"slices"
)

// A generated vector has leastFeatures to mostFeatures features, 100 on average.
const (
	leastFeatures = 50
	mostFeatures  = 150
)

// generator makes pairs of vectors. With weights above zero a vector y is made from x as a document
// is edited: some features go, and as many new ones take over their weights, so that both are of
// the same length and the angle follows from the weights of the shared features alone. Where
// indices come in runs, y is the run moved on. With Signed weights both vectors have the same
// features with other values, as two signals have.
type generator struct {
	pattern Pattern
	weights Weights
	r       random
	used    []bool // positions of the pair that is being made
	set     vectors
}

// feature is one nonzero dimension, by its position among the workload's indices.
type feature struct {
	position int
	weight   float64
}

func newGenerator(o WorkloadOptions) *generator {
	return &generator{
		pattern: o.Pattern, weights: o.Weights, r: newRandom(o.Seed, forVectors, 0), used: make([]bool, o.size()),
		set: vectors{offsets: []int{0}},
	}
}

// pair appends two vectors whose angle is near the wanted one, and never 0.
func (g *generator) pair(angle float64) {
	n := leastFeatures + int(g.r.below(mostFeatures-leastFeatures+1))
	weights := make([]float64, n)
	g.weights.fill(weights, g.r)
	if g.weights == Signed {
		g.turn(weights, angle)
	} else {
		g.edit(weights, angle)
	}
}

// round20 makes sines and cosines equal on all machines, which differ in the last digit.
func round20(x float64) float64 { return math.Round(x*(1<<20)) / (1 << 20) }

// turn appends x and the combination of x and another vector that is at the angle on average.
func (g *generator) turn(weights []float64, angle float64) {
	other := make([]float64, len(weights))
	g.weights.fill(other, g.r)
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

// edit appends x and a vector that shares that many of its features that the angle is as near as
// whole features allow.
func (g *generator) edit(weights []float64, angle float64) {
	n := len(weights)
	shared := g.share(weights, round20(math.Cos(angle)))
	shuffle(g.r, weights[:shared])
	shuffle(g.r, weights[shared:])

	moved := n - shared
	positions := g.positions(n + moved) // those of x alone, of both, of y alone
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

// share arranges the weights so that the first ones, whose number it returns, have the part of the
// squared length that the cosine asks for.
func (g *generator) share(weights []float64, cosine float64) int {
	total := squares(weights)
	if g.weights == Dominated && float64(weights[0]*weights[0]) > float64(cosine*total) {
		last := len(weights) - 1
		weights[0], weights[last] = weights[last], weights[0] // the dominating one is not shared
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

// positions returns n different ones: a run, or a sample in random order.
func (g *generator) positions(n int) []int {
	positions := make([]int, n)
	if g.pattern.runs() {
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

// signs says which positions have weights of the opposite sign in a keying, in all vectors: angles
// stay as they are, while the sums of weights, and with them the signs that constant bits have, are
// drawn anew. Else the error of such a bit would be that of a thousand fixed pairs, and no number
// of keyings would tell what it is on others.
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

// vectors are sparse vectors in CSR form over positions instead of indices.
type vectors struct {
	offsets   []int
	positions []uint64
	weights   []float64
}

// append adds a vector, in ascending order of the positions.
func (v *vectors) append(features []feature) {
	slices.SortFunc(features, func(a, b feature) int { return cmp.Compare(a.position, b.position) })
	for _, f := range features {
		v.positions = append(v.positions, uint64(f.position))
		v.weights = append(v.weights, f.weight)
	}
	v.offsets = append(v.offsets, len(v.positions))
}

func (v *vectors) len() int { return len(v.offsets) - 1 }
