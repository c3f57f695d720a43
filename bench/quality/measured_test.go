package quality

import (
	"slices"
	"testing"

	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/testing/long"
)

// The tests of this file check the measurement with sources of known quality. Their seeds are
// fixed, so their outcome never varies.

// On every pattern, the verdict on an ideal source is good in at least 95 of 100 runs, and its
// interval covers 64 about as often.
func TestIdealIsGood(t *testing.T) {
	n := rounds(t, 1)
	var runs, covered [2]int
	for p, pattern := range Patterns() {
		if !long.Enabled() && p%2 == 1 {
			continue // TestUnseededIdealIsGood takes these
		}
		good := 0
		for seed := range n {
			weights := Weights()[(seed+p)%len(Weights())]
			w := generate(t, WorkloadOptions{Pattern: pattern, Weights: weights, Seed: uint64(seed)})
			r := measure(t, w, madeHash(64, 0, nil))
			if r.Verdict == terms.Good {
				good++
			} else {
				t.Logf("%s %s seed %d: %s", pattern, weights, seed, r.Verdict)
			}
			for i, b := range []Band{r.All, r.Cos90} {
				runs[i]++
				if b.Effective.has(64) {
					covered[i]++
				}
			}
		}
		if good*100 < n*95 {
			t.Errorf("%s: good in %d of %d runs", pattern, good, n)
		}
	}
	for i, band := range []string{"all", "cos90"} {
		t.Logf("%s: the interval covers 64 in %d of %d runs", band, covered[i], runs[i])
		// The standard deviation of the share is 0.8 % for 700 runs. We allow four deviations, and
		// some error of the intervals.
		if share := float64(covered[i]) / float64(runs[i]); n >= 100 && (share < 0.91 || share > 0.985) {
			t.Errorf("%s: the interval covers 64 in %d of %d runs", band, covered[i], runs[i])
		}
		if runs[i]-covered[i] > max(2, runs[i]/10) {
			t.Errorf("%s: the interval covers 64 in %d of %d runs only", band, covered[i], runs[i])
		}
	}
}

// If a hash has m live bits and the others are copies, it has m effective bits. But 48 live bits
// fill 64 unevenly: 16 of them count twice, so there are 64^2/(32 + 16·2^2) = 42.7 effective bits.
// At a width of 192, all count four times.
func TestCopiedBitsRead(t *testing.T) {
	n := rounds(t, 1)
	cases := []struct {
		live, width int
		reads       float64
	}{{8, 64, 8}, {16, 64, 16}, {32, 64, 32}, {48, 192, 48}, {48, 64, 64. * 64 / 96}}
	if !long.Enabled() {
		cases = cases[3:]
	}
	missed := make([][2]int, len(cases))
	for seed := range n {
		// shared by all cases, because it caches the ideal source
		w := generate(t, WorkloadOptions{Pattern: terms.Uniform64, Weights: terms.Signed, Seed: uint64(seed)})
		for k, c := range cases {
			r := measure(t, w, madeHash(c.width, 1, copied(c.live)))
			for i, b := range []Band{r.All, r.Cos90} {
				if x := b.Effective.Value / c.reads; x < 0.94 || x > 1.06 {
					t.Errorf("%d live bits at a width of %d, band %d: %+v effective bits, want %.1f", c.live, c.width, i, b.Effective, c.reads)
				}
				if !b.Effective.has(c.reads) {
					missed[k][i]++
					t.Logf("%d live bits at a width of %d, band %d: %+v effective bits", c.live, c.width, i, b.Effective)
				}
			}
			if r.Verdict != terms.Weak || len(emptyBits(r)) != c.width-c.live {
				t.Errorf("%d live bits: %d dependent, %s", c.live, len(emptyBits(r)), r.Verdict)
			}
		}
	}
	total := [2]int{}
	for k, c := range cases {
		if allowed := max(1, n/8); missed[k][0] > allowed || missed[k][1] > allowed {
			t.Errorf("%d live bits at a width of %d: the interval misses %.1f in %d runs over all angles and %d at cosine 0.9, of %d", c.live, c.width, c.reads,
				missed[k][0], missed[k][1], n)
		}
		total[0] += missed[k][0]
		total[1] += missed[k][1]
	}
	// a single run of one case proves little, but all cases together do
	if allowed := max(1, n*len(cases)/8); total[0] > allowed || total[1] > allowed {
		t.Errorf("the intervals miss in %d runs over all angles and %d at cosine 0.9, of %d", total[0], total[1], n*len(cases))
	}
}

func TestDeadBits(t *testing.T) {
	w := generate(t, WorkloadOptions{Pattern: terms.Uniform64, Weights: terms.Unit})
	one := measure(t, w, madeHash(64, 0, cleared(1)))
	if v := one.Verdict; v != terms.Weak || !slices.Equal(one.Bit.Constant, []int{0}) {
		t.Errorf("one dead bit: %s", v)
	}
	many := measure(t, w, madeHash(64, 0, cleared(21)))
	if many.Verdict != terms.Weak || many.Cos90.Effective.High >= 57.6 || len(many.Bit.Constant) != 21 {
		t.Errorf("21 dead bits: %+v, %s", many.Cos90.Effective, many.Verdict)
	}
	// Dead bits cause the same error in every keying, which is bias, and reduce the variance.
	if b := many.All; b.Hash.Bias > -0.1 || b.VarianceRatio > 1 || b.Effective.Value > 20 {
		t.Errorf("21 dead bits over all angles: %+v", b)
	}
}

// The effective bits of FNV-1a depend on the encoding of the indices.
func TestFNVDependsOnIndices(t *testing.T) {
	consecutive := generate(t, WorkloadOptions{Pattern: terms.Consecutive, Weights: terms.Signed})
	r := measure(t, consecutive, family(t, "fnv1a64", fphash.Dec))
	if r.All.Effective.High >= 10 || r.Cos90.Effective.High >= 10 || r.Verdict != terms.Weak {
		t.Errorf("FNV-1a of decimal keys, consecutive: %+v, %+v, %s", r.All.Effective, r.Cos90.Effective, r.Verdict)
	}
	if good := measure(t, consecutive, family(t, "splitmix64", fphash.LE64)); good.Verdict != terms.Good {
		t.Errorf("SplitMix64: %s", good.Verdict)
	}
	dense := generate(t, WorkloadOptions{Pattern: terms.Dense1e3, Weights: terms.Unit})
	for encoding, limits := range [][2]float64{fphash.LE64: {50, 64}, fphash.BE64: {4, 8}, fphash.Dec: {6, 15}} {
		r := measure(t, dense, family(t, "fnv1a64", fphash.Encoding(encoding)))
		if x := r.All.Effective.Value; x < limits[0] || x > limits[1] {
			t.Errorf("FNV-1a, %v, dense: %.1f effective bits", fphash.Encoding(encoding), x)
		}
	}
}

// A linear hash has no constant or copied bits. But it has few effective bits, because the codes of
// a run span only seven or eight dimensions. With equal weights, almost none are left.
func TestLinearHash(t *testing.T) {
	linear := linearHash()
	r := measure(t, generate(t, WorkloadOptions{Pattern: terms.BitRev, Weights: terms.Signed}), linear)
	if empty := emptyBits(r); len(empty) > 0 {
		t.Errorf("bit tests find a defect: %v empty", empty)
	}
	if r.Verdict != terms.Weak || r.All.Effective.High > 57 || r.Cos90.Effective.High > 57 {
		t.Errorf("signed weights: %+v, %+v, %s", r.All.Effective, r.Cos90.Effective, r.Verdict)
	}
	r = measure(t, generate(t, WorkloadOptions{Pattern: terms.BitRev, Weights: terms.Unit}), linear)
	if empty := emptyBits(r); len(empty) > 0 {
		t.Errorf("bit tests find a defect: %v empty", empty)
	}
	if r.Verdict != terms.Weak || r.All.Effective.High > 8 {
		t.Errorf("unit weights: %+v, %s", r.All.Effective, r.Verdict)
	}
}

// A constant bit makes a hash weak even with one pair or one keying.
func TestConstantBitsAreWeakOnFewPairs(t *testing.T) {
	for _, o := range []WorkloadOptions{{Keyings: 1}, {Pairs: 1}, {Pairs: 1, Keyings: 1}} {
		o.Pattern, o.Weights = terms.Uniform64, terms.Unit
		if v := measure(t, generate(t, o), madeHash(64, 0, cleared(1))).Verdict; v != terms.Weak {
			t.Errorf("%d pairs, %d keyings: %s", o.Pairs, o.Keyings, v)
		}
	}
}

// Without enough data, the verdict is undecided.
func TestUndecided(t *testing.T) {
	ideal := madeHash(64, 0, nil)
	for _, c := range []struct {
		name    string
		options WorkloadOptions
		hash    Hash
	}{
		{"few keyings", WorkloadOptions{Keyings: 99}, ideal},
		{"one keying", WorkloadOptions{Keyings: 1}, ideal},
		{"few pairs", WorkloadOptions{Pairs: 40}, ideal},
		{"one pair", WorkloadOptions{Pairs: 1}, ideal},
		{"wide interval", WorkloadOptions{Pairs: 100, Pattern: terms.Dense1e3}, madeHash(64, 5, func(code []uint64) {
			// three times in four, the low twelve bits are copies of the next twelve
			copied := 0xfff &^ ((code[0] >> 30) & (code[0] >> 45))
			code[0] = code[0]&^copied | code[0]>>12&copied
		})},
	} {
		c.options.Weights = terms.Unit
		if c.options.Pattern == "" {
			c.options.Pattern = terms.Uniform64
		}
		if v := measure(t, generate(t, c.options), c.hash).Verdict; v != terms.Undecided {
			t.Errorf("%s: %s", c.name, v)
		}
	}
}
