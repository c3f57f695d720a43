package quality

import (
	"fmt"
	"testing"

	"simhashkit/datasets"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/testing/long"
)

// unseeded returns a hash without seeds, like most hashes of users. Its bits are fair and
// independent: it is ChaCha8 keyed by the index.
func unseeded(instance uint64, change func(code []uint64)) Hash {
	return OfFunc("unseeded", 64, func(dst, keys []uint64) error {
		for i, key := range keys {
			code := []uint64{newRandom(key, 98, instance).Uint64()}
			if change != nil {
				change(code)
			}
			dst[i] = code[0]
		}
		return nil
	})
}

// The verdict on an ideal source without seeds is good on every pattern, although its keyings
// differ only in their index maps.
func TestUnseededIdealIsGood(t *testing.T) {
	long.Skip(t, "draws many cases")
	n := rounds(t, 1)
	var total coverage
	for p, pattern := range Patterns() {
		if !long.Enabled() && p%2 == 0 {
			continue // TestIdealIsGood takes these
		}
		var c coverage
		for seed := range n {
			w := generate(t, WorkloadOptions{Pattern: pattern, Weights: Weights()[(seed+p)%len(Weights())], Seed: uint64(seed)})
			c.count(t, measure(t, w, unseeded(uint64(seed), nil)))
		}
		c.log(t, string(pattern))
		c.check(t, string(pattern))
		total.add(c)
	}
	total.check(t, "all patterns")
}

// The verdict is also good on real vectors of few dimensions, where index maps with similar offsets
// would overlap.
func TestUnseededIdealOnFewDimensions(t *testing.T) {
	n := rounds(t, 2)
	var total coverage
	for _, dimensions := range []int{3, 5, 20, 30, 100} {
		var c coverage
		for seed := range n {
			w, err := FromVectors(t.Context(), fewDimensions(t, dimensions, uint64(seed)), WorkloadOptions{Seed: uint64(seed)})
			if err != nil {
				t.Fatalf("%d dimensions: %v", dimensions, err)
			}
			c.count(t, measure(t, w, unseeded(uint64(seed), nil)))
		}
		c.log(t, fmt.Sprint(dimensions, " dimensions"))
		c.check(t, fmt.Sprint(dimensions, " dimensions"))
		total.add(c)
	}
	total.check(t, "all dimensions")
}

// fewDimensions returns 300 vectors with normally distributed weights and indices from 1. Every
// other vector is the one before, turned by some angle.
func fewDimensions(t *testing.T, dimensions int, seed uint64) *datasets.CSR[float32] {
	t.Helper()
	r := newRandom(seed, 97, uint64(dimensions))
	rows := make([][]uint64, 300)
	var weights []float32
	x, other := make([]float64, dimensions), make([]float64, dimensions)
	for i := range rows {
		if fillWeights(other, terms.Signed, r); i%2 == 0 {
			fillWeights(x, terms.Signed, r)
		}
		for j := range dimensions {
			rows[i] = append(rows[i], uint64(j+1))
			if i%2 == 0 {
				weights = append(weights, float32(x[j]))
			} else {
				weights = append(weights, float32(x[j]+other[j]*float64(i)/150))
			}
		}
	}
	return set(rows, weights...)
}

// coverage counts runs, verdicts, and intervals that cover the width.
type coverage struct{ runs, good, weak, all, cos90 int }

func (c *coverage) count(t *testing.T, r *Result) {
	c.runs++
	switch r.Verdict {
	case terms.Good:
		c.good++
	case terms.Weak:
		c.weak++
	}
	if r.All.Effective.has(float64(r.Bits)) {
		c.all++
	}
	if r.Cos90.Effective.has(float64(r.Bits)) {
		c.cos90++
	}
	if r.Verdict != terms.Good {
		t.Logf("%s: %+v, %+v", r.Verdict, r.All.Effective, r.Cos90.Effective)
	}
}

func (c *coverage) add(d coverage) {
	c.runs += d.runs
	c.good += d.good
	c.weak += d.weak
	c.all += d.all
	c.cos90 += d.cos90
}

func (c *coverage) log(t *testing.T, where string) {
	t.Helper()
	t.Logf("%s: good %d, weak %d, intervals over all angles and at cosine 0.9 cover %d and %d, of %d runs", where, c.good, c.weak, c.all, c.cos90, c.runs)
}

// check allows intervals to miss in 16 % of the runs, or twice in few runs: 95 % intervals miss
// once in twenty, and more often if pairs are few and have few features.
func (c *coverage) check(t *testing.T, where string) {
	t.Helper()
	if c.weak > 0 {
		t.Errorf("%s: an ideal source is weak in %d of %d runs", where, c.weak, c.runs)
	}
	if allowed := max(2, c.runs*16/100); c.runs-c.all > allowed || c.runs-c.cos90 > allowed {
		t.Errorf("%s: the intervals cover 64 in %d and %d of %d runs only", where, c.all, c.cos90, c.runs)
	}
}
