package binomial

import (
	"math"
	"math/big"
	"math/bits"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// AtMost gives the binomial distribution, even if single probabilities underflow.
func TestAtMost(t *testing.T) {
	for _, f := range []int{1, 8, 64, 100, 4096} {
		for _, p := range []float64{0, 1e-9, 0.01, 0.144, 0.5, 0.9, 1} {
			got := AtMost(f, p)
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
	for cosine, want := range map[float64]float64{0.99: 0.67, 0.98: 0.41, 0.95: 0.10, 0.90: 0.013} {
		if got := AtMost(64, math.Acos(cosine)/math.Pi); math.Abs(got[3]-want) > 0.05*want {
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

// Threshold returns the smallest k, by exact summation.
func TestThreshold(t *testing.T) {
	for _, bits := range []int{1, 2, 63, 64, 128, 256} {
		for _, differ := range []float64{0.001, 0.0643, 0.123, 0.225, 0.45, 0.9} {
			atMost := exactlyAtMost(bits, differ)
			for _, recall := range []float64{0.01, 0.5, 0.9, 0.99, 0.999} {
				want := 0
				for atMost[want].Cmp(big.NewFloat(recall)) < 0 {
					want++
				}
				if got := Threshold(bits, differ, recall); got != want {
					t.Errorf("%d bits, %v, recall %v: %d, expected %d", bits, differ, recall, got, want)
				}
			}
		}
	}
	for _, c := range []struct {
		differ, recall float64
		want           int
	}{{0, 0.99, 0}, {1, 0.99, 64}, {0.5, 0, 0}} {
		if got := Threshold(64, c.differ, c.recall); got != c.want {
			t.Errorf("%v, recall %v: %d, expected %d", c.differ, c.recall, got, c.want)
		}
	}
}

// exactlyAtMost returns the probabilities that at most 0, 1, … of the bits differ, with 300 bits of
// precision.
func exactlyAtMost(bits int, differ float64) (atMost []*big.Float) {
	float := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	p, sum := float(differ), float(0)
	q := new(big.Float).Sub(float(1), p)
	for k := range bits + 1 {
		term := float(0).SetInt(new(big.Int).Binomial(int64(bits), int64(k)))
		for range k {
			term.Mul(term, p)
		}
		for range bits - k {
			term.Mul(term, q)
		}
		sum = float(0).Add(sum, term)
		atMost = append(atMost, sum)
	}
	return atMost
}

// Thresholds for texts that share the share s of their words, with 1-bit MinHash of single words,
// and a third more differing bits for repeated words.
func TestThresholdsOfSimilarities(t *testing.T) {
	for _, c := range []struct {
		similarity   float64
		of128, of256 int
	}{{0.95, 15, 26}, {0.9, 25, 44}, {0.8, 40, 74}, {0.7, 52, 97}} {
		jaccard := c.similarity / (2 - c.similarity)
		differ := 1.35 * (1 - jaccard) / 2
		if k, k2 := Threshold(128, differ, 0.99), Threshold(256, differ, 0.99); k != c.of128 || k2 != c.of256 {
			t.Errorf("similarity %v, bits differ with %.4f: k = %d of 128 and %d of 256, expected %d and %d", c.similarity, differ, k, k2, c.of128, c.of256)
		}
	}
}

// Threshold panics with a message for values out of range.
func TestThresholdOutOfRange(t *testing.T) {
	for _, c := range []struct {
		bits           int
		differ, recall float64
	}{{-1, 0.1, 0.9}, {0, 0.1, 0.9}, {64, -0.1, 0.9}, {64, 0.1, 1.1}, {64, math.NaN(), 0.9}, {64, 0.1, math.NaN()}} {
		func() {
			defer func() {
				if reason, ok := recover().(string); !ok || !strings.HasPrefix(reason, "binomial: Threshold(") {
					t.Errorf("%v: panic %v", c, reason)
				}
			}()
			t.Errorf("%v: no panic, but %d", c, Threshold(c.bits, c.differ, c.recall))
		}()
	}
}
