package paired

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawn returns rounds of figures from -most to most, as differences of figures: not of logarithms,
// which would not be exact.
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

// What lies beyond the interval, at the bounds or between two differences, is rejected, and so is
// nothing that lies further within than the bounds' neighbours.
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

// The interval holds the true change as often as it says, and 80% of the changes that are as large
// as what is said to be detectable are found.
func TestCoverageAndPower(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range slices.Sorted(maps.Keys(noises)) {
		noise := noises[name]
		// what has few values has few interval widths too
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
				// of steps, bounds are often the change itself
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
				t.Errorf("%s, %d rounds: %d of %d intervals of 95%% hold the change", name, n, covered, trials)
			}
			if n > 8 && !lumpy && (found < trials*65/100 || found > trials*97/100) {
				t.Errorf("%s, %d rounds: %d of %d changes of the detectable size are found", name, n, found, trials)
			}
		}
	}
}
