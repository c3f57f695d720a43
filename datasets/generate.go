package datasets

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// WeightKind says what weights Generate gives.
type WeightKind string

// The kinds of weights.
const (
	UnitWeights WeightKind = Unit // none: Weights is nil
	// how often a feature was drawn: whole numbers, most of them 1
	CountWeights WeightKind = "counts"
	// count · (1 + Exponent · ln rank), in steps of 1/1024; see Generate
	TFIDFWeights WeightKind = "tfidf"
)

// GenerateOptions says what Generate makes.
type GenerateOptions struct {
	Seed    uint64 // another seed, another set
	Vectors int    // number of vectors, those of pairs included
	// mean number of features; vectors have from NNZ/2 to 3·NNZ/2, all equally likely
	NNZ int
	// indices are below it, at most 2^53; 0 is all 2^64, used by 2^24 features
	Dimensions uint64
	Exponent   float64        // of Zipf's law, at most 8; 0 is 1, about what words follow
	Weights    WeightKind     // "" is CountWeights
	Duplicates []PlantedPairs // near-duplicates to plant
}

// PlantedPairs asks for pairs of vectors at a cosine.
type PlantedPairs struct {
	Cosine float64 // from 0 to 1
	Pairs  int
}

// Pair is a planted pair: vector B was made from vector A.
type Pair struct {
	A, B   int
	Wanted float64 // the cosine asked for
	Cosine float64 // the cosine reached, as the function Cosine computes it
}

const (
	hashedRanks   = 1 << 24 // features in use when the space is all 2^64
	maxDimensions = 1 << 53 // ranks are drawn as float64
	maxZipf       = 8
	defaultZipf   = 1
	weightSteps   = 1024
	// dimensions needed for each feature of a mean vector, so that fresh ones can always be drawn
	roomDimensions = 8
)

// Generate makes Zipf-distributed sparse vectors with planted near-duplicates. The same options
// give the same bits on every machine.
//
// Features have ranks; rank k is drawn with probability proportional to k^-Exponent, and a vector
// is drawn feature by feature until it has its number of different ones. Its index is rank-1, so
// that frequent features have small indices as vocabulary numbers do, or, when Dimensions is 0, a
// 64-bit mix of the rank. "tfidf" multiplies the count by what 1 + ln(N/df) comes to under Zipf's
// law, where a feature's document frequency df falls as rank^-Exponent. Rows are in ascending order
// of the index, without labels and ids.
//
// A planted pair is an ordinary vector A and a vector B that is A with features, chosen at random,
// replaced by fresh ones that take over their weights, as long as the cosine stays at or above the
// wanted one. What is left is closed by fresh features in B alone, their weights chosen to fit, or
// by one replacement more, whichever ends nearer. With 50 features and more, so from NNZ 100 on,
// the cosine reached is within 0.005 of the wanted one; with fewer it is as near as their weights
// allow. Pair has the exact one. Pairs are at random places and have no vector in common. Other
// vectors are unrelated, though frequent features give them a cosine above 0.
//
// Bad options are errors: TF-IDF weights in an integer type, more pairs than Vectors has room for,
// fewer than 8·NNZ dimensions. It ends with the context's cause when the context ends.
func Generate[W Weight](ctx context.Context, options GenerateOptions) (CSR[W], []Pair, error) {
	if options.Weights == "" {
		options.Weights = CountWeights
	}
	if options.Exponent == 0 {
		options.Exponent = defaultZipf
	}
	if err := options.check(kindOf[W]()); err != nil {
		return CSR[W]{}, nil, fmt.Errorf("datasets: generate: %w", err)
	}
	g := newGenerator(ctx, options)
	pairs := g.placePairs()
	made := make(map[int]int, len(pairs)) // vector B to its pair
	for p, pair := range pairs {
		made[pair.B] = p
	}
	set := CSR[W]{Offsets: make([]int, 1, options.Vectors+1), Indices: make([]uint64, 0, options.Vectors*options.NNZ)}
	if options.Weights != UnitWeights {
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
	case o.Vectors > math.MaxInt/16/o.NNZ:
		return fmt.Errorf("%d vectors of %d features do not fit into memory", o.Vectors, o.NNZ)
	case o.Dimensions > maxDimensions:
		return fmt.Errorf("%d dimensions are more than 2^53; 0 means all 2^64", o.Dimensions)
	case o.Dimensions != 0 && o.Dimensions/roomDimensions < uint64(o.NNZ):
		return fmt.Errorf("%d dimensions are too few for a mean of %d features: at least %d are needed", o.Dimensions, o.NNZ, roomDimensions*o.NNZ)
	case !(o.Exponent > 0 && o.Exponent <= maxZipf):
		return fmt.Errorf("exponent %v is not between 0 and %d", o.Exponent, maxZipf)
	case !slices.Contains([]WeightKind{UnitWeights, CountWeights, TFIDFWeights}, o.Weights):
		return fmt.Errorf("unknown weights %q: expected %q, %q or %q", string(o.Weights), UnitWeights, CountWeights, TFIDFWeights)
	case o.Weights == TFIDFWeights && kind.whole:
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

// source returns the random numbers of one vector for one purpose. Each vector has its own, so that
// a vector depends on the seed and its number alone.
func (g *generator) source(purpose, i int) *rand.PCG {
	return rand.NewPCG(mix64(g.options.Seed)+uint64(purpose), mix64(uint64(i)+0x9e3779b97f4a7c15))
}
