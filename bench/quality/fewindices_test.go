package quality

import (
	"math"
	"slices"
	"testing"

	"simhashkit/internal/bench/terms"
)

// Constant and copied bits are found even if each keying has few keys, and if a bit's constant
// value depends on the seed.
func TestDeadBitsOnFewIndices(t *testing.T) {
	for _, dimensions := range []int{2, 5, 20, 63} {
		w, err := FromVectors(t.Context(), fewDimensions(t, dimensions, 1), WorkloadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		// The seed determines bit 7, and whether bit 9 is bit 8 or its complement.
		bySeed := madeHash(64, 3, nil)
		plain := bySeed.New
		bySeed.New = func(seed uint64) (Codes, error) {
			codes, err := plain(seed)
			return func(dst, keys []uint64) error {
				err := codes(dst, keys)
				for i, code := range dst {
					code = code&^(1<<7|1<<9) | seed&(1<<7) | (code<<1^seed)&(1<<9)
					dst[i] = code
				}
				return err
			}, err
		}
		for name, c := range map[string]struct {
			hash             Hash
			constant, copied []int
		}{
			"ideal":          {hash: madeHash(64, 0, nil)},
			"unseeded":       {hash: unseeded(0, nil)},
			"dead":           {hash: madeHash(64, 0, cleared(1)), constant: []int{0}},
			"dead, no seeds": {hash: unseeded(0, cleared(2)), constant: []int{0, 1}},
			"copy":           {hash: unseeded(0, func(code []uint64) { code[0] = code[0]&^2 | code[0]&1<<1 }), copied: []int{1}},
			"complement":     {hash: unseeded(0, func(code []uint64) { code[0] = code[0]&^2 | ^code[0]&1<<1 }), copied: []int{1}},
			"by seed":        {hash: bySeed, constant: []int{7}, copied: []int{9}},
		} {
			r := measure(t, w, c.hash)
			if !r.Bit.Tested || !slices.Equal(r.Bit.Constant, c.constant) || !slices.Equal(r.Bit.Copied, c.copied) {
				t.Errorf("%d dimensions, %s: tested %v, constant %v, copied %v", dimensions, name, r.Bit.Tested, r.Bit.Constant, r.Bit.Copied)
			}
			faulty := len(c.constant)+len(c.copied) > 0
			if j := r.Verdict; faulty && j != terms.Weak || !faulty && j == terms.Weak {
				t.Errorf("%d dimensions, %s: %s", dimensions, name, r.Verdict)
			}
		}
	}
}

// A hash whose bits were not tested is undecided, not good.
func TestUntestedIsUndecided(t *testing.T) {
	w := generate(t, WorkloadOptions{Pattern: terms.Uniform64, Weights: terms.Unit})
	r := measure(t, w, madeHash(64, 0, nil))
	if r.Verdict != terms.Good {
		t.Fatal(r.Verdict)
	}
	r.Bit, r.Keys = BitQuality{}, 1
	if v := judge(r); v != terms.Undecided {
		t.Errorf("untested: %s", v)
	}
	w, err := FromVectors(t.Context(), set(slices.Repeat([][]uint64{{5}}, 40), slices.Repeat([]float32{1, -1}, 20)...), WorkloadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r := measure(t, w, madeHash(64, 0, nil)); r.Bit.Tested || r.Verdict != terms.Undecided {
		t.Errorf("one index: tested %v, %s", r.Bit.Tested, r.Verdict)
	}
}

// Index maps keep the differences between indices, and two maps share hardly any index.
func TestOffsetsAreApart(t *testing.T) {
	for name, index := range map[string]func(i int) uint64{
		"from 1":             func(i int) uint64 { return uint64(i) + 1 },
		"steps":              func(i int) uint64 { return uint64(i) * 1000 },
		"all over the range": func(i int) uint64 { return uint64(i) << 54 },
		"at the upper end":   func(i int) uint64 { return math.MaxUint64 - uint64(i) },
		"at both ends":       func(i int) uint64 { return uint64(i/2) - uint64(i%2)*500 },
	} {
		for _, n := range []int{3, 30, 1000} {
			rows := make([][]uint64, 20)
			for i := range n {
				rows[i%20] = append(rows[i%20], index(i))
			}
			w, err := FromVectors(t.Context(), set(rows), WorkloadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			first, keys, seen := make([]uint64, w.keys), make([]uint64, w.keys), map[uint64]int{}
			w.indices(first, 0, false)
			for keying := range 100 {
				w.indices(keys, keying, false)
				for i, k := range keys {
					seen[k]++
					if k-keys[0] != first[i]-first[0] {
						t.Fatalf("%s: keying %d moves index %d by %d, but the first by %d", name, keying, i, k-first[i], keys[0]-first[0])
					}
				}
			}
			if all := 100 * w.keys; w.keys != n || len(seen) < all*95/100 {
				t.Errorf("%s: %d different indices of %d in 100 keyings", name, len(seen), all)
			}
		}
	}
}

// With many indices, the range of offsets exceeds 10^7, so that two index maps share at most one
// index in a hundred on average. It is at least the range of the indices.
func TestOffsetsAreFarEnough(t *testing.T) {
	for _, c := range []struct {
		n     int
		apart uint64
		want  uint64
	}{{3, 1, 1e7}, {3, 1e9, 2e9}, {100_000, 1, 1e7}, {100_001, 1, 10_000_100}, {1_000_000, 1, 1e8}, {1_000_000, 1000, 999_999_000}} {
		indices := make([]uint64, c.n)
		for i := range indices {
			indices[i] = uint64(i) * c.apart
		}
		got := offsetRange(indices)
		if got != c.want {
			t.Errorf("%d indices, each %d from the next: offsets below %d, want %d", c.n, c.apart, got, c.want)
		}
		if shared := float64(c.n) / float64(got); shared > 0.01 {
			t.Errorf("%d indices, each %d from the next: index maps share %.3g of their indices", c.n, c.apart, shared)
		}
	}
}

// If pairs have the same distance in nearly every keying, the band is not defined, but their number
// is reported.
func TestPairsWithoutError(t *testing.T) {
	r := newRandom(1, 96, 0)
	rows, weights := make([][]uint64, 80), []float32{}
	x := make([]float64, 30)
	for i := range rows {
		if i%2 == 0 {
			for j := range x { // not multiples of a common quantum, because such sums might be 0
				x[j] = float64(r.Uint64()>>11)/(1<<53) - 0.5
			}
		} else {
			x[0] += 1e-5
		}
		for j := range x {
			rows[i] = append(rows[i], uint64(j))
			weights = append(weights, float32(x[j]))
		}
	}
	w, err := FromVectors(t.Context(), set(rows, weights...), WorkloadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.pairs, w.byWanted = nil, nil
	for i := range len(rows) - 2 { // without edited copies
		for j := i + 1; j < i+3; j++ {
			p := pair{couple: couple{i, j}, uniform: i%2 == 1 || j != i+1}
			p.angle, p.cosine, _ = w.set.angle(i, j)
			p.wanted = p.angle
			w.pairs = append(w.pairs, p)
		}
	}
	w.sortPairs()
	res := measure(t, w, madeHash(64, 0, nil))
	if res.Cos90.Defined || res.Cos90.Pairs < 30 || res.Verdict != terms.Undecided {
		t.Errorf("%+v, %s", res.Cos90, res.Verdict)
	}
}
