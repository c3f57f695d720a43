package datasets

import (
	"math"
	"math/rand/v2"
)

// drawn is a feature of a generated vector.
type drawn struct {
	index  uint64
	weight float64
}

// What the random numbers of a vector are for.
const (
	forVector = iota
	forDuplicate
	forPlaces
)

type generator struct {
	options GenerateOptions
	ranks   uint64
	zipf    *zipf
}

func newGenerator(options GenerateOptions) *generator {
	ranks := options.Dimensions
	if ranks == 0 {
		ranks = hashedRanks
	}
	return &generator{options, ranks, newZipf(ranks, options.Exponent)}
}

// vector draws vector i, in the order in which its features first came up.
func (g *generator) vector(i int) []drawn {
	source := g.source(forVector, i)
	// From ceil(NNZ/2) to floor(3·NNZ/2), around NNZ.
	half := g.options.NNZ / 2
	n := g.options.NNZ - half + int(below(source, uint64(2*half+1)))
	taken := make(map[uint64]int, n) // rank to place in order; never ranged over
	order := make([]uint64, 0, n)
	counts := make([]int, 0, n)
	// A steep law draws the same few ranks for ever; from then on the next free rank is taken
	// instead.
	for patience := 8 * n; len(order) < n; patience-- {
		rank := g.zipf.rank(source)
		if place, ok := taken[rank]; ok && patience > 0 {
			counts[place]++
			continue
		}
		rank = g.nextFree(rank, taken)
		taken[rank] = len(order)
		order = append(order, rank)
		counts = append(counts, 1)
	}
	features := make([]drawn, n)
	for f, rank := range order {
		features[f] = drawn{g.index(rank), g.weight(rank, counts[f])}
	}
	return features
}

// nextFree returns the rank, or the first one behind it that is not taken.
func (g *generator) nextFree(rank uint64, taken map[uint64]int) uint64 {
	for {
		if _, ok := taken[rank]; !ok {
			return rank
		}
		rank = rank%g.ranks + 1
	}
}

// index spreads the ranks over 64 bits when the space is all of them.
func (g *generator) index(rank uint64) uint64 {
	if g.options.Dimensions == 0 {
		return mix64(rank)
	}
	return rank - 1
}

func (g *generator) weight(rank uint64, count int) float64 {
	switch g.options.Weights {
	case UnitWeights:
		return 1
	case CountWeights:
		return float64(count)
	}
	idf := 1 + float64(g.options.Exponent*naturalLog(float64(rank)))
	return math.Round(float64(float64(count)*idf*weightSteps)) / weightSteps
}

// placePairs draws the vectors of each pair, all different.
func (g *generator) placePairs() []Pair {
	var pairs []Pair
	for _, d := range g.options.Duplicates {
		for range d.Pairs {
			pairs = append(pairs, Pair{Wanted: d.Cosine})
		}
	}
	places := g.shuffled(g.source(forPlaces, 0), g.options.Vectors, 2*len(pairs))
	for p := range pairs {
		pairs[p].A, pairs[p].B = places[2*p], places[2*p+1]
	}
	return pairs
}

// shuffled returns the first k of the numbers below n in random order.
func (g *generator) shuffled(source *rand.PCG, n, k int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	for i := range k {
		j := i + int(below(source, uint64(n-i)))
		numbers[i], numbers[j] = numbers[j], numbers[i]
	}
	return numbers[:k]
}
