package datasets

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"simhashkit/internal/portable"
)

// Kinds of generated weights, besides Unit.
const (
	countWeights = "counts"
	tfidfWeights = "tfidf"
)

// GenerateOptions configures Generate.
type GenerateOptions struct {
	Seed    uint64 // different seeds give different sets
	Vectors int    // number of vectors, including those of pairs
	// mean number of features; a vector has from NNZ/2 to 3·NNZ/2, uniformly distributed
	NNZ int
	// Indices are below Dimensions, at most 2^53. 0 means that 2^24 features spread over 64 bits.
	Dimensions uint64
	// Weights are "unit"; or "counts" (or ""), the number of times a feature was drawn, most of them
	// 1; or "tfidf": count · (1 + ln rank), in steps of 1/1024; see Generate.
	Weights    string
	Duplicates []PlantedPairs // near-duplicates to plant
}

// PlantedPairs asks for pairs of vectors at a cosine.
type PlantedPairs struct {
	Cosine float64 // from 0 to 1
	Pairs  int
}

// Pair is a planted pair: vector B is an edited copy of vector A.
type Pair struct {
	A, B   int
	Wanted float64 // the requested cosine
	Cosine float64 // the exact cosine, as the function Cosine computes it
}

const (
	hashedRanks   = 1 << 24 // number of features if Dimensions is 0
	maxDimensions = 1 << 53 // ranks are drawn as float64
	weightSteps   = 1024
	// The number of dimensions is at least this multiple of NNZ, so that unused features always
	// exist.
	roomDimensions = 8
)

// maxFeatures is the largest number of features of a set, which takes 64 GiB of memory.
const maxFeatures = 1 << 32

// Generate makes Zipf-distributed sparse vectors with planted near-duplicates. The same options
// give the same bits on every machine.
//
// Features have ranks; rank k is drawn with probability proportional to 1/k, as words are by Zipf's
// law. Features are drawn until the vector has enough distinct ones. The index of a feature is
// rank-1, so that frequent features have small indices, as in a vocabulary. If Dimensions is 0, the
// index is a 64-bit mix of the rank. "tfidf" multiplies each count by the value of 1 + ln(N/df)
// under Zipf's law, where the document frequency df of a feature is proportional to 1/rank. Rows
// are in ascending order of the index, without labels and ids.
//
// A planted pair consists of an ordinary vector A and an edited copy B. Generate replaces random
// features of B by fresh ones with the same weights, while the cosine stays at or above the wanted
// one. It closes the remaining gap either by adding fresh features with suitable weights to B, or
// by one more replacement, whichever comes closer. From NNZ 100 on, so with at least 50 features,
// the cosine is within 0.005 of the wanted one. With fewer features, it is as close as their
// weights allow. Pair has the exact cosine. Pairs are at random positions and have no vector in
// common. Other vectors are unrelated, but frequent features give them a cosine above 0.
//
// Generate returns an error for invalid options: TF-IDF weights in an integer type, more pairs than
// fit into Vectors, or fewer than 8·NNZ dimensions. It returns the context's cause when the context
// ends.
func Generate[W Weight](ctx context.Context, options GenerateOptions) (CSR[W], []Pair, error) {
	options.Weights = cmp.Or(options.Weights, countWeights)
	if err := options.check(kindOf[W]()); err != nil {
		return CSR[W]{}, nil, fmt.Errorf("datasets: %w", err)
	}
	g := newGenerator(ctx, options)
	pairs := g.placePairs()
	made := make(map[int]int, len(pairs)) // from vector B to its pair
	for p, pair := range pairs {
		made[pair.B] = p
	}
	set := CSR[W]{Offsets: make([]int, 1, options.Vectors+1), Indices: make([]uint64, 0, options.Vectors*options.NNZ)}
	if options.Weights != Unit {
		set.Weights = make([]W, 0, options.Vectors*options.NNZ)
	}
	for i := range options.Vectors {
		var features []drawn
		if p, ok := made[i]; ok {
			features = g.nearDuplicate(pairs[p], i)
		} else {
			features = g.vector(i)
		}
		if err := ended(ctx); err != nil {
			return CSR[W]{}, nil, err
		}
		appendFeatures(&set, features)
	}
	for p := range pairs {
		if err := ended(ctx); err != nil {
			return CSR[W]{}, nil, err
		}
		aIndices, aWeights := set.Row(pairs[p].A)
		bIndices, bWeights := set.Row(pairs[p].B)
		pairs[p].Cosine = Cosine(aIndices, aWeights, bIndices, bWeights)
	}
	return set, pairs, nil
}

func (o *GenerateOptions) check(kind weightKind) error {
	room := o.Vectors / 2
	for _, d := range o.Duplicates {
		if !(d.Cosine >= 0 && d.Cosine <= 1) {
			return fmt.Errorf("cosine %v of planted pairs is not between 0 and 1", d.Cosine)
		}
		if d.Pairs < 0 || d.Pairs > room {
			return fmt.Errorf("%d pairs at cosine %v do not fit: %d vectors hold %d pairs in all", d.Pairs, d.Cosine, o.Vectors, o.Vectors/2)
		}
		room -= d.Pairs
	}
	switch {
	case o.Vectors < 0:
		return fmt.Errorf("%d vectors", o.Vectors)
	case o.NNZ < 1 || o.NNZ > 1<<20:
		return fmt.Errorf("a mean of %d features is not between 1 and %d", o.NNZ, 1<<20)
	case int64(o.Vectors) > maxFeatures/int64(o.NNZ):
		return fmt.Errorf("%d vectors of %d features, want at most %d features in all", o.Vectors, o.NNZ, int64(maxFeatures))
	case o.Dimensions > maxDimensions:
		return fmt.Errorf("%d dimensions are more than 2^53; 0 means all 2^64", o.Dimensions)
	case o.Dimensions != 0 && o.Dimensions/roomDimensions < uint64(o.NNZ):
		return fmt.Errorf("%d dimensions are too few for a mean of %d features: at least %d are needed", o.Dimensions, o.NNZ, roomDimensions*o.NNZ)
	case !slices.Contains([]string{Unit, countWeights, tfidfWeights}, o.Weights):
		return fmt.Errorf("unknown weights %q: expected %q, %q or %q", o.Weights, Unit, countWeights, tfidfWeights)
	case o.Weights == tfidfWeights && kind.whole:
		return fmt.Errorf("tfidf weights are fractions, which %s does not hold", kind.name)
	}
	return nil
}

func appendFeatures[W Weight](set *CSR[W], features []drawn) {
	slices.SortFunc(features, func(a, b drawn) int { return cmp.Compare(a.index, b.index) })
	for _, f := range features {
		set.Indices = append(set.Indices, f.index)
		if set.Weights != nil {
			set.Weights = append(set.Weights, W(f.weight))
		}
	}
	set.Offsets = append(set.Offsets, len(set.Indices))
}

// source returns the random numbers of one vector for one purpose. Each vector has its own source,
// so that it depends only on the seed and its number.
func (g *generator) source(purpose, i int) *rand.PCG {
	return rand.NewPCG(mix64(g.options.Seed)+uint64(purpose), mix64(uint64(i)+0x9e3779b97f4a7c15))
}

// drawn is a feature of a generated vector.
type drawn struct {
	index  uint64
	weight float64
}

// The purposes of the random numbers of a vector.
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
	ranks := cmp.Or(options.Dimensions, hashedRanks)
	return &generator{ctx, options, ranks, newZipf(ranks)}
}

// ended reports whether the context has ended. It checks the context only in some of the steps,
// since a vector may have a million features. If ended returns true, the caller discards the
// vector.
func (g *generator) ended(step int) bool { return step%(1<<16) == 0 && g.ctx.Err() != nil }

// vector draws vector i. Its features are in the order of their first draw.
func (g *generator) vector(i int) []drawn {
	source := g.source(forVector, i)
	// From ceil(NNZ/2) to floor(3·NNZ/2), around NNZ.
	half := g.options.NNZ / 2
	n := g.options.NNZ - half + int(below(source, uint64(2*half+1)))
	taken := make(map[uint64]int, n) // from rank to position in order; never ranged over
	order := make([]uint64, 0, n)
	counts := make([]int, 0, n)
	// Few dimensions have the same few ranks drawn again and again. After too many repeats, vector
	// takes the next free rank.
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

// nextFree returns the rank, or the first free one after it. passed remembers where the search from
// a taken rank ended, since many draws meet the same long runs of taken ranks.
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

// index returns the index of a rank. If Dimensions is 0, it spreads the ranks over 64 bits.
func (g *generator) index(rank uint64) uint64 {
	if g.options.Dimensions == 0 {
		return mix64(rank)
	}
	return rank - 1
}

func (g *generator) weight(rank uint64, count int) float64 {
	switch g.options.Weights {
	case Unit:
		return 1
	case countWeights:
		return float64(count)
	}
	idf := 1 + portable.Log(float64(rank))
	return math.Round(float64(float64(count)*idf*weightSteps)) / weightSteps
}

// placePairs chooses the vectors of each pair. No vector is in two pairs.
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

// zipf draws ranks from 1 to n, rank k with probability proportional to 1/k. It uses
// rejection-inversion (Hörmann and Derflinger 1996), which needs no table: ln x is the integral of
// the density 1/x. The same source gives the same ranks on every architecture.
type zipf struct {
	n        float64
	x1, xN   float64 // integral of the density up to 1.5, less one; up to n + 0.5
	shortcut float64
}

func newZipf(n uint64) *zipf {
	return &zipf{
		n: float64(n), x1: portable.Log(1.5) - 1, xN: portable.Log(float64(n) + 0.5),
		shortcut: 2 - portable.Exp(portable.Log(2.5)-density(2)),
	}
}

func (z *zipf) rank(source *rand.PCG) uint64 {
	for {
		u := z.xN + float64(unitFloat(source)*(z.x1-z.xN))
		x := portable.Exp(u)
		k := max(1, min(z.n, math.Floor(x+0.5)))
		if k-x <= z.shortcut || u >= portable.Log(k+0.5)-density(k) {
			return uint64(k)
		}
	}
}

// density is 1/x, computed as it always was, so that sets stay the same.
func density(x float64) float64 { return portable.Exp(-portable.Log(x)) }

// unitFloat returns a number in [0, 1) with 53 random bits.
func unitFloat(source *rand.PCG) float64 { return float64(source.Uint64()>>11) / (1 << 53) }

// below returns a number in [0, n). No number's probability is off by more than 2^-64.
func below(source *rand.PCG, n uint64) uint64 {
	high, _ := bits.Mul64(source.Uint64(), n)
	return high
}

// mix64 is the finaliser of SplitMix64, a bijection of the 64-bit numbers.
func mix64(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// duplicate is a near-duplicate under construction. Its fields hold sums of squared weights; for
// counts these are exact in float64.
type duplicate struct {
	wanted   float64
	features []drawn
	total    float64 // sum for the original
	shared   float64 // sum for the features kept from the original
	norm     float64 // sum for the duplicate
}

// cosine returns the cosine of the duplicate with the original if it shares some features and has
// the given norm.
func (d *duplicate) cosine(shared, norm float64) float64 {
	return shared / math.Sqrt(float64(d.total*norm))
}

// miss returns the distance of that cosine from the wanted cosine.
func (d *duplicate) miss(shared, norm float64) float64 {
	return math.Abs(d.cosine(shared, norm) - d.wanted)
}

// nearDuplicate makes vector i, the copy B of a pair, from vector A.
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

	last := -1 // the lightest feature whose replacement would take the cosine below the wanted one
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

// closeGap either adds features that only the duplicate has or makes one more replacement,
// whichever comes closer to the wanted cosine.
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

// extraWeight returns the largest possible weight w with w^2 <= square, but at least 1, the
// smallest weight.
func (g *generator) extraWeight(square float64) float64 {
	if !(square > 1) {
		return 1
	}
	switch g.options.Weights {
	case Unit:
		return 1
	case countWeights:
		return math.Floor(math.Sqrt(square))
	}
	return math.Floor(math.Sqrt(square)*weightSteps) / weightSteps
}

// freshFeatures draws features that neither vector of a pair contains.
type freshFeatures struct {
	g      *generator
	source *rand.PCG
	taken  map[uint64]bool   // indices
	passed map[uint64]uint64 // see nextFree
}

// next returns the index of another fresh feature.
func (f *freshFeatures) next() uint64 {
	isTaken := func(rank uint64) bool { return f.taken[f.g.index(rank)] }
	index := f.g.index(f.g.nextFree(f.g.zipf.rank(f.source), isTaken, f.passed))
	f.taken[index] = true
	return index
}
