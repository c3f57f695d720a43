package quality

import (
	"slices"
	"testing"

	"simhashkit/internal/bench/terms"
)

// Different seeds give different vectors, indices, seeds of hashes and ideal bits, so that runs are
// independent. The same seed gives the same workload.
func TestAnotherSeedIsAnotherWorkload(t *testing.T) {
	of := map[string]func(w *Workload, keying int) []uint64{
		"positions": func(w *Workload, _ int) []uint64 { return w.set.positions },
		"indices": func(w *Workload, keying int) []uint64 {
			keys := make([]uint64, w.keys)
			w.indices(keys, keying, true)
			return keys
		},
		"seed of the hash": func(w *Workload, keying int) []uint64 { return []uint64{w.seedOf(Hash{Seeded: true}, keying)} },
		"ideal bits": func(w *Workload, keying int) []uint64 {
			codes := make([]uint64, w.keys)
			if err := w.idealCoder(64, 0)(codes, keying); err != nil {
				t.Fatal(err)
			}
			return codes
		},
		"ideal bits of another instance": func(w *Workload, keying int) []uint64 {
			codes := make([]uint64, w.keys)
			if err := w.idealCoder(64, 1)(codes, keying); err != nil {
				t.Fatal(err)
			}
			return codes
		},
	}
	seen := map[string][][]uint64{}
	for seed := range uint64(3) {
		o := WorkloadOptions{Pattern: terms.Uniform64, Weights: terms.Unit, Pairs: 5, Seed: seed}
		w, again := generate(t, o), generate(t, o)
		for what, f := range of {
			for keying := range 2 {
				got := f(w, keying)
				if !slices.Equal(got, f(again, keying)) {
					t.Errorf("%s: keying %d of seed %d differs between two workloads", what, keying, seed)
				}
				if what == "positions" && keying > 0 {
					continue // the vectors of all keyings are the same
				}
				for _, other := range seen[what] {
					if slices.Equal(got, other) {
						t.Errorf("%s: keying %d of seed %d equals another one", what, keying, seed)
					}
				}
				seen[what] = append(seen[what], got)
			}
		}
	}
	if slices.Equal(seen["ideal bits"][0], seen["ideal bits of another instance"][0]) {
		t.Error("two instances of the ideal source are the same")
	}
}
