package quality

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"simhashkit/bench/terms"
	"simhashkit/internal/portable"
)

// Defaults and limits of workloads.
const (
	DefaultPairs   = 1000
	DefaultKeyings = 100
	// shortest list of keys from which vectors can be drawn that share few of them by chance
	LeastListedKeys = 1000
	leastPairs      = terms.LeastPairs // for a verdict about a band
	// of the pairs have angles uniform over the range; the others are at cosine 0.9 and above
	uniformPart = 0.6
	randomPairs = 1000
)

// bandCosine is where the band Cos90 begins.
const bandCosine = 0.9

// WorkloadOptions says what Generate makes.
type WorkloadOptions struct {
	Pattern Pattern // of the indices
	Weights Weights // kind of weights
	Seed    uint64  // another seed, other vectors, keyings and samples
	Pairs   int     // of vectors; 0 is DefaultPairs
	Keyings int     // 0 is DefaultKeyings; with fewer there is no verdict
	// length of the list of keys, at least LeastListedKeys, with the pattern ListedKeys
	ListedKeys int
}

// Workload is a set of vectors with pairs whose angles are known. It is safe for concurrent use;
// nothing in it changes but what it remembers of the ideal source.
type Workload struct {
	options WorkloadOptions
	set     vectors
	given   int    // vectors that random couples are drawn from; edited copies stand behind them
	rows    []int  // numbers of the vectors in the set that was given; nil where they were made
	pairs   []pair // in ascending order of the angle
	// the numbers of the pairs by the angles that they were to have, first those that are uniform
	byWanted []int
	random   []couple
	keys     int
	indices  func(dst []uint64, keying int, seeded bool) // stores the index of every position
	sketch   sketchFunc
	turned   bool // weights have other signs in every keying

	mutex  sync.Mutex
	ideals map[int]*observation // by width
}

// couple is two vectors of the set.
type couple struct{ a, b int }

// pair is two vectors at a known angle.
type pair struct {
	couple
	angle, cosine float64
	wanted        float64 // angle: what was asked for, of given vectors what they have
	uniform       bool
}

// Generate makes a workload: pairs of vectors with 50 to 150 features, 100 on average, six in ten
// at angles that are uniform over the range (0 to 90 degrees, 0 to 180 with Signed), the others
// uniform over the angles of cosine 0.9 and above. The same options give the same workload on every
// machine.
//
// It fails where a pattern or a kind of weights is unknown, and where a number is negative. Cost:
// some milliseconds, and 2 MB.
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
	g := newGenerator(o)
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
	w.sketch = generatedSketch(o.Weights, &w.set)
	w.turned = o.Weights == Signed
	w.finish()
	return w, nil
}

// complete puts in the defaults.
func (o *WorkloadOptions) complete() error {
	if o.Pairs < 0 || o.Keyings < 0 {
		return fmt.Errorf("quality: %d pairs and %d keyings: expected positive numbers, or 0 for the default", o.Pairs, o.Keyings)
	}
	o.Pairs, o.Keyings = cmp.Or(o.Pairs, DefaultPairs), cmp.Or(o.Keyings, DefaultKeyings)
	return nil
}

// finish draws the vectors for the other measurements and puts the pairs in order.
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

// purpose keeps the streams apart that are drawn for different things from the same seed.
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

// random is a stream of ChaCha8. The methods give the same numbers on machines of any word size,
// which those of rand.Rand do not promise.
type random struct{ *rand.ChaCha8 }

// newRandom returns the stream that belongs to the seed, the purpose and the number, such as that
// of the keying.
func newRandom(seed uint64, p purpose, number uint64) random {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(p))
	binary.LittleEndian.PutUint64(key[16:], number)
	copy(key[24:], "quality")
	return random{rand.NewChaCha8(key)}
}

// below returns a number in [0, n); its bias is below n/2^64.
func (r random) below(n uint64) uint64 {
	high, _ := bits.Mul64(r.Uint64(), n)
	return high
}

// fill stores random words.
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
