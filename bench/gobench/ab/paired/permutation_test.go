package paired

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b float64) bool {
	return a == b || !math.IsInf(a-b, 0) && math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

// enumerated is the p value by its definition: every round with its figures this or the other way
// round, and the sum of the ranks of new in each case.
func enumerated(old, new []float64) float64 {
	all := slices.Concat(old, new)
	doubledRank := func(v float64) (rank int) { // of equal figures the mean
		for _, w := range all {
			switch {
			case w < v:
				rank += 2
			case w == v:
				rank++
			}
		}
		return rank + 1
	}
	n := len(old)
	away := func(exchanged int) int {
		sum := 0
		for i := range n {
			v := new[i]
			if exchanged>>i&1 == 1 {
				v = old[i]
			}
			sum += doubledRank(v)
		}
		expected := n * (2*n + 1) // twice n times the mean rank of 2n figures
		return max(sum-expected, expected-sum)
	}
	seen, extreme := away(0), 0
	for exchanged := range 1 << n {
		if away(exchanged) >= seen {
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<n)
}

// With ties within rounds and between them.
func TestPIsThatOfAllExchanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "rounds")
		most := rapid.SampledFrom([]int{1, 3, 10, 1000}).Draw(t, "most")
		figures := rapid.SliceOfN(rapid.IntRange(1, most), 2*n, 2*n).Draw(t, "figures")
		var old, new []float64
		for i := range n {
			old, new = append(old, float64(figures[2*i])), append(new, float64(figures[2*i+1]))
		}
		if got, want := newRounds(old, new).p(0, stepsOfTest), enumerated(old, new); !near(got, want) {
			t.Fatalf("p %v, want %v", got, want)
		}
	})
}

func TestPByHand(t *testing.T) {
	for _, tc := range []struct {
		name     string
		old, new []float64
		want     float64
	}{
		{"all one way", []float64{1, 2, 3, 4}, []float64{5, 6, 7, 8}, 2.0 / 16},
		{"all the other way", []float64{5, 6, 7, 8}, []float64{1, 2, 3, 4}, 2.0 / 16},
		// Ranks 1 2 and 3 6 and 5 4: differences 1, 3, -1. Of the 8 sums of ±1±3±1 as far from 0 as
		// 3 or more: 5, 3, 3, -3, -3, -5.
		{"one of three against", []float64{1, 3, 5}, []float64{2, 6, 4}, 6.0 / 8},
		{"equal", []float64{1, 2, 3}, []float64{1, 2, 3}, 1},
		{"equal but for one", []float64{1, 2, 3}, []float64{1, 2, 4}, 1},
	} {
		if got := newRounds(tc.old, tc.new).p(0, stepsOfTest); !near(got, tc.want) {
			t.Errorf("%s: p %v, want %v", tc.name, got, tc.want)
		}
	}
}

// Sums are whole numbers, so the normal distribution counts each as what is within a half of it.
func TestNormalTailOfFewSums(t *testing.T) {
	for _, n := range []int{12, 40, 101} {
		weights := slices.Repeat([]int{1}, n)
		for sum := n / 4; sum < n/2; sum++ {
			if exact, normal := exactTail(weights, sum), normalTail(weights, sum); exact > 0.01 && math.Abs(normal/exact-1) > 0.05 {
				t.Errorf("at most %d of %d coins: %v, by the normal distribution %v", sum, n, exact, normal)
			}
		}
	}
}

// The normal distribution takes over where its p is larger, if anything: it does not raise alarms.
func TestNormalTail(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{50, 100, 200} {
		for _, shift := range []float64{0, 0.2, 0.4, 0.6} {
			old, new := make([]float64, n), make([]float64, n)
			for i := range n {
				old[i], new[i] = math.Exp(random.NormFloat64()), math.Exp(random.NormFloat64()+shift)
			}
			r := newRounds(old, new)
			exact, normal := r.p(0, math.MaxInt), r.p(0, 0)
			if normal < 0.98*exact || normal > 1.05*exact && exact > 0.01 {
				t.Errorf("%d rounds, shift %v: p %v, by the normal distribution %v", n, shift, exact, normal)
			}
		}
	}
}
