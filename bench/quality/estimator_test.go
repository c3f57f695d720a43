package quality

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/testing/long"
)

// The interval covers the true ratio in about 95 of 100 runs, even if values are as skewed as the
// mean squared errors of few pairs.
func TestIntervalCovers(t *testing.T) {
	const keyings, ratio = 100, 3.0
	runs := max(100, 4*rounds(t, 1)) // 400 if FPHASH_QUALITY_ROUNDS=100
	// chi-squared values, like sums of that many squared errors
	for _, freedom := range []int{1, 4, 40} {
		below, above := 0, 0
		for run := range runs {
			r := newRandom(uint64(run), 50, uint64(freedom))
			a, b := make([]float64, keyings), make([]float64, keyings)
			for i := range a {
				a[i], b[i] = ratio*chiSquared(r, freedom), chiSquared(r, freedom)
			}
			switch interval := ratioInterval(a, b, 0, r); {
			case interval.High < ratio:
				below++
			case interval.Low > ratio:
				above++
			}
		}
		t.Logf("%d degrees of freedom: %d too low, %d too high, of %d", freedom, below, above, runs)
		if missed := below + above; missed < runs/100 || missed > runs/10 || below > 6*max(above, 2) || above > 6*max(below, 2) {
			t.Errorf("%d degrees of freedom: %d intervals are too low and %d too high, of %d", freedom, below, above, runs)
		}
	}
}

// For good and bad hashes, intervals cover the ratio of the errors over all seeds, although the
// errors depend on pairs as well as keyings. METHODOLOGY.md links results for 40 seeds and more
// kinds of weights.
func TestIntervalCoversBadHashes(t *testing.T) {
	long.Skip(t, "draws many cases")
	usual := 5
	if long.Enabled() {
		usual = 20
	}
	seeds := max(usual, rounds(t, 1))
	for _, c := range []struct {
		pattern string
		weights string
		hashes  []Hash
	}{
		{terms.Dense1e3, terms.Signed, []Hash{family(t, "fnv1a64", fphash.BE64), family(t, "fnv1a64", fphash.Dec), madeHash(64, 0, cleared(21)), madeHash(64, 1, copied(8)), madeHash(64, 2, nil)}},
		{terms.Consecutive, terms.Unit, []Hash{family(t, "fnv1a64", fphash.BE64), linearHash(), madeHash(64, 0, cleared(21)), madeHash(64, 2, nil)}},
	} {
		intervals, hashErrors, idealErrors := map[string][]Interval{}, map[string]float64{}, map[string]float64{}
		for seed := range seeds {
			// few pairs, so that their share of the error is large
			w := generate(t, WorkloadOptions{Pattern: c.pattern, Weights: c.weights, Pairs: 125, Seed: uint64(seed)})
			for i, h := range c.hashes {
				r := measure(t, w, h)
				for band, b := range map[string]Band{"all": r.All, "cos90": r.Cos90} {
					name := fmt.Sprint(c.pattern, " ", c.weights, ", hash ", i, " ", h.Name, " ", h.Encoding, " ", band)
					intervals[name] = append(intervals[name], b.Effective)
					hashErrors[name] += b.Hash.MSE
					idealErrors[name] += b.Ideal.MSE
				}
			}
		}
		for name, list := range intervals {
			truth, covered := 64*idealErrors[name]/hashErrors[name], 0
			for _, i := range list {
				if i.has(truth) {
					covered++
				}
			}
			t.Logf("%s: %.3g bits, %d of %d", name, truth, covered, seeds)
			if covered*100 < seeds*80 { // fewer than 16 of 20 have a chance of 1 in 400
				t.Errorf("%s: the intervals cover %.3g in %d of %d runs", name, truth, covered, seeds)
			}
		}
	}
}

// Intervals are as wide as effective bits vary between seeds. This holds for hashes with large
// errors on some pairs, and for pairs whose angles depend on chance because they have few features.
func TestIntervalsAreAsWideAsFiguresVary(t *testing.T) {
	long.Skip(t, "measures 120 times")
	for _, c := range []struct {
		pattern string
		weights string
	}{{terms.Dense1e3, terms.TFIDF}, {terms.Consecutive, terms.Unit}} {
		const seeds = 60
		var values, widths []float64
		for seed := range seeds {
			w := generate(t, WorkloadOptions{Pattern: c.pattern, Weights: c.weights, Pairs: 250, Keyings: 50, Seed: uint64(seed)})
			i := measure(t, w, family(t, "fnv1-64", fphash.BE64)).Cos90.Effective
			values = append(values, math.Log(i.Value))
			width := math.Log(i.High/i.Low) / (2 * 1.96)
			widths = append(widths, width*width)
		}
		deviation, width := math.Sqrt(summarise(values, nil).error2*seeds), math.Sqrt(summarise(widths, nil).mean)
		t.Logf("%s %s: effective bits vary by %.2f %%, intervals imply %.2f %%", c.pattern, c.weights, 100*deviation, 100*width)
		// the standard error of the deviation of 60 values is 9 %
		if part := width / deviation; part < 0.87 || part > 1.2 {
			t.Errorf("%s %s: effective bits vary by %.2f %%, intervals imply %.2f %%", c.pattern, c.weights, 100*deviation, 100*width)
		}
	}
}

// chiSquared adds squares of nearly normal numbers, which are sums of twelve uniform numbers.
func chiSquared(r random, freedom int) float64 {
	sum := 0.0
	for range freedom {
		x := -6.0
		for range 12 {
			x += float64(r.Uint64()>>11) / (1 << 53)
		}
		sum += x * x
	}
	return sum
}

func TestIntervalOfConstants(t *testing.T) {
	same := slices.Repeat([]float64{2}, 20)
	for name, i := range map[string]Interval{
		"both": ratioInterval(same, same, 0, newRandom(1, 2, 3)),
		"tiny": ratioInterval(slices.Repeat([]float64{2e-300}, 20), slices.Repeat([]float64{2e-300}, 20), 0, newRandom(1, 2, 3)),
	} {
		if math.Abs(i.Value-1) > 1e-12 || math.Abs(i.Low-1) > 1e-12 || math.Abs(i.High-1) > 1e-12 {
			t.Errorf("%s: %+v", name, i)
		}
	}
}
