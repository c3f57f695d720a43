package quality

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/internal/portable"
)

// Defaults and limits of workloads.
const (
	DefaultPairs    = 1000
	DefaultKeyings  = 100
	LeastListedKeys = 1000             // minimum length, so that vectors share few keys by chance
	leastPairs      = terms.LeastPairs // for a verdict about a band
	uniformPart     = 0.6              // share of pairs at uniform angles; others are at cosine 0.9 and above
	randomPairs     = 1000
	bandCosine      = 0.9 // where the band Cos90 starts
)

// WorkloadOptions say which workload Generate makes.
type WorkloadOptions struct {
	Pattern    Pattern // of the indices
	Weights    Weights // kind of weights
	Seed       uint64  // another seed gives other vectors, keyings and samples
	Pairs      int     // of vectors; 0 is DefaultPairs
	Keyings    int     // 0 is DefaultKeyings; with fewer there is no verdict
	ListedKeys int     // length of the list, at least LeastListedKeys
}

// Workload holds vectors and pairs with known angles. It is safe for concurrent use.
type Workload struct {
	options  WorkloadOptions
	set      vectors
	given    int    // vectors that random couples are drawn from; edited copies follow them
	rows     []int  // numbers of the vectors in the given set; nil if Generate made them
	pairs    []pair // in ascending order of the angle
	byWanted []int  // numbers of pairs by wanted angle, uniform ones first
	random   []couple
	keys     int
	indices  func(dst []uint64, keying int, seeded bool) // stores the index of every position
	sketch   sketchFunc
	turned   bool // weights have different signs in every keying

	mutex  sync.Mutex
	ideals map[int]*observation // by width
}

type couple struct{ a, b int }

// pair is two vectors with a known angle.
type pair struct {
	couple
	angle, cosine float64
	wanted        float64 // requested angle; for given vectors, their actual angle
	uniform       bool
}

// Generate makes a workload: pairs of vectors with 50 to 150 features, six in ten have angles that
// are uniform over the range (0 to 90 degrees, 0 to 180 with Signed), and the others have angles
// that are uniform over those of cosine 0.9 and above. The same options give the same workload on
// every machine. It fails if the pattern or the kind of weights is unknown, or if a number is
// negative.
func Generate(o WorkloadOptions) (*Workload, error) {
	if o.Pattern == ListedKeys {
		if o.ListedKeys < LeastListedKeys {
			return nil, fmt.Errorf("quality: %d keys: expected at least %d", o.ListedKeys, LeastListedKeys)
		}
	} else if _, err := ParsePattern(string(o.Pattern)); err != nil {
		return nil, err
	}
	if _, err := ParseWeights(string(o.Weights)); err != nil {
		return nil, err
	}
	if err := o.complete(); err != nil {
		return nil, err
	}
	g := generator{
		pattern: o.Pattern, weights: o.Weights, r: newRandom(o.Seed, forVectors, 0), used: make([]bool, o.size()), set: vectors{offsets: []int{0}},
	}
	uniform := int(math.Round(float64(o.Pairs) * uniformPart))
	wanted := func(i int) float64 {
		if i < uniform {
			return o.Weights.most() * (float64(i) + 0.5) / float64(uniform)
		}
		return portable.Acos(bandCosine) * (float64(i-uniform) + 0.5) / float64(o.Pairs-uniform)
	}
	for i := range o.Pairs {
		g.pair(wanted(i))
	}
	w := &Workload{options: o, set: g.set, given: g.set.len(), keys: o.size(), ideals: map[int]*observation{}}
	for i := range o.Pairs {
		p := pair{couple: couple{2 * i, 2*i + 1}, wanted: wanted(i), uniform: i < uniform}
		p.angle, p.cosine, _ = w.set.angle(p.a, p.b)
		w.pairs = append(w.pairs, p)
	}
	w.indices = func(dst []uint64, keying int, _ bool) {
		o.fill(dst, newRandom(o.Seed, forIndices, uint64(keying)))
	}
	switch o.Weights {
	case Unit:
		w.sketch = unitSketch(&w.set)
	case Counts:
		w.sketch = weightedSketch(&w.set, converted[int32](w.set.weights))
	default:
		w.sketch = weightedSketch(&w.set, converted[float32](w.set.weights))
	}
	w.turned = o.Weights == Signed
	w.finish()
	return w, nil
}

func (o *WorkloadOptions) complete() error {
	if o.Pairs < 0 || o.Keyings < 0 {
		return fmt.Errorf("quality: %d pairs and %d keyings: expected positive numbers, or 0 for the default", o.Pairs, o.Keyings)
	}
	o.Pairs, o.Keyings = cmp.Or(o.Pairs, DefaultPairs), cmp.Or(o.Keyings, DefaultKeyings)
	return nil
}

// finish draws the vectors for the other measurements and sorts the pairs.
func (w *Workload) finish() {
	slices.SortStableFunc(w.pairs, func(p, q pair) int { return cmp.Compare(p.angle, q.angle) })
	for _, uniform := range []bool{true, false} {
		from := len(w.byWanted)
		for i, p := range w.pairs {
			if p.uniform == uniform {
				w.byWanted = append(w.byWanted, i)
			}
		}
		slices.SortStableFunc(w.byWanted[from:], func(i, j int) int { return cmp.Compare(w.pairs[i].wanted, w.pairs[j].wanted) })
	}
	r, n := newRandom(w.options.Seed, forPairs, 0), uint64(w.given)
	for range randomPairs {
		if n < 2 {
			break
		}
		a := r.below(n)
		b := (a + 1 + r.below(n-1)) % n
		w.random = append(w.random, couple{int(a), int(b)})
	}
}

// Pattern returns the pattern of the indices.
func (w *Workload) Pattern() Pattern { return w.options.Pattern }

// purpose makes streams of one seed that are used for different purposes independent of each other.
type purpose uint64

const (
	forVectors purpose = iota + 1
	forIndices
	forSeeds
	forIdeal
	forPairs
	forResampling
	forNeighbours
	forSigns
	forEdits
)

// random is a stream of ChaCha8. It gives the same numbers on machines of any word size.
type random struct{ *rand.ChaCha8 }

// newRandom returns the stream for a seed, a purpose and a number, such as the number of the
// keying.
func newRandom(seed uint64, p purpose, number uint64) random {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(p))
	binary.LittleEndian.PutUint64(key[16:], number)
	copy(key[24:], "quality")
	return random{rand.NewChaCha8(key)}
}

// below returns a number in [0, n), with a bias below n/2^64.
func (r random) below(n uint64) uint64 {
	high, _ := bits.Mul64(r.Uint64(), n)
	return high
}

func (r random) fill(dst []uint64) {
	for i := range dst {
		dst[i] = r.Uint64()
	}
}

func shuffle[T any](r random, s []T) {
	for i := len(s) - 1; i > 0; i-- {
		j := r.below(uint64(i + 1))
		s[i], s[j] = s[j], s[i]
	}
}

// Pattern says what the indices of a workload look like. Every keying has its own index map, which
// keeps the pattern: a new sample if indices are random, and otherwise a new offset.
type Pattern string

// The patterns. Offsets are uniform below 10^7, except those of Dense1e3, which are below 1,000.
const (
	Uniform64   Pattern = terms.Uniform64   // random below 2^64: samples of 16,384 for each keying
	Uniform1e7  Pattern = terms.Uniform1e7  // random below 10^7: samples of 16,384 as well
	Dense1e3    Pattern = terms.Dense1e3    // 1,000 consecutive numbers; vectors are samples of them
	Consecutive Pattern = terms.Consecutive // vectors are runs of 16,384 consecutive numbers
	Strided     Pattern = terms.Strided     // like Consecutive, with a step of 1,024
	Pow2        Pattern = terms.Pow2        // powers of two and sums of two; bits are permuted
	BitRev      Pattern = terms.BitRev      // like Consecutive, with the bits of the index reversed
	Data        Pattern = terms.Data        // indices of given vectors; see FromVectors
	ListedKeys  Pattern = terms.ListedKeys  // positions in a list: at most 16,384 for each keying
)

const (
	wide        = 1 << 14    // keys of a keying, unless the pattern has fewer
	dense       = 1000       // of Dense1e3
	stride      = 1 << 10    // of Strided
	indexRange  = 10_000_000 // for Uniform1e7 and for offsets
	pow2Indices = 64 + 64*63/2
)

// Patterns returns the patterns of indices that Generate knows without data.
func Patterns() []Pattern {
	return []Pattern{Uniform64, Uniform1e7, Dense1e3, Consecutive, Strided, Pow2, BitRev}
}

// ParsePattern returns the pattern with that name.
func ParsePattern(name string) (Pattern, error) { return parse("pattern", Pattern(name), Patterns()) }

func parse[T ~string](what string, value T, known []T) (T, error) {
	names := make([]string, len(known))
	for i, k := range known {
		if k == value {
			return k, nil
		}
		names[i] = string(k)
	}
	return "", fmt.Errorf("quality: unknown %s %q: expected one of %s", what, string(value), strings.Join(names, ", "))
}

// runs reports whether a vector's indices are neighbours rather than a sample of all indices.
func (p Pattern) runs() bool { return p == Consecutive || p == Strided || p == BitRev }

func (o *WorkloadOptions) size() int {
	switch o.Pattern {
	case ListedKeys:
		return min(wide, o.ListedKeys)
	case Dense1e3:
		return dense
	case Pow2:
		return pow2Indices
	}
	return wide
}

// fill stores the indices of all positions in a keying. They are all different.
func (o *WorkloadOptions) fill(dst []uint64, r random) {
	switch o.Pattern {
	case Uniform64:
		r.fill(dst) // among 16,384, two are equal with a chance of 10^-11
	case Uniform1e7:
		fillDistinct(dst, r, indexRange)
	case ListedKeys:
		fillDistinct(dst, r, o.ListedKeys)
	case Pow2:
		fillPow2(dst, r)
	case Dense1e3:
		fillSteps(dst, r.below(dense), 1)
	case Strided:
		fillSteps(dst, r.below(indexRange), stride)
	case Consecutive:
		fillSteps(dst, r.below(indexRange), 1)
	case BitRev:
		fillSteps(dst, r.below(indexRange), 1)
		for i, index := range dst {
			dst[i] = bits.Reverse64(index)
		}
	}
}

func fillSteps(dst []uint64, origin, step uint64) {
	for i := range dst {
		dst[i] = origin + uint64(i)*step
	}
}

func fillDistinct(dst []uint64, r random, n int) {
	taken := make([]uint64, n/64+1)
	for i := range dst {
		x := r.below(uint64(n))
		for taken[x/64]>>(x%64)&1 != 0 {
			x = r.below(uint64(n))
		}
		taken[x/64] |= 1 << (x % 64)
		dst[i] = x
	}
}

func fillPow2(dst []uint64, r random) {
	var bit [64]uint64
	for i := range bit {
		bit[i] = 1 << i
	}
	shuffle(r, bit[:])
	n := copy(dst, bit[:])
	for i := range bit {
		for j := range i {
			dst[n] = bit[i] + bit[j]
			n++
		}
	}
}

// Weights says what the weights of a workload look like.
type Weights string

// The kinds of weights. All are computed from integers, so that they are the same on every machine.
const (
	Unit   Weights = datasets.Unit // all 1
	Counts Weights = "counts"      // half of them 1, a quarter 2 and so on to 16; int32
	TFIDF  Weights = "tfidf"       // counts times 1 to 10, in steps of 1/1024; float32
	// bell-shaped within ±2 in steps of 1/1024; both vectors of a pair have the same features;
	// float32
	Signed    Weights = "signed"
	Dominated Weights = "dominated" // TFIDF with one weight as long as all others; float32
)

// AllWeights returns the kinds of weights that Generate knows. Given vectors have their own
// weights.
func AllWeights() []Weights { return []Weights{Unit, Counts, TFIDF, Signed, Dominated} }

// ParseWeights returns the kind of weights with that name.
func ParseWeights(name string) (Weights, error) {
	return parse("kind of weights", Weights(name), AllWeights())
}

const quantum = 1.0 / 1024

// fill stores weights. If one dominates, it is the first.
func (w Weights) fill(dst []float64, r random) {
	for i := range dst {
		switch w {
		case Unit:
			dst[i] = 1
		case Counts:
			dst[i] = float64(count(r))
		case TFIDF, Dominated:
			dst[i] = float64(count(r)*(1024+r.below(9*1024))) * quantum
		case Signed:
			sum := 1 - 2*1024 // the sum of four numbers below 1,024, minus its mean; never 0
			for range 4 {
				sum += int(r.below(1024))
			}
			if sum <= 0 {
				sum--
			}
			dst[i] = float64(sum) * quantum
		}
	}
	if w == Dominated {
		dst[0] = math.Round(math.Sqrt(squares(dst[1:]))/quantum) * quantum
	}
}

// count is 1 with probability 1/2, 2 with 1/4 and so on, at most 16.
func count(r random) uint64 { return uint64(min(bits.TrailingZeros64(r.Uint64()), 15)) + 1 }

// most returns the largest angle between vectors with such weights, in radians.
func (w Weights) most() float64 {
	if w == Signed {
		return math.Pi
	}
	return math.Pi / 2
}
