package join

import (
	"math/big"
	"testing"
)

// Threshold is the smallest k by exact summation.
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

// Texts that have a share s of their words in common, by 1-bit MinHash of single words, with a
// third more for words that repeat.
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
