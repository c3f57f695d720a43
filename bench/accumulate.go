package bench

import (
	"fmt"
	"math"
	"strconv"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/cpu"
	"simhashkit/asm/minhash"
	"simhashkit/datasets"
	"simhashkit/internal/bench/naive"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
)

const (
	features   = 2048         // with fewer, the branch predictor would learn the naive loop
	sequential = "sequential" // value of order=: features are added one by one
	set        = "set"        // value of weights=: MinHash
)

// accumulator computes 64 signs from 64-bit codes and weights.
type accumulator[W weight] func(codes []uint64, weights []W) uint64

type accumulateCase struct {
	weights string
	order   string // sequential, or "" for groups of four
	small   bool   // weights within ±127
	naive   bool
	f, nnz  int
}

// accumulateOf adds up codes.
type accumulateOf struct {
	weights     []string
	bits, sizes []int // sizes are values of nnz
	kernels     pick
	order       string // sequential, or "" for groups of four
	small       bool   // integer weights within ±127
}

func (p accumulateOf) addTo(g *grid) error {
	for _, weights := range g.types(p.weights) {
		table, ok := kernelsOf(weights), !p.small || weights == datasets.Int32 || weights == datasets.Int64
		if p.order == sequential {
			table, ok = []cpu.Tier{cpu.Generic}, ok && (weights == datasets.Float32 || weights == datasets.Float64)
		}
		if !ok {
			continue // this part has no variant for the requested weights
		}
		for _, f := range choose(g.Bits, p.bits) {
			for _, nnz := range choose(g.NNZ, p.sizes) {
				for _, v := range g.variants(p.kernels, table, naiveOf(weights)...) {
					a := accumulateCase{weights: weights, order: p.order, small: p.small, naive: v.kernel == terms.Naive, f: f, nnz: nnz}
					g.put(timedCase{Name: a.name(v.kernel), Unit: terms.NanosecondsPerFeature, tier: v.tier, prepare: func(*inputs) (*trial, error) { return weightTypes[a.weights].accumulate(a), nil }})
				}
			}
		}
	}
	return nil
}

// naiveOf returns the kernel name of the naive loop for these weights, or nil if there is none.
func naiveOf(weights string) []string {
	if weights == set {
		return nil
	}
	return []string{terms.Naive}
}

func (a accumulateCase) name(kernel string) benchname.Name {
	magnitude := ""
	if a.small {
		magnitude = "small"
	}
	return benchname.New(terms.Accumulate, "weights", a.weights, "f", strconv.Itoa(a.f), "kernel", kernel, "order", a.order, "range", magnitude, "nnz", strconv.Itoa(a.nnz))
}

// weightType has the kernels and the trials of a type of weights.
type weightType struct {
	accumulate func(a accumulateCase) *trial
	sketch     func(s sketchCase, in *inputs) (*trial, error)
}

var weightTypes = map[string]weightType{
	datasets.Unit:    {unitTrial, sketchTrial[int64]},
	datasets.Int32:   {trialOf(accumulate.SketchI32, nil), sketchTrial[int32]},
	datasets.Int64:   {trialOf(accumulate.SketchI64, nil), sketchTrial[int64]},
	datasets.Float32: {trialOf(accumulate.SketchF32, accumulate.SketchSequential[float32]), sketchTrial[float32]},
	datasets.Float64: {trialOf(accumulate.SketchF64, accumulate.SketchSequential[float64]), sketchTrial[float64]},
	set:              {func(a accumulateCase) *trial { return minimaTrial(minimaSketcher(a.f), a) }, sketchTrial[int64]},
}

// unitTrial uses a type of weights although there are none.
func unitTrial(a accumulateCase) *trial {
	if a.naive {
		return accumulateTrial(naiveAccumulator[int64](true), a)
	}
	return accumulateTrial(sketchUnit, a)
}

// trialOf returns the trial of a function that adds groups of features, or of one that adds one
// feature after the other.
func trialOf[W weight](grouped, inOrder func([]uint64, []W) accumulate.Signs) func(accumulateCase) *trial {
	return func(a accumulateCase) *trial {
		sketch := grouped
		if a.order == sequential {
			sketch = inOrder
		}
		return accumulateTrial(weightedAccumulator(sketch, a.naive), a)
	}
}

// sketchUnit is a function because the compiler does not inline calls in a closure that it copies
// into the caller.
func sketchUnit(codes []uint64, _ []int64) uint64 { return accumulate.SketchUnit(codes).Positive }

func weightedAccumulator[W weight](sketch func([]uint64, []W) accumulate.Signs, isNaive bool) accumulator[W] {
	if isNaive {
		return naiveAccumulator[W](false)
	}
	return func(codes []uint64, weights []W) uint64 { return sketch(codes, weights).Positive }
}

func naiveAccumulator[W weight](unit bool) accumulator[W] {
	if unit {
		return func(codes []uint64, _ []W) uint64 { return naive.SketchUnit64(codes) }
	}
	return naive.Sketch64[W]
}

// windows divides a buffer of n features into vectors of the given length. Each pass over the
// buffer begins at another offset, so that vectors rarely repeat.
type windows struct{ n, length, start, phase int }

func (w *windows) next() (from, to int) {
	from = w.start
	w.start += w.length
	if w.start+w.length > w.n {
		const step = 8 // each pass begins at a multiple of a cache line
		w.phase = (w.phase + step) % (w.n%w.length + 1) / step * step
		w.start = w.phase
	}
	return from, from + w.length
}

// windowsTrial times answer on windows of n features, and compares it with expected. Both compute
// one word of a fingerprint.
func windowsTrial(a accumulateCase, n int, answer, expected func(word, from, to int) uint64) *trial {
	words, w := wordsOf(a.f), windows{n: n, length: a.nnz}
	return &trial{
		per: a.nnz,
		loop: func(times int) {
			for range times {
				from, to := w.next()
				for t := range words {
					sink ^= answer(t, from, to)
				}
			}
		},
		verify: func() error {
			check := windows{n: n, length: a.nnz}
			for i := range 100 {
				from, to := check.next()
				for t := range words {
					if got, want := answer(t, from, to), expected(t, from, to); got != want {
						return wrongAnswer{fmt.Sprintf("vector %d word %d", i, t), got, want}
					}
				}
			}
			return nil
		},
	}
}

func accumulateTrial[W weight](sketch accumulator[W], a accumulateCase) *trial {
	n := max(features, a.nnz)
	codes := randomWords(2, n*wordsOf(a.f)) // word t of all codes begins at t*n
	var weights []W
	if a.weights != datasets.Unit {
		weights = someWeights[W](n, a.small)
	}
	vector := func(word, from, to int) (c []uint64, w []W) {
		if weights != nil {
			w = weights[from:to]
		}
		return codes[word*n+from : word*n+to], w
	}
	oracle, inOrder := oracleFor[W](), a.naive || a.order == sequential
	t := windowsTrial(a, n,
		func(word, from, to int) uint64 { return sketch(vector(word, from, to)) },
		func(word, from, to int) uint64 {
			c, w := vector(word, from, to)
			return oracle(c, w, inOrder)
		})
	verify := t.verify
	t.verify = func() error {
		if c, w := orderMatters[W](); weights != nil && c != nil {
			if got, want := sketch(c, w), oracle(c, w, inOrder); got != want {
				return wrongAnswer{"order of summation", got, want}
			}
		}
		return verify()
	}
	return t
}

// orderMatters returns a vector whose fingerprint depends on the order of summation, or nil for
// integers. Feature by feature, big + 1 - big + 1 is 1, because rounding loses the first 1. In a
// group it is 0.
func orderMatters[W weight]() (codes []uint64, weights []W) {
	var big W
	switch b := any(&big).(type) {
	case *float32:
		*b = 1e8
	case *float64:
		*b = 1e17
	default:
		return nil, nil
	}
	return []uint64{1, 1, 1, 1}, []W{big, 1, -big, 1}
}

// minimaTrial times sketch, which computes a MinHash fingerprint from the keys of the features.
func minimaTrial(sketch func(fingerprint, keys []uint64), a accumulateCase) *trial {
	n := max(features, a.nnz)
	keys := randomWords(2, n)
	// byWord computes the fingerprint for its first word, and returns the others from memory.
	byWord := func(sketch func(fingerprint, keys []uint64)) func(word, from, to int) uint64 {
		fingerprint := make([]uint64, wordsOf(a.f))
		return func(word, from, to int) uint64 {
			if word == 0 {
				sketch(fingerprint, keys[from:to])
			}
			return fingerprint[word]
		}
	}
	return windowsTrial(a, n, byWord(sketch), byWord(minHashOracle))
}

// minimaSketcher returns a function that computes fingerprints of f bits from keys.
func minimaSketcher(f int) func(fingerprint, keys []uint64) {
	minima, scratch := make([][64]uint32, wordsOf(f)), new(minhash.Scratch)
	return func(fingerprint, keys []uint64) {
		minhash.Sketch(minima, keys, scratch)
		for t := range minima {
			fingerprint[t] = minhash.Bits(&minima[t])
		}
	}
}

// minHashOracle computes a MinHash fingerprint from the definition, lane by lane.
func minHashOracle(fingerprint, keys []uint64) {
	clear(fingerprint)
	lanes := uint64(64 * len(fingerprint))
	for lane := range lanes {
		least, a := uint32(math.MaxUint32), uint32(splitMix64(lane))|1
		for _, key := range keys {
			value := a*uint32(key)>>1 | 1<<31
			if key>>32*lanes>>32 == lane {
				value = uint32(key) >> 1
			}
			least = min(least, value)
		}
		fingerprint[lane/64] |= uint64((least^least>>15)*0x9E3779B1>>31) << (lane % 64)
	}
}

func splitMix64(state uint64) uint64 {
	z := state + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

type lane interface{ float32 | float64 | int64 }

// oracle64 computes 64 bits of a fingerprint from the definition. It adds groups of four features
// as (±w0 ±w1) + (±w2 ±w3), or single features if sequential. Nil weights are unit weights.
func oracle64[L lane, W weight](codes []uint64, weights []W, sequential bool) uint64 {
	group := 4
	if sequential {
		group = 1
	}
	var fingerprint uint64
	for j := range 64 {
		var sum L
		for i := 0; i < len(codes); i += group {
			var s [4]L
			for k := 0; k < group && i+k < len(codes); k++ {
				w := L(1)
				if weights != nil {
					w = L(weights[i+k])
				}
				signed := [2]L{-w, w}
				s[k] = signed[codes[i+k]>>j&1]
			}
			sum += (s[0] + s[1]) + (s[2] + s[3])
		}
		if sum > 0 {
			fingerprint |= 1 << j
		}
	}
	return fingerprint
}

// oracleFor returns oracle64 with the type of sums for weights of type W.
func oracleFor[W weight]() func(codes []uint64, weights []W, sequential bool) uint64 {
	switch any(W(0)).(type) {
	case float32:
		return oracle64[float32, W]
	case float64:
		return oracle64[float64, W]
	}
	return oracle64[int64, W]
}

type wrongAnswer struct {
	what      string // "vector 3 word 0", "key 7"
	got, want uint64
}

func (w wrongAnswer) Error() string {
	return fmt.Sprintf("wrong answer: %s: got %016x, expected %016x", w.what, w.got, w.want)
}
