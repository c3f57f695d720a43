package quality

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/asm/cpu"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
)

// Sketching positions with a table of codes gives the same fingerprints as a Sketcher on the
// indices themselves.
func TestSketchesAreThoseOfFphash(t *testing.T) {
	for _, c := range []struct {
		hash     string
		encoding fphash.Encoding
		bits     int
		widen    fphash.Widen
	}{
		{"xxh64", fphash.LE64, 64, fphash.WidenNone}, {"fnv1a64", fphash.BE64, 33, fphash.WidenNone}, {"md5", fphash.Dec, 100, fphash.WidenNone},
		{"highway64", fphash.Dec, 64, fphash.WidenNone}, {"splitmix64", fphash.LE64, 160, fphash.WidenReseed}, {"sha256", fphash.BE64, 64, fphash.WidenNone},
	} {
		for _, weights := range Weights() {
			w := generate(t, WorkloadOptions{Pattern: terms.Consecutive, Weights: weights, Pairs: 20})
			f, err := fphash.Lookup(c.hash)
			if err != nil {
				t.Fatal(err)
			}
			h, err := OfFamily(f, c.encoding, c.bits, c.widen)
			if err != nil {
				t.Fatal(err)
			}
			table, sketcher, err := newTable(w.keys, c.bits, true)
			if err != nil {
				t.Fatal(err)
			}
			code := w.coderOf(h)
			for keying := range 2 {
				if err := code(table.codes, keying); err != nil {
					t.Fatal(err)
				}
				got, _, err := sketchAll(w.sketch, w.rows, sketcher, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				s, err := fphash.New(fphash.Definition{Hash: c.hash, Encoding: c.encoding, Bits: c.bits, Widen: c.widen, Float32: true, Seed: w.seedOf(h, keying)})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(directly(t, w, s, keying), got); diff != "" {
					t.Fatalf("%+v, %s: -fphash +quality\n%s", c, weights, diff)
				}
			}
		}
	}
}

// directly sketches the workload's vectors with the indices of a keying.
func directly(t *testing.T, w *Workload, s *fphash.Sketcher, keying int) []uint64 {
	t.Helper()
	index := make([]uint64, w.keys)
	w.indices(index, keying, true)
	var words []uint64
	for i := range w.set.len() {
		var indices []uint64
		var weights []float32
		for j := w.set.offsets[i]; j < w.set.offsets[i+1]; j++ {
			indices, weights = append(indices, index[w.set.positions[j]]), append(weights, float32(w.set.weights[j]))
		}
		var err error
		// sums of whole numbers are exact in every type
		if w.options.Weights == terms.Unit || w.options.Weights == terms.Counts {
			words, _, err = fphash.Append(s, words, indices, converted[int64](w.set.weights[w.set.offsets[i]:w.set.offsets[i+1]]))
		} else {
			words, _, err = fphash.Append(s, words, indices, weights)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return words
}

// Each keying flips the signs of half of the features, the same in all vectors, and the distances
// equal those that fphash gives for the flipped weights.
func TestSignsOfAKeying(t *testing.T) {
	for _, bits := range []int{33, 64, 100} {
		w := generate(t, WorkloadOptions{Pattern: terms.Dense1e3, Weights: terms.Signed, Pairs: 20, Keyings: 12})
		f, err := fphash.Lookup("md5")
		if err != nil {
			t.Fatal(err)
		}
		h, err := OfFamily(f, fphash.LE64, bits, fphash.WidenNone)
		if err != nil {
			t.Fatal(err)
		}
		observed, err := w.observe(bits, 0, func() coder { return w.coderOf(h) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := fphash.New(fphash.Definition{Hash: "md5", Bits: bits, Float32: true})
		if err != nil {
			t.Fatal(err)
		}
		weights := slices.Clone(w.set.weights)
		turned := 0
		for keying := range w.options.Keyings {
			signs := w.signs(keying)
			for i, position := range w.set.positions {
				if w.set.weights[i] = weights[i]; signs[position] {
					w.set.weights[i] = -weights[i]
					turned++
				}
			}
			prints := directly(t, w, s, keying)
			for i, p := range w.pairs {
				if got, want := observed.angles.of(keying)[i], math.Pi*float64(distance(prints, wordsOf(bits), p.couple))/float64(bits)-p.angle; math.Abs(got-want) > 1e-12 {
					t.Fatalf("%d bits, keying %d, pair %d: error %v, want %v", bits, keying, i, got, want)
				}
			}
		}
		if share := float64(turned) / float64(len(weights)*w.options.Keyings); share < 0.45 || share > 0.55 {
			t.Errorf("%.3f of the weights have a flipped sign", share)
		}
	}
}

// A result does not depend on kernels or on workers.
func TestSameEverywhere(t *testing.T) {
	before := cpu.Active()
	t.Cleanup(func() { cpu.SetTier(before) })
	for _, weights := range []string{terms.Unit, terms.TFIDF, terms.Signed} {
		var want *Result
		for _, tier := range cpu.Supported() {
			if _, err := cpu.SetTier(tier); err != nil {
				t.Fatal(err)
			}
			for workers := 1; workers < 4; workers += 2 {
				w := generate(t, WorkloadOptions{Pattern: terms.Dense1e3, Weights: weights, Keyings: 20, Pairs: 200})
				got, err := w.Measure(family(t, "fnv1a64", fphash.LE64), workers)
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = got
				} else if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%s, tier %s, %d workers: %s", weights, tier, workers, diff)
				}
			}
		}
	}
}

// Results are the same on all architectures to 8 digits. The expected values were computed on
// amd64.
func TestFrozenFigures(t *testing.T) {
	for _, c := range []struct {
		pattern string
		weights string
		hash    string
		want    string
	}{
		{terms.Uniform1e7, terms.Unit, "xxh64",
			"6.5587207e+01 6.3458947e+01 6.7612930e+01 3.3716441e-04 9.7557187e-01 6.4051973e+01 6.1997469e+01 6.6142129e+01 2.8732566e-04 1.0056932e+00"},
		{terms.Dense1e3, terms.TFIDF, "fnv1a64",
			"6.1595427e+01 5.9955421e+01 6.3379256e+01 1.3759116e-03 1.0062765e+00 6.2815463e+01 6.0627728e+01 6.5203246e+01 3.4650962e-04 1.0126711e+00"},
		{terms.Consecutive, terms.Signed, "fnv1a64",
			"6.3649359e+01 6.1876455e+01 6.5699577e+01 2.8468821e-04 1.0035440e+00 6.4473240e+01 6.2252136e+01 6.6896907e+01 1.0957595e-04 9.8967095e-01"},
		{terms.Pow2, terms.Dominated, "highway64",
			"6.2494345e+01 6.0564534e+01 6.4783085e+01 7.6333960e-03 1.0245050e+00 6.3806061e+01 6.1781557e+01 6.5835060e+01 1.2632814e-03 1.0074440e+00"},
		{terms.BitRev, terms.Counts, "splitmix64",
			"6.3748149e+01 6.1741617e+01 6.5742447e+01 3.0482584e-04 1.0067170e+00 6.4672275e+01 6.2802578e+01 6.6744525e+01 2.0337462e-04 9.9444638e-01"},
	} {
		w := generate(t, WorkloadOptions{Pattern: c.pattern, Weights: c.weights, Pairs: 300})
		r := measure(t, w, family(t, c.hash, fphash.LE64))
		got := ""
		for _, b := range []Band{r.All, r.Cos90} {
			got += fmt.Sprintf(" %.7e %.7e %.7e %.7e %.7e", b.Effective.Value, b.Effective.Low, b.Effective.High, b.Hash.Bias2, b.VarianceRatio)
		}
		if got = got[1:]; got != c.want {
			t.Errorf("%s %s %s:\n got %s\nwant %s", c.pattern, c.weights, c.hash, got, c.want)
		}
	}
}

// Bias2 and Variance add up to the mean squared error, and effective bits are the ratio of such
// errors.
func TestErrorsAddUp(t *testing.T) {
	w := generate(t, WorkloadOptions{Pattern: terms.Strided, Weights: terms.Dominated, Pairs: 200})
	h := family(t, "fnv1a64", fphash.BE64)
	o, err := w.observe(64, 0, func() coder { return w.coderOf(h) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := measure(t, w, h)
	members := w.members(func(p pair) bool { return p.cosine >= 0.9 })
	mean := 0.0
	for k := range w.options.Keyings {
		for _, i := range members {
			e := o.angles.of(k)[i]
			mean += e * e / float64(len(members)*w.options.Keyings)
		}
	}
	b := r.Cos90
	if math.Abs(b.Hash.MSE/mean-1) > 1e-12 || math.Abs(b.Hash.Bias2+b.Hash.Variance-b.Hash.MSE) > 1e-15 || b.Hash.Bias == 0 {
		t.Errorf("%+v, but the mean squared error is %v", b.Hash, mean)
	}
	if got := 64 * b.Ideal.MSE / b.Hash.MSE; math.Abs(got/b.Effective.Value-1) > 1e-12 || !b.Effective.has(got) {
		t.Errorf("effective bits %+v, want %v", b.Effective, got)
	}
}
