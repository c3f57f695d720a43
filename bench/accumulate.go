package bench

import (
	"fmt"
	"strconv"

	"simhashkit/asm/accumulate"
	"simhashkit/bench/benchname"
	"simhashkit/bench/naive"
)

// features is how many different features Accumulate walks over: 24 KB of codes and float32 weights. With fewer, the branch predictor learns the naive loop.
const features = 2048

// accumulator is a way to turn 64-bit codes and weights into 64 signs.
type accumulator[W weight] func(codes []uint64, weights []W) uint64

func (g *grid) addAccumulates(p part) {
	for _, weights := range p.weights {
		for _, f := range p.bits {
			for _, nnz := range p.sizes {
				for _, v := range g.variants(p, accumulateTables[weights](), Naive) {
					g.put(Case{
						Name: benchname.New(Accumulate, "weights", weights, "f", strconv.Itoa(f), "kernel", v.kernel, "nnz", strconv.Itoa(nnz)),
						Unit: NanosecondsPerFeature,
						tier: v.tier,
						prepare: func(*Inputs) (*trial, error) {
							return accumulateTrialOf(weights, v.kernel == Naive, f, nnz), nil
						},
					})
				}
			}
		}
	}
}

func accumulateTrialOf(weights string, isNaive bool, f, nnz int) *trial {
	switch weights {
	case "unit":
		return accumulateTrial(unitAccumulator(isNaive), nil, isNaive, f, nnz)
	case "i32":
		return accumulateTrial(weightedAccumulator(accumulate.SketchI32, isNaive), someWeights[int32], isNaive, f, nnz)
	case "i64":
		return accumulateTrial(weightedAccumulator(accumulate.SketchI64, isNaive), someWeights[int64], isNaive, f, nnz)
	case "f32":
		return accumulateTrial(weightedAccumulator(accumulate.SketchF32, isNaive), someWeights[float32], isNaive, f, nnz)
	default:
		return accumulateTrial(weightedAccumulator(accumulate.SketchF64, isNaive), someWeights[float64], isNaive, f, nnz)
	}
}

// unitAccumulator has weights in its type for the sake of accumulateTrial; there are none.
func unitAccumulator(isNaive bool) accumulator[int64] {
	if isNaive {
		return naiveAccumulator[int64](true)
	}
	return func(codes []uint64, _ []int64) uint64 { return accumulate.SketchUnit(codes).Positive }
}

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

// windows walks over n features in steps of a vector's length, each time around a little later, so that the same vectors hardly ever come again.
type windows struct{ n, length, start, phase int }

func (w *windows) next() (from, to int) {
	from = w.start
	w.start += w.length
	if w.start+w.length > w.n {
		const step = 8 // vectors begin at a multiple of a cache line, as in a buffer of codes
		w.phase = (w.phase + step) % (w.n%w.length + 1) / step * step
		w.start = w.phase
	}
	return from, from + w.length
}

func accumulateTrial[W weight](sketch accumulator[W], makeWeights func(n int) []W, sequential bool, f, nnz int) *trial {
	words, n := wordsOf(f), max(features, nnz)
	codes := randomWords(2, n*words) // word t of all codes begins at t*n
	var weights []W
	if makeWeights != nil {
		weights = makeWeights(n)
	}
	weightsOf := func(from, to int) []W {
		if weights == nil {
			return nil
		}
		return weights[from:to]
	}
	w := windows{n: n, length: nnz}
	return &trial{
		per: nnz,
		loop: func(times int) {
			for range times {
				from, to := w.next()
				for t := range words {
					sink ^= sketch(codes[t*n+from:t*n+to], weightsOf(from, to))
				}
			}
		},
		verify: func() error {
			oracle, check := oracleFor[W](), windows{n: n, length: nnz}
			for i := range 100 {
				from, to := check.next()
				for t := range words {
					c := codes[t*n+from : t*n+to]
					got, want := sketch(c, weightsOf(from, to)), oracle(c, weightsOf(from, to), sequential)
					if got != want {
						return wrongAnswer{fmt.Sprintf("vector %d word %d", i, t), got, want}
					}
				}
			}
			return nil
		},
	}
}
