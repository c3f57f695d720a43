package quality

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
)

// Feature hashing with independent fair bits has the error of the closed form, for products and for
// norms, at both sizes, and with a dominating weight.
func TestIdealBuckets(t *testing.T) {
	for i, c := range []struct {
		size    int
		weights string
	}{{1 << 10, terms.Unit}, {1 << 10, terms.Dominated}, {1 << 18, terms.Unit}} {
		w := generate(t, WorkloadOptions{Pattern: []string{terms.Uniform64, terms.Dense1e3, terms.Uniform64}[i], Weights: c.weights, Sketch: terms.Hashing, Size: c.size, Seed: 2})
		r := measure(t, w, madeHash(64, uint64(i), nil))
		for name, b := range map[string]Band{"products": r.All, "norms": r.Cos90} {
			t.Logf("%d buckets, %s weights, %s: %+v", c.size, c.weights, name, b.Effective)
			if off := b.Effective.Value/float64(c.size) - 1; !b.Defined || math.Abs(off) > 0.12 || !b.Effective.has(float64(c.size)) {
				t.Errorf("%d buckets, %s weights, %s: %+v", c.size, c.weights, name, b.Effective)
			}
		}
		if r.Verdict == terms.Weak || r.Verdict != terms.Good && c.weights == terms.Unit {
			t.Errorf("%d buckets, %s weights: %s", c.size, c.weights, r.Verdict)
		}
	}
}

// MinHash whose lanes are independent random functions has the error of the closed form.
func TestIdealMinHash(t *testing.T) {
	w := generate(t, WorkloadOptions{Pattern: terms.Uniform64, Weights: terms.Unit, Sketch: terms.MinHash, Pairs: 200, Keyings: 20})
	targets := w.targets()
	ideal, measured, similar := 0.0, 0.0, 0
	for k := range w.options.Keyings {
		r := newRandom(1, 99, uint64(k))
		distances := make([]int, len(targets))
		lane := make([]uint64, w.keys)
		for range w.options.Size {
			r.fill(lane)
			least := func(a int) uint64 {
				m := ^uint64(0)
				for _, p := range w.set.positions[w.set.offsets[a]:w.set.offsets[a+1]] {
					m = min(m, lane[p])
				}
				return m
			}
			for i, target := range targets {
				distances[i] += int((least(target.a) ^ least(target.b)) & 1)
			}
		}
		for i, target := range targets {
			e := 1 - 2*float64(distances[i])/float64(w.options.Size) - target.exact
			ideal, measured = ideal+target.ideal, measured+e*e
		}
	}
	if ratio := measured / ideal; math.Abs(ratio-1) > 0.1 {
		t.Errorf("mean squared error is %.3f of the closed form", ratio)
	}
	for _, target := range targets {
		if target.inNext {
			similar++
		}
	}
	if similar < 80 {
		t.Errorf("%d pairs at J of 0.8 and above", similar)
	}
}

// Half of the buckets, or a quarter of the bits, are found.
func TestWorseSketchesAreFound(t *testing.T) {
	half := madeHash(64, 7, func(code []uint64) { code[0] &^= 1 << 4 })
	w := generate(t, WorkloadOptions{Pattern: terms.Dense1e3, Weights: terms.Unit, Sketch: terms.Hashing})
	if r := measure(t, w, half); r.Verdict != terms.Weak || math.Abs(r.All.Effective.Value-512) > 70 || math.Abs(r.Cos90.Effective.Value-512) > 70 {
		t.Errorf("half of the buckets: %+v, %+v: %s", r.All.Effective, r.Cos90.Effective, r.Verdict)
	}
	w = generate(t, WorkloadOptions{Pattern: terms.Dense1e3, Weights: terms.Unit, Sketch: terms.MinHash})
	few := madeHash(64, 7, func(code []uint64) { code[0] &= 0xFF }) // 256 codes for 1,000 keys
	if r := measure(t, w, few); r.Verdict != terms.Weak || r.All.Effective.High > 40 {
		t.Errorf("256 codes: %+v: %s", r.All.Effective, r.Verdict)
	}
	// The lanes divide the features among them, so fair codes have smaller errors than independent
	// lanes. A good hash is as good as fair codes, not better.
	fair := measure(t, w, madeHash(64, 7, nil)).All.Effective
	if fair.Low < 64 || fair.High > 78 {
		t.Errorf("fair codes: %+v", fair)
	}
	t.Logf("fair codes: %+v", fair)
	for _, name := range []string{"xxh64", "md5", "splitmix64"} {
		family, err := fphash.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		h, err := OfFamily(family, fphash.LE64, 64, fphash.WidenNone)
		if err != nil {
			t.Fatal(err)
		}
		if got := measure(t, w, h).All.Effective; got.Low > fair.High || got.High < fair.Low {
			t.Errorf("%s: %+v, fair codes: %+v", name, got, fair)
		}
	}
}

// Stored normal entries are as good as an ideal source; sums of few constant entries are not.
func TestEntries(t *testing.T) {
	w := generate(t, WorkloadOptions{Pattern: terms.Dense1e3, Weights: terms.Unit, Pairs: 300, Keyings: 30})
	entries := func(change func(x float32) float32) Hash {
		h := madeHash(64, 3, nil)
		h.Entries = func(seed uint64, n, bits int) []float32 {
			r, list := newRandom(seed, 98, 0), make([]float32, n*bits)
			for i := range list {
				sum := -6.0
				for range 12 {
					sum += float64(r.below(1<<20)) / (1 << 20)
				}
				list[i] = change(float32(sum))
			}
			return list
		}
		return h
	}
	good := measure(t, w, entries(func(x float32) float32 { return x }))
	bad := measure(t, w, entries(func(x float32) float32 { return x + 0.5 }))
	if good.All.Effective.Value < 57 || bad.All.Effective.Value > 40 {
		t.Errorf("normal entries: %+v; entries with a mean of 0.5: %+v", good.All.Effective, bad.All.Effective)
	}
}

// Package terms describes every pattern, and knows which have strings as keys.
func TestPatternsAreDescribed(t *testing.T) {
	for _, p := range slices.Concat(Patterns(), terms.StringPatterns(), []string{terms.ListedKeys}) {
		if words := terms.Keys("", p); words == terms.Keys("", terms.Data) {
			t.Errorf("%s has no description", p)
		}
		if ofStrings := p == terms.ListedKeys || KeysOf(p) != nil; terms.OfStrings(p) != ofStrings {
			t.Errorf("%s: keys are strings: %v, want %v", p, !ofStrings, ofStrings)
		}
	}
}

func TestKeysOfPatterns(t *testing.T) {
	for _, p := range terms.StringPatterns() {
		keys := KeysOf(p)
		if sorted := slices.Compact(slices.Sorted(slices.Values(keys))); len(keys) != listedKeys || len(sorted) != listedKeys {
			t.Errorf("%s: %d keys, %d different", p, len(keys), len(sorted))
		}
		family, err := fphash.Lookup("xxh64")
		if err != nil {
			t.Fatal(err)
		}
		h, err := OfListedKeys(family, 64, fphash.WidenNone, keys)
		if err != nil {
			t.Fatal(err)
		}
		for _, sketch := range terms.Sketches() {
			w := generate(t, WorkloadOptions{Pattern: p, Weights: terms.Unit, Sketch: sketch, Keyings: 20, Pairs: 300})
			if r := measure(t, w, h); r.All.Effective.Value < 0.75*float64(r.Bits) {
				t.Errorf("%s of xxh64 on %s: %+v", sketch, p, r.All.Effective)
			}
		}
	}
	if KeysOf(terms.Dense1e3) != nil || fmt.Sprint(vocabulary()[:3]) == fmt.Sprint(vocabulary()[3:6]) {
		t.Error("a pattern of indices has strings")
	}
}

func TestSketchOptions(t *testing.T) {
	for want, o := range map[string]WorkloadOptions{
		"unknown sketch":       {Sketch: "bloom"},
		"power of two":         {Sketch: terms.Hashing, Size: 1000},
		"MinHash with tfidf":   {Sketch: terms.MinHash, Weights: terms.TFIDF},
		"and these have 32":    {Sketch: terms.MinHash},
		"and a sign need 19 b": {Sketch: terms.Hashing, Size: 1 << 18},
	} {
		o.Pattern = terms.Dense1e3
		if o.Weights == "" {
			o.Weights = terms.Unit
		}
		w, err := Generate(o)
		if err == nil {
			bits := 32
			if o.Sketch == terms.Hashing {
				bits = 16
			}
			_, err = w.Measure(madeHash(bits, 0, nil), 1)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
