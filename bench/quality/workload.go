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

	"simhashkit/internal/bench/terms"
	"simhashkit/internal/portable"
)

// Defaults and limits of workloads.
const (
	defaultPairs = 1000
	leastPairs   = terms.LeastPairs // pairs that a verdict on a band needs
	uniformPart  = 0.6              // share of pairs with uniform angles
	bandCosine   = 0.9              // minimum cosine in the band Cos90
)

// WorkloadOptions selects the workload that Generate makes.
//
// These are the patterns of indices. In each keying, the indices have another offset, or are drawn
// anew if they are random:
//
//   - "dense1e3": 1,000 consecutive indices, from which vectors are sampled
//   - "consecutive", "strided", "bitrev": vectors are runs of consecutive indices, of indices 1,024
//     apart, or of bit-reversed indices
//   - "uniform64", "uniform1e7": random indices below 2^64 or 10^7
//   - "pow2": powers of two and sums of two of them
//
// With the other patterns, the hash gets numbers of strings: "words", "fields" and "wordpairs"
// number the strings that [KeysOf] returns, and "keys" those of your own list of ListedKeys
// strings.
//
// These are the kinds of weights: "unit" (all 1), "counts" (half are 1, a quarter are 2, and so
// on), "tfidf" (counts times 1 to 10), "signed" (both vectors of a pair have the same features with
// different weights) and "dominated" (tfidf with one weight as large as the norm of the others).
type WorkloadOptions struct {
	Pattern    string // pattern of the keys
	Weights    string // kind of weights
	Sketch     string // what the hash is for: "simhash", "minhash" or "hashing"; "": simhash
	Size       int    // bits of MinHash or buckets of feature hashing; 0: 64 bits or 1,024 buckets
	Seed       uint64 // selects vectors, keyings and samples
	Pairs      int    // pairs of vectors; 0: 1,000
	Keyings    int    // 0: 100; with fewer, no hash is Good
	ListedKeys int    // number of strings for the pattern "keys", at least 1,000
}

// Workload holds vectors and pairs with known angles. It is safe for concurrent use.
type Workload struct {
	options  WorkloadOptions
	set      vectors
	given    int    // number of vectors before the edited copies
	rows     []int  // row of each vector in the given set; nil for generated vectors
	pairs    []pair // in ascending order of the angle
	byWanted []int  // numbers of pairs in order of wanted angles, uniform pairs first
	keys     int
	indices  func(dst []uint64, keying int, seeded bool) // stores the index of each position
	sketch   sketchFunc

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

// Generate makes a workload of pairs of vectors with 50 to 150 features. Six in ten pairs have
// angles that are uniform from 0 to 90 degrees (0 to 180 with signed weights). The angles of the
// others are uniform over the range of cosine 0.9 and above. The same options give the same
// workload on every machine. Generate fails if the pattern or the kind of weights is unknown, or if
// a number is negative.
//
// For MinHash, the weights must be "unit", and the pairs have Jaccard similarities that are uniform
// from 0 to 1, or from 0.8 to 1 in four of ten pairs.
func Generate(o WorkloadOptions) (*Workload, error) {
	keys := KeysOf(o.Pattern)
	switch {
	case keys != nil:
		o.ListedKeys = len(keys)
	case o.Pattern == terms.ListedKeys && o.ListedKeys < terms.LeastListedKeys:
		return nil, fmt.Errorf("quality: %d keys: expected at least %d", o.ListedKeys, terms.LeastListedKeys)
	case o.Pattern != terms.ListedKeys && !slices.Contains(Patterns(), o.Pattern):
		return nil, fmt.Errorf("quality: unknown pattern %q: expected one of %s", o.Pattern, strings.Join(Patterns(), ", "))
	}
	if !slices.Contains(Weights(), o.Weights) {
		return nil, fmt.Errorf("quality: unknown kind of weights %q: expected one of %s", o.Weights, strings.Join(Weights(), ", "))
	}
	if err := o.complete(); err != nil {
		return nil, err
	}
	if o.Sketch == terms.MinHash && o.Weights != terms.Unit {
		return nil, fmt.Errorf("quality: MinHash with %s weights, expected unit", o.Weights)
	}
	g := generator{
		pattern: o.Pattern, weights: o.Weights, r: newRandom(o.Seed, forVectors, 0), used: make([]bool, o.size()), set: vectors{offsets: []int{0}},
	}
	uniform := int(math.Round(float64(o.Pairs) * uniformPart))
	wanted := func(i int) float64 {
		if o.Sketch == terms.MinHash {
			return wantedOfSets(i, uniform, o.Pairs)
		}
		if i < uniform {
			return mostAngle(o.Weights) * (float64(i) + 0.5) / float64(uniform)
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
	case terms.Unit:
		w.sketch = unitSketch(&w.set)
	case terms.Counts:
		w.sketch = weightedSketch(&w.set, converted[int32](w.set.weights))
	default:
		w.sketch = weightedSketch(&w.set, converted[float32](w.set.weights))
	}
	w.sortPairs()
	return w, nil
}

func (o *WorkloadOptions) complete() error {
	if o.Pairs < 0 || o.Keyings < 0 {
		return fmt.Errorf("quality: %d pairs and %d keyings: expected positive numbers, or 0 for the default", o.Pairs, o.Keyings)
	}
	if o.Sketch != "" && !slices.Contains(terms.Sketches(), o.Sketch) {
		return fmt.Errorf("quality: unknown sketch %q: expected one of %s", o.Sketch, strings.Join(terms.Sketches(), ", "))
	}
	o.Sketch, o.Size = cmp.Or(o.Sketch, terms.SimHash), cmp.Or(o.Size, terms.Size(o.Sketch))
	if o.Sketch == terms.Hashing && (o.Size < 2 || o.Size&(o.Size-1) != 0) {
		return fmt.Errorf("quality: %d buckets, expected a power of two", o.Size)
	}
	o.Pairs, o.Keyings = cmp.Or(o.Pairs, defaultPairs), cmp.Or(o.Keyings, terms.LeastKeyings)
	return nil
}

// sortPairs sorts the pairs by angle, and their numbers by wanted angle.
func (w *Workload) sortPairs() {
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
}

// Pattern returns the pattern of the keys, which is "data" for given vectors.
func (w *Workload) Pattern() string { return w.options.Pattern }

// purpose selects one of several independent random streams of a seed.
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
	forKeys
)

// random is a ChaCha8 stream. Its numbers do not depend on the word size of the machine.
type random struct{ *rand.ChaCha8 }

// newRandom returns the stream for a seed, a purpose and a number, such as a keying.
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

const (
	wide        = 1 << 14    // number of keys in a keying, unless the pattern has fewer
	dense       = 1000       // number of keys of Dense1e3
	stride      = 1 << 10    // step of Strided
	indexRange  = 10_000_000 // limit of indices of Uniform1e7 and of offsets
	pow2Indices = 64 + 64*63/2
)

// Patterns returns the patterns of indices. Those of strings are not among them.
func Patterns() []string { return terms.IndexPatterns() }

// hasRuns reports whether vectors are runs of neighbouring indices, not samples of all indices.
func hasRuns(pattern string) bool {
	return slices.Contains([]string{terms.Consecutive, terms.Strided, terms.BitRev}, pattern)
}

func (o *WorkloadOptions) size() int {
	switch {
	case terms.OfStrings(o.Pattern):
		return min(wide, o.ListedKeys)
	case o.Pattern == terms.Dense1e3:
		return dense
	case o.Pattern == terms.Pow2:
		return pow2Indices
	}
	return wide
}

// fill stores the indices of all positions in a keying. No two are equal.
func (o *WorkloadOptions) fill(dst []uint64, r random) {
	switch o.Pattern {
	case terms.Uniform64:
		r.fill(dst) // equal numbers are improbable
	case terms.Uniform1e7:
		fillDistinct(dst, r, indexRange)
	case terms.ListedKeys, terms.Words, terms.Fields, terms.WordPairs:
		fillDistinct(dst, r, o.ListedKeys)
	case terms.Pow2:
		fillPow2(dst, r)
	case terms.Dense1e3:
		fillSteps(dst, r.below(dense), 1)
	case terms.Strided:
		fillSteps(dst, r.below(indexRange), stride)
	case terms.Consecutive:
		fillSteps(dst, r.below(indexRange), 1)
	case terms.BitRev:
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

// KeysOf returns the strings of "words" (made up), "fields" (field=value pairs, as in click logs)
// or "wordpairs", in the order of their numbers. For other patterns, it returns nil. See
// OfListedKeys.
func KeysOf(pattern string) []string {
	switch pattern {
	case terms.Words:
		return vocabulary()
	case terms.Fields:
		return fields()
	case terms.WordPairs:
		return wordPairs()
	}
	return nil
}

const listedKeys = 1 << 16 // number of keys of each pattern of strings

// vocabulary returns made-up words of one to four syllables, some with an ending, so that many
// words differ in one letter or in the ending, as in a natural language.
var vocabulary = sync.OnceValue(func() []string {
	onsets := strings.Fields("b c d f g h j k l m n p r s t v w st tr pr ch sh th pl cr")
	vowels := strings.Fields("a e i o u ea ou ai")
	codas := []string{"", "", "n", "r", "s", "t", "l", "nd", "ck"}
	endings := []string{"", "", "", "s", "ed", "ing", "er", "ly"}
	return distinctKeys(1, func(r random) string {
		var word strings.Builder
		for range 1 + r.below(2) + r.below(3) {
			word.WriteString(onsets[r.below(uint64(len(onsets)))] + vowels[r.below(uint64(len(vowels)))] + codas[r.below(uint64(len(codas)))])
		}
		return word.String() + endings[r.below(uint64(len(endings)))]
	})
})

// fields returns field=value pairs of a click log: identifiers of eight hexadecimal digits, and
// numbers.
var fields = sync.OnceValue(func() []string {
	identifiers := strings.Fields("site_id app_id device_id device_ip ad_id user_id page_id campaign_id")
	return distinctKeys(2, func(r random) string {
		if r.below(2) == 0 {
			return fmt.Sprintf("%s=%08x", identifiers[r.below(uint64(len(identifiers)))], uint32(r.Uint64()))
		}
		return fmt.Sprintf("C%d=%d", 14+r.below(8), r.below(100_000))
	})
})

var wordPairs = sync.OnceValue(func() []string {
	words := vocabulary()[:4096]
	return distinctKeys(3, func(r random) string {
		return words[r.below(uint64(len(words)))] + " " + words[r.below(uint64(len(words)))]
	})
})

func distinctKeys(list uint64, draw func(r random) string) []string {
	r, known := newRandom(0, forKeys, list), map[string]bool{}
	keys := make([]string, 0, listedKeys)
	for len(keys) < listedKeys {
		if key := draw(r); !known[key] {
			known[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}

// Weights returns the kinds of weights.
func Weights() []string {
	return []string{terms.Unit, terms.Counts, terms.TFIDF, terms.Signed, terms.Dominated}
}

const quantum = 1.0 / 1024

// fillWeights stores random weights in dst. A dominating weight is the first.
func fillWeights(dst []float64, kind string, r random) {
	for i := range dst {
		switch kind {
		case terms.Unit:
			dst[i] = 1
		case terms.Counts:
			dst[i] = float64(count(r))
		case terms.TFIDF, terms.Dominated:
			dst[i] = float64(count(r)*(1024+r.below(9*1024))) * quantum
		case terms.Signed:
			sum := 1 - 2*1024 // sum of four numbers below 1,024 minus its mean, but never 0
			for range 4 {
				sum += int(r.below(1024))
			}
			if sum <= 0 {
				sum--
			}
			dst[i] = float64(sum) * quantum
		}
	}
	if kind == terms.Dominated {
		dst[0] = math.Round(math.Sqrt(squares(dst[1:]))/quantum) * quantum
	}
}

// count returns 1 with probability 1/2, 2 with probability 1/4, and so on up to 16.
func count(r random) uint64 { return uint64(min(bits.TrailingZeros64(r.Uint64()), 15)) + 1 }

// mostAngle returns the largest angle between vectors with such weights, in radians.
func mostAngle(kind string) float64 {
	if kind == terms.Signed {
		return math.Pi
	}
	return math.Pi / 2
}
