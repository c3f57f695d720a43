package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

func caseOf(t *testing.T, hash, weights string, bits, features int) Case {
	t.Helper()
	family, err := fphash.Lookup(hash)
	if err != nil {
		t.Fatal(err)
	}
	return Case{Family: family, Weights: weights, Bits: bits, Features: features}
}

func measured(t *testing.T, c Case, pairs int) *Result {
	t.Helper()
	r, err := c.Measure(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// expectation is what METHODOLOGY.md has of pairs of one cosine: what is found by Ways, and how
// many times the error by sums is that by the distance.
type expectation struct {
	found [4]float64
	times float64
	bias  float64 // of the estimate by sums
}

// What the suite's 20,000 pairs give, 1,000 of them give within 4 standard deviations.
func TestFigures(t *testing.T) {
	for _, tc := range []struct {
		Case
		want map[string]expectation
	}{
		{caseOf(t, "xxh64", LogNormal, 64, 100), map[string]expectation{
			"0.98": {[4]float64{0.42, 0.79, 0.95, 0.94}, 1.65, 0},
			"0.95": {[4]float64{0.11, 0.38, 0.61, 0.59}, 1.52, 0},
			"0.90": {[4]float64{0.02, 0.10, 0.19, 0.19}, 1.41, 0},
		}},
		{caseOf(t, "xxh64", LogNormal, 64, 10), map[string]expectation{"0.95": {[4]float64{0.20, 0.48, 0.69, 0.68}, 1.47, 0.006}}},
		{caseOf(t, "xxh64", datasets.Unit, 64, 100), map[string]expectation{"0.95": {[4]float64{0.11, 0.39, 0.52, 0.55}, 1.41, -0.001}}},
		{caseOf(t, "xxh64", Outlier, 64, 100), map[string]expectation{
			"0.95": {[4]float64{0.91, 0.98, 0.99, 0.99}, 1.13, 0.038},
			"0.80": {[4]float64{0.60, 0.87, 0.82, 0.93}, 1.41, 0.114},
		}},
		{caseOf(t, "md5", LogNormal, 128, 100), map[string]expectation{"0.95": {[4]float64{0.03, 0.27, 0.56, 0.55}, 1.48, 0.001}}},
	} {
		const pairs = 1000
		r := measured(t, tc.Case, pairs)
		for i, cosine := range Cosines {
			want, ok := tc.want[cosine]
			if !ok {
				continue
			}
			at := r.At[i]
			for w, share := range want.found {
				if math.Abs(at.Found[w]-share) > 4*math.Sqrt(share*(1-share)/pairs)+0.005 {
					t.Errorf("%s at cosine %s: %v found, expected about %v", tc.Name(), cosine, at.Found, want.found)
				}
			}
			if times := at.ByDistance.RMSE / at.BySums.RMSE; math.Abs(times/want.times-1) > 0.12 || math.Abs(at.BySums.Bias-want.bias) > 0.006 {
				t.Errorf("%s at cosine %s: errors %+v and %+v, expected the first %v times as great, and a bias of %v", tc.Name(), cosine, at.ByDistance, at.BySums, want.times, want.bias)
			}
		}
	}
}

// Rows are the same in every run and whatever the kernel.
func TestRowsDoNotDependOnKernels(t *testing.T) {
	for _, c := range []Case{caseOf(t, "xxh64", LogNormal, 64, 100), caseOf(t, "md5", Outlier, 128, 10)} {
		want := Rows(c, measured(t, c, 50))
		former, err := cpu.SetTier(cpu.Generic)
		if err != nil {
			t.Fatal(err)
		}
		got := Rows(c, measured(t, c, 50))
		if _, err := cpu.SetTier(former); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the generic kernels give others (-want +got):\n%s", c.Name(), diff)
		}
	}
}

// Every row has a name that can be taken apart, of its own, and one finite figure of each unit.
func TestRows(t *testing.T) {
	c := caseOf(t, "xxh64", datasets.Unit, 64, 100)
	units := map[string]int{}
	seen := map[string]bool{}
	var names []string
	for _, r := range Rows(c, measured(t, c, 50)) {
		if _, err := benchname.Parse(r.Name); err != nil || len(r.Samples) != 1 || math.IsNaN(r.Samples[0].Value) || seen[r.Name+r.Unit] {
			t.Errorf("row %+v, error %v", r, err)
		}
		seen[r.Name+r.Unit] = true
		units[r.Unit]++
		names = append(names, r.Name)
	}
	if diff := cmp.Diff(map[string]int{"recall": 20, "pairs": 20, "cosine-rmse": 10, "cosine-bias": 10, "strangers": 4}, units); diff != "" {
		t.Errorf("rows by unit (-want +got):\n%s", diff)
	}
	for _, want := range []string{
		"Unsure/hash=xxh64/weights=unit/f=64/nnz=100/cosine=0.98/k=3",
		"Unsure/hash=xxh64/weights=unit/f=64/nnz=100/cosine=0.98/t=8/k=3",
		"Unsure/hash=xxh64/weights=unit/f=64/nnz=100/cosine=0.98/t=4/masks=2/k=3",
		"Unsure/hash=xxh64/weights=unit/f=64/nnz=100/cosine=0.98/by=sums",
		"Unsure/hash=xxh64/weights=unit/f=64/nnz=100/k=5",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no row %s", want)
		}
	}
}

func TestMeasureFails(t *testing.T) {
	if _, err := caseOf(t, "xxh64", datasets.Unit, 128, 100).Measure(t.Context(), 1); err == nil {
		t.Error("128 bits of a hash of 64: no error")
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := caseOf(t, "xxh64", datasets.Unit, 64, 100).Measure(ctx, 1); !errors.Is(err, stop) {
		t.Errorf("error %v, expected that of the context", err)
	}
}

// The chance of a stranger follows from that of a bit: at a k where strangers are seen it is their
// part, whatever the masks.
func TestStrangers(t *testing.T) {
	for _, way := range []Way{{K: 26}, {Ignored: 8, K: 22}, {Ignored: 8, Both: true, K: 19}} {
		t.Run(fmt.Sprint(way), func(t *testing.T) {
			m, err := caseOf(t, "xxh64", datasets.Unit, 64, 100).measurement(t.Context(), 2000, []Way{way})
			if err != nil {
				t.Fatal(err)
			}
			seen, pairs := 0, 0
			for i := range m.queries {
				for j := range i {
					distance, _ := m.distance(0, m.queries[i], m.queries[j])
					pairs++
					if distance <= way.K {
						seen++
					}
				}
			}
			got, want := m.strangers()[0], float64(seen)/float64(pairs)
			if math.Abs(got/want-1) > 0.03 {
				t.Errorf("chance %v, but %v of the strangers are found", got, want)
			}
		})
	}
}
