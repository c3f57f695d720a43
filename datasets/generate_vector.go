package datasets

import (
	"context"
	"math"
	"math/rand/v2"

	"simhashkit/internal/portable"
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
	ctx     context.Context
	options GenerateOptions
	ranks   uint64
	zipf    *zipf
}

func newGenerator(ctx context.Context, options GenerateOptions) *generator {
	ranks := options.Dimensions
	if ranks == 0 {
		ranks = hashedRanks
	}
	return &generator{ctx, options, ranks, newZipf(ranks, options.Exponent)}
}

// ended looks at the context in one of many steps of a vector, which may have a million features.
// What is drawn when it has ended is of no use.
func (g *generator) ended(step int) bool { return step%(1<<16) == 0 && g.ctx.Err() != nil }

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
	passed := map[uint64]uint64{}
	isTaken := func(rank uint64) bool { _, ok := taken[rank]; return ok }
	for patience := 8 * n; len(order) < n && !g.ended(patience); patience-- {
		rank := g.zipf.rank(source)
		if place, ok := taken[rank]; ok && patience > 0 {
			counts[place]++
			continue
		}
		rank = g.nextFree(rank, isTaken, passed)
		taken[rank] = len(order)
		order = append(order, rank)
		counts = append(counts, 1)
	}
	features := make([]drawn, len(order))
	for f, rank := range order {
		features[f] = drawn{g.index(rank), g.weight(rank, counts[f])}
	}
	return features
}

// nextFree returns the rank, or the first one behind it that is not taken. In passed it keeps how
// far it came from taken ranks, since many draws come upon the same long runs of them.
func (g *generator) nextFree(rank uint64, taken func(rank uint64) bool, passed map[uint64]uint64) uint64 {
	behind := func(rank uint64) uint64 {
		if farther, ok := passed[rank]; ok {
			return farther
		}
		return rank%g.ranks + 1
	}
	free := rank
	for taken(free) {
		free = behind(free)
	}
	for at := rank; at != free; {
		next := behind(at)
		passed[at] = free
		at = next
	}
	return free
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
	idf := 1 + float64(g.options.Exponent*portable.Log(float64(rank)))
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
