package quality

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/testing/long"
)

// set returns a CSR of rows of indices. Without weights, they are unit weights.
func set(rows [][]uint64, weights ...float32) *datasets.CSR[float32] {
	s := &datasets.CSR[float32]{Offsets: []int{0}}
	for _, row := range rows {
		s.Indices = append(s.Indices, row...)
		s.Offsets = append(s.Offsets, len(s.Indices))
	}
	if len(weights) > 0 {
		s.Weights = weights
	}
	return s
}

// FromVectors finds planted near-duplicates with their exact angles, and the verdicts are right.
func TestRealVectors(t *testing.T) {
	made, _, err := datasets.Generate[float32](t.Context(), datasets.GenerateOptions{
		Vectors: 1000, NNZ: 60, Dimensions: 1 << 20, Weights: "tfidf",
		Duplicates: []datasets.PlantedPairs{{Cosine: 0.95, Pairs: 60}, {Cosine: 0.7, Pairs: 60}, {Cosine: 0.4, Pairs: 60}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w, err := FromVectors(t.Context(), &made, WorkloadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all, near := bandPairs(w)
	if all < 300 || near < 55 || w.Pattern() != terms.Data || w.options.Weights != "f32" || w.given != 1000 || w.set.len() != 2000 {
		t.Errorf("%d pairs, %d near, %s, %s, %d vectors", all, near, w.Pattern(), w.options.Weights, w.set.len())
	}
	edits := 0
	for _, p := range w.pairs {
		if p.b >= 1000 {
			edits++
			continue
		}
		ai, aw := made.Row(p.a)
		bi, bw := made.Row(p.b)
		if c := datasets.Cosine(ai, aw, bi, bw); math.Abs(c-p.cosine) > 1e-12 || math.Abs(math.Cos(p.angle)-c) > 1e-9 {
			t.Fatalf("vectors %d and %d: cosine %v and angle %v, want %v", p.a, p.b, p.cosine, p.angle, c)
		}
	}
	if edits < 300 || edits == len(w.pairs) {
		t.Errorf("%d of %d pairs are edits", edits, len(w.pairs))
	}
	if v := measure(t, w, family(t, "xxh64", fphash.LE64)).Verdict; v != terms.Good {
		t.Errorf("xxh64: %s", v)
	}
	if v := measure(t, w, family(t, "fnv1a64", fphash.BE64)).Verdict; v != terms.Weak {
		t.Errorf("FNV-1a of big-endian keys: %s", v)
	}
}

// Vectors that do not differ are an error. Two different vectors are enough for a verdict.
func TestVectorsWithoutPairs(t *testing.T) {
	for name, s := range map[string]*datasets.CSR[float32]{
		"nothing":   {},
		"one":       set([][]uint64{{1, 2, 3}}),
		"no length": set([][]uint64{{1}, {2}, {}, {3}}, 0, 0, 0),
		"all empty": set(make([][]uint64, 50)),
		"one index": set([][]uint64{{5}, {5}, {5}}),
	} {
		if _, err := FromVectors(t.Context(), s, WorkloadOptions{}); err == nil || !strings.Contains(err.Error(), "no two of them differ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	var long [2][]uint64
	for i := range uint64(60) {
		long[i%2] = append(long[i%2], i)
	}
	right := make([][]uint64, 100)
	for i := range right {
		right[i] = []uint64{uint64(3 * i), uint64(3*i + 1)}
	}
	for name, rows := range map[string][][]uint64{"two": long[:], "right angles": right} {
		w, err := FromVectors(t.Context(), set(rows), WorkloadOptions{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if v := measure(t, w, family(t, "xxh64", fphash.LE64)).Verdict; v != terms.Good {
			t.Errorf("%s, xxh64: %s", name, v)
		}
		if v := measure(t, w, family(t, "fnv1a64", fphash.BE64)).Verdict; v != terms.Weak {
			t.Errorf("%s, FNV-1a of big-endian keys: %s", name, v)
		}
	}
}

func TestVectorsAreChecked(t *testing.T) {
	for _, x := range []float32{float32(math.NaN()), float32(math.Inf(-1))} {
		if _, err := FromVectors(t.Context(), set([][]uint64{{1}, {2}}, 1, x), WorkloadOptions{}); err == nil || !strings.Contains(err.Error(), "vector 2") {
			t.Errorf("weight %v: %v", x, err)
		}
	}
	if _, err := FromVectors(t.Context(), &datasets.CSR[float32]{Offsets: []int{0, 3}, Indices: []uint64{1}}, WorkloadOptions{}); err == nil {
		t.Error("no error for offsets beyond the indices")
	}
	if _, err := FromVectors(t.Context(), set(nil), WorkloadOptions{Keyings: -1}); err == nil {
		t.Error("no error for -1 keyings")
	}
}

// Repeated features are added up, weights of 1 are unit weights, and the greatest index is allowed.
func TestVectorsAsGiven(t *testing.T) {
	rows := make([][]uint64, 60)
	r := newRandom(1, 1, 1)
	for i := range rows {
		for range 20 {
			rows[i] = append(rows[i], math.MaxUint64-r.below(40))
		}
	}
	unit, err := FromVectors(t.Context(), set(rows), WorkloadOptions{Keyings: 12})
	if err != nil {
		t.Fatal(err)
	}
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		t.Fatal(err)
	}
	h := family(t, "xxh64", fphash.LE64)
	table, sketcher, err := newTable(unit.keys, 64, true)
	if err != nil {
		t.Fatal(err)
	}
	function, err := h.New(0)
	if err != nil {
		t.Fatal(err)
	}
	keys := make([]uint64, unit.keys)
	unit.indices(keys, 0, false)
	if err := function(table.codes, keys); err != nil {
		t.Fatal(err)
	}
	got, _, err := sketchAll(unit.sketch, unit.rows, sketcher, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		want, _, err := fphash.AppendUnit(s, nil, row)
		if err != nil || want[0] != got[i] {
			t.Fatalf("vector %d: %016x, want %016x (%v)", i, got[i], want[0], err)
		}
	}
	unit.indices(keys, 5, false)
	seen := map[uint64]bool{}
	for _, k := range keys {
		seen[k] = true
	}
	if len(seen) != unit.keys {
		t.Errorf("with an offset, only %d of %d indices are different", len(seen), unit.keys)
	}
	ones, err := FromVectors(t.Context(), set([][]uint64{{1, 2}, {3}}, 1, 1, 1), WorkloadOptions{})
	if err != nil || ones.options.Weights != terms.Unit {
		t.Errorf("ones are %s (%v)", ones.options.Weights, err)
	}
}

// Real data sets have enough pairs: web addresses at all angles, and mass spectra, which one peak
// dominates.
func TestRealData(t *testing.T) {
	long.Skip(t, "reads and searches large files")
	for _, c := range []struct {
		file      string
		all, near int
	}{{"sparse/url_Instances_1000.svm.gz", 600, 400}, {"sparse/massbank_A.svm.gz", 600, 400}} {
		data, _, err := datasets.Load[float32](t.Context(), sharedData(t, c.file), datasets.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		w, err := FromVectors(t.Context(), &data, WorkloadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if all, near := bandPairs(w); all < c.all || near < c.near {
			t.Errorf("%s: %d pairs, %d near", c.file, all, near)
		}
		if v := measure(t, w, family(t, "xxh64", fphash.LE64)).Verdict; v != terms.Good {
			t.Errorf("%s, xxh64: %s", c.file, v)
		}
		if v := measure(t, w, family(t, "fnv1a64", fphash.BE64)).Verdict; v != terms.Weak {
			t.Errorf("%s, FNV-1a of big-endian keys: %s", c.file, v)
		}
	}
}

// A cancelled context ends the search for pairs.
func TestFromVectorsEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	rows := make([][]uint64, 50)
	for i := range rows {
		rows[i] = []uint64{uint64(i), 7}
	}
	if _, err := FromVectors(ctx, set(rows), WorkloadOptions{}); !errors.Is(err, stop) {
		t.Errorf("%v, want %v", err, stop)
	}
}
