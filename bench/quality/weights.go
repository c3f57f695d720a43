package quality

import (
	"math"
	"math/bits"

	"simhashkit/datasets"
)

// Weights says what the weights of a workload look like.
type Weights string

// The kinds of weights. All are made of integers, so that they are the same on every machine.
const (
	Unit Weights = datasets.Unit // all 1
	// whole numbers, half of them 1, a quarter 2 and so on, at most 16; int32
	Counts Weights = "counts"
	// a count times a factor between 1 and 10, in steps of 1/1024; float32
	TFIDF Weights = "tfidf"
	// bell-shaped about 0, within ±2 in steps of 1/1024; both vectors of a pair have the same
	// features, at 0 to 180 degrees; float32
	Signed Weights = "signed"
	// TFIDF with one weight that is as long as all others together (its square is the sum of
	// theirs); float32
	Dominated Weights = "dominated"
)

// AllWeights returns the kinds of weights that Generate knows. Given vectors have others: unit,
// i32, i64, f32 or f64; see FromVectors.
func AllWeights() []Weights { return []Weights{Unit, Counts, TFIDF, Signed, Dominated} }

// ParseWeights returns the kind of weights of that name.
func ParseWeights(name string) (Weights, error) {
	return parse("kind of weights", Weights(name), AllWeights())
}

const quantum = 1.0 / 1024

// fill stores weights; a dominating one comes first.
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
			sum := 1 - 2*1024 // of four numbers below 1,024, about their mean, and never 0
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

// most is the greatest angle between vectors of such weights, in radians.
func (w Weights) most() float64 {
	if w == Signed {
		return math.Pi
	}
	return math.Pi / 2
}
