package calibrate

import (
	"math"
	"testing"

	"simhashkit/datasets"
	"simhashkit/internal/binomial"
	"simhashkit/internal/testing/long"
)

// With fully independent pairs, each of two vectors of its own, the interval is that of that many
// independent cases.
func TestEstimateOfIndependentPairs(t *testing.T) {
	var p part
	for i := range 1000 {
		hit := i%5 == 0
		p.all++
		if hit {
			p.hits++
		}
		// of its two vectors
		for _, g := range []int{i % groups, (i + 1 + i/groups%(groups-1)) % groups} {
			p.allIn[g]++
			if hit {
				p.hitsIn[g]++
			}
		}
	}
	p.vectorsConcerned = 2000
	e := p.estimate()
	low, high := binomial.Wilson(0.2, 1000)
	if e.Value != 0.2 || math.Abs(e.Low-low) > 0.02 || math.Abs(e.High-high) > 0.02 {
		t.Errorf("%+v, want %v to %v", e, low, high)
	}
	if e := (part{all: 780, hits: 780, vectorsConcerned: 40}).estimate(); e.Low > 0.85 || e.High != 1 {
		t.Errorf("780 hits of 780 pairs of 40 vectors: %+v, which is surer than 20 independent pairs", e)
	}
	if e := (part{}).estimate(); e != (Estimate{}) {
		t.Errorf("nothing found: %+v", e)
	}
}

// The jackknife of a mean is its usual variance: that of the sample, over its size.
func TestVariance(t *testing.T) {
	p := part{all: groups}
	for g := range groups {
		p.allIn[g] = 1
		if g%4 == 0 {
			p.hits++
			p.hitsIn[g] = 1
		}
	}
	const share = 0.25
	if got, want := p.variance(share), share*(1-share)/(groups-1); math.Abs(got-want) > 1e-15 {
		t.Errorf("variance %v, want %v", got, want)
	}
}

// Intervals from samples of a collection contain the figures of the whole collection about as often
// as they say. Near-duplicates come in clusters here, in which one vector has a part in many pairs:
// intervals that took pairs for independent would fail.
func TestCoverage(t *testing.T) {
	long.Skip(t, "draws many cases")
	set := clusters(t)
	whole := measure(t, set, Options{Hash: family(t, "xxh64")})
	samples := 30
	if long.Enabled() {
		samples = 60
	}
	ks := []int{4, 8, 12}
	inside, half := map[int][2]int{}, map[int][2]float64{} // recall and precision
	for seed := range uint64(samples) {
		c := measure(t, set, Options{Hash: family(t, "xxh64"), Vectors: 800, Seed: seed})
		for _, k := range ks {
			truth, at := whole.Widths[1].Thresholds[k], c.Widths[1].Thresholds[k]
			n, h := inside[k], half[k]
			for i, pair := range [][2]Estimate{{truth.Recall, at.Recall}, {truth.Precision, at.Precision}} {
				if pair[1].Low <= pair[0].Value && pair[0].Value <= pair[1].High {
					n[i]++
				}
				h[i] += (pair[1].High - pair[1].Low) / 2 / float64(samples)
			}
			inside[k], half[k] = n, h
		}
	}
	for _, k := range ks {
		truth := whole.Widths[1].Thresholds[k]
		t.Logf("k = %d: recall %.3f ± %.3f in %d of %d intervals, precision %.3f ± %.3f in %d", k, truth.Recall.Value, half[k][0], inside[k][0], samples,
			truth.Precision.Value, half[k][1], inside[k][1])
		for i, n := range inside[k] {
			if n < samples*88/100 || half[k][i] > 0.2 {
				t.Errorf("k = %d: figure %d lies in %d of %d intervals of ± %.2f", k, i, n, samples, half[k][i])
			}
		}
	}
}

// clusters are 5,000 vectors in clusters of 1 to 40, whose members are variants of one vector, more
// alike in some clusters than in others.
func clusters(t *testing.T) datasets.CSR[float32] {
	t.Helper()
	var set datasets.CSR[float32]
	state := uint64(1)
	next := func(n uint64) uint64 {
		state = state*6364136223846793005 + 1442695040888963407
		return (state >> 33) % n
	}
	for set.Len() < 5000 {
		base := make([]uint64, 60)
		for i := range base {
			base[i] = next(5000)
		}
		changes := 2 + next(16)
		for range 1 + next(40) {
			weights := map[uint64]float32{}
			for i, index := range base {
				if next(60) < changes {
					index = next(5000)
				}
				weights[index] += float32(1 + i%3)
			}
			row := datasets.Row[float32]{}
			for index := range uint64(5000) {
				if w, ok := weights[index]; ok {
					row.Indices, row.Weights = append(row.Indices, index), append(row.Weights, w)
				}
			}
			if err := set.Append(&row); err != nil {
				t.Fatal(err)
			}
		}
	}
	return set
}
