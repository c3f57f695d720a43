package paired

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b float64) bool {
	return a == b || !math.IsInf(a-b, 0) && math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

// enumerated computes the p value by its definition: it exchanges the figures of the rounds in all
// possible ways, and computes the sum of the ranks of new in each case.
func enumerated(old, new []float64) float64 {
	all := slices.Concat(old, new)
	doubledRank := func(v float64) (rank int) { // equal figures have the mean rank
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

// The figures have ties within and between rounds.
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
		// The ranks are 1 2, 3 6 and 5 4, with differences 1, 3, -1. Of the 8 sums ±1±3±1, these
		// are at least 3 away from 0: 5, 3, 3, -3, -3, -5.
		{"one of three against", []float64{1, 3, 5}, []float64{2, 6, 4}, 6.0 / 8},
		{"equal", []float64{1, 2, 3}, []float64{1, 2, 3}, 1},
		{"equal but for one", []float64{1, 2, 3}, []float64{1, 2, 4}, 1},
	} {
		if got := newRounds(tc.old, tc.new).p(0, stepsOfTest); !near(got, tc.want) {
			t.Errorf("%s: p %v, want %v", tc.name, got, tc.want)
		}
	}
}

// The normal approximation has a continuity correction, since sums are integers.
func TestNormalTailOfFewSums(t *testing.T) {
	for _, n := range []int{12, 40, 101} {
		weights := slices.Repeat([]int{1}, n)
		for sum := n / 4; sum < n/2; sum++ {
			if exact, normal := exactTail(weights, sum), normalTail(weights, sum); exact > 0.01 && math.Abs(normal/exact-1) > 0.05 {
				t.Errorf("at most %d of %d: %v, by the normal distribution %v", sum, n, exact, normal)
			}
		}
	}
}

// The normal approximation gives p values that are at least as large as the exact ones, so it does
// not cause false alarms.
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

// drawn returns rounds of figures from -most to most. It does not use logarithms, which would not
// be exact.
func drawn(t *rapid.T, least int) (r rounds, differences []float64) {
	n := rapid.IntRange(least, 12).Draw(t, "rounds")
	most := rapid.SampledFrom([]int{1, 5, 1 << 20}).Draw(t, "most")
	figures := rapid.SliceOfN(rapid.IntRange(-most, most), 2*n, 2*n).Draw(t, "figures")
	r.relative = func(d float64) float64 { return d }
	for i := range n {
		r.old, r.new = append(r.old, side{float64(figures[2*i]), i}), append(r.new, side{float64(figures[2*i+1]), i})
	}
	for _, a := range r.old {
		for _, b := range r.new {
			differences = append(differences, b.figure-a.figure)
		}
	}
	slices.Sort(differences)
	for _, s := range [][]side{r.old, r.new} {
		slices.SortFunc(s, func(a, b side) int { return int(a.figure - b.figure) })
	}
	return r, differences
}

func median(samples []float64) float64 {
	x := slices.Sorted(slices.Values(samples))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

func TestDifferencesInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, want := drawn(t, 1)
		for i, w := range want {
			if got := r.difference(i); got != w || got == 0 && math.Signbit(got) {
				t.Fatalf("difference %d is %v, want %v", i, got, w)
			}
		}
		if got, want := r.shift(), median(want); got != want {
			t.Fatalf("shift %v, want %v", got, want)
		}
	})
}

// The test rejects all shifts outside the interval, and no shift inside it that is beyond the
// neighbours of the bounds.
func TestIntervalIsWhatTheTestKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, differences := drawn(t, MinRounds)
		const level = 0.05
		lo, hi := r.interval(level)
		distinct := slices.Compact(slices.Clone(differences))
		for i, d := range distinct {
			shifts := []float64{d}
			if i > 0 {
				shifts = append(shifts, (distinct[i-1]+d)/2)
			}
			for _, shift := range shifts {
				p := r.p(shift, math.MaxInt)
				if p > level && (shift < lo || shift > hi) {
					t.Fatalf("a shift of %v has p %v, and is not in the interval from %v to %v", shift, p, lo, hi)
				}
			}
		}
		for _, bound := range []float64{lo, hi} {
			if p := r.p(bound, math.MaxInt); p > level && bound != distinct[0] && bound != distinct[len(distinct)-1] {
				t.Fatalf("interval from %v to %v: p at the bound %v is %v", lo, hi, bound, p)
			}
		}
	})
}

func TestIntervalNeedsRounds(t *testing.T) {
	for n := 1; n < 12; n++ {
		var old, new []float64
		for i := range n {
			old, new = append(old, float64(100+7*i*i)), append(new, float64(103+5*i))
		}
		lo, hi := newRounds(old, new).interval(1 - Confidence)
		if finite := !math.IsInf(lo, 0) && !math.IsInf(hi, 0); finite != (n >= MinRounds) {
			t.Errorf("%d rounds: from %v to %v; MinRounds is %d", n, lo, hi, MinRounds)
		}
	}
}

// The interval contains the true change as often as its confidence level states, and 80% of the
// changes of the detectable size are found.
func TestCoverageAndPower(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range slices.Sorted(maps.Keys(noises)) {
		noise := noises[name]
		// noise with few values has few widths of intervals
		lumpy := name == "modes" || name == "steps"
		for _, n := range []int{8, 20, 60} {
			const level = 0.01
			const trials = 300
			covered, found := 0, 0
			var detectable []float64
			draw := func(shift float64) rounds {
				a, b := make([]float64, n), make([]float64, n)
				for i := range n {
					a[i], b[i] = math.Exp(noise(random)), math.Exp(noise(random)+shift)
				}
				return newRounds(a, b)
			}
			for range trials {
				r := draw(0.05)
				lo, hi := r.interval(1 - Confidence)
				// with discrete noise, a bound often equals the change
				if lo <= 0.05+1e-12 && 0.05-1e-12 <= hi {
					covered++
				}
				detectable = append(detectable, r.detectable(level, (hi-lo)/2))
			}
			for range trials {
				if draw(median(detectable)).p(0, stepsOfTest) <= level {
					found++
				}
			}
			t.Logf("%-9s %2d rounds: covered %.1f%%, detectable %.3f, found %.1f%%", name, n, 100*float64(covered)/trials, median(detectable), 100*float64(found)/trials)
			if covered < trials*92/100 {
				t.Errorf("%s, %d rounds: %d of %d intervals of 95%% contain the change", name, n, covered, trials)
			}
			if n > 8 && !lumpy && (found < trials*65/100 || found > trials*97/100) {
				t.Errorf("%s, %d rounds: %d of %d changes of the detectable size are found", name, n, found, trials)
			}
		}
	}
}
