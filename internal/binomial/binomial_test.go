package binomial

import (
	"math"
	"math/bits"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// AtMost gives the binomial distribution, even if single probabilities underflow.
func TestAtMost(t *testing.T) {
	for _, f := range []int{1, 8, 64, 100, 4096} {
		got := make([]float64, f+1)
		for _, p := range []float64{0, 1e-9, 0.01, 0.144, 0.5, 0.9, 1} {
			AtMost(got, p)
			for _, k := range []int{0, 1, 3, f / 8, f / 2, f - 1, f} {
				if k < 0 || k > f {
					continue
				}
				want := 1.0
				if k < f {
					want = distuv.Binomial{N: float64(f), P: p}.CDF(float64(k))
				}
				if math.Abs(got[k]-want) > 1e-9 {
					t.Errorf("f = %d, p = %v: at most %d has probability %v, want %v", f, p, k, got[k], want)
				}
			}
		}
	}
	// Often quoted probabilities of d <= 3 by cosine.
	got := make([]float64, 65)
	for cosine, want := range map[float64]float64{0.99: 0.67, 0.98: 0.41, 0.95: 0.10, 0.90: 0.013} {
		if AtMost(got, math.Acos(cosine)/math.Pi); math.Abs(got[3]-want) > 0.05*want {
			t.Errorf("d <= 3 at cosine %v: %v, want %v", cosine, got[3], want)
		}
	}
}

// Choose and Ball equal the counts from enumerating subsets.
func TestBall(t *testing.T) {
	const n = 12
	for k := range n + 2 {
		exactly, most := 0, 0
		for x := range uint(1 << n) {
			if ones := bits.OnesCount(x); ones == k {
				exactly++
			}
			if bits.OnesCount(x) <= k {
				most++
			}
		}
		if got := Choose(n, k); math.Abs(got-float64(exactly)) > 1e-9 {
			t.Errorf("%v ways to choose %d of %d, expected %d", got, k, n, exactly)
		}
		if got := Ball(n, k); math.Abs(got-float64(most)) > 1e-9 {
			t.Errorf("%v ways to differ in at most %d of %d bits, expected %d", got, k, n, most)
		}
	}
}

// Known values: Newcombe 1998, table I, the score method: 81 of 263 and 0 of 20.
func TestWilson(t *testing.T) {
	for _, tc := range []struct{ hits, n, low, high float64 }{{81, 263, 0.2553, 0.3662}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, {29, 29, 0.8830, 1}} {
		if low, high := Wilson(tc.hits/tc.n, tc.n); math.Abs(low-tc.low) > 5e-5 || math.Abs(high-tc.high) > 5e-5 {
			t.Errorf("%v of %v: %.4f to %.4f, want %v to %v", tc.hits, tc.n, low, high, tc.low, tc.high)
		}
	}
}
