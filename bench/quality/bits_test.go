package quality

import (
	"math"
	"slices"
	"testing"

	"simhashkit/internal/bench/terms"
)

// A bit that is the same for all keys in half of the keyings counts as constant.
func TestConstantInHalfOfTheKeyings(t *testing.T) {
	for _, keyings := range []int{100, 101} {
		w := generate(t, WorkloadOptions{Pattern: Uniform64, Weights: Unit, Pairs: 10, Keyings: keyings})
		half := (keyings + 1) / 2
		// bit 3 is constant in half of the keyings, bit 4 in one keying less, both not in the first
		spoilt := madeHash(64, 0, nil)
		cleared := map[uint64]uint64{}
		for k := range half {
			seed := w.seedOf(spoilt, k+1)
			if cleared[seed] = 1 << 3; k > 0 {
				cleared[seed] |= 1 << 4
			}
		}
		plain := spoilt.New
		spoilt.New = func(seed uint64) (Codes, error) {
			codes, err := plain(seed)
			return func(dst, keys []uint64) error {
				err := codes(dst, keys)
				for i := range dst {
					dst[i] &^= cleared[seed]
				}
				return err
			}, err
		}
		if r := measure(t, w, spoilt); !slices.Equal(r.Bit.Constant, []int{3}) || len(r.Bit.Copied) > 0 {
			t.Errorf("%d keyings: constant %v, copied %v, want bit 3 alone constant", keyings, r.Bit.Constant, r.Bit.Copied)
		}
	}
}

// p-values are corrected for the number of tests: one per bit, one per pair of bits that are not
// constant, 64 flips per bit, and two tests of random vectors.
func TestCorrectionCountsAllTests(t *testing.T) {
	for _, c := range []struct {
		tested          bool
		width, constant int
	}{{true, 64, 0}, {true, 64, 2}, {true, 1, 0}, {true, 100, 100}, {false, 64, 0}} {
		tests := 0
		for j := range c.width {
			tests += 64
			if c.tested {
				tests++
				for i := range j {
					if i >= c.constant {
						tests++
					}
				}
			}
		}
		tests += 2
		q := BitQuality{Tested: c.tested, Constant: make([]int, c.constant)}
		p := []*float64{&q.Bias.P, &q.Pairwise.P, &q.Avalanche.P, &q.Random.MeanP, &q.Random.VarianceP}
		for i := range p {
			*p[i] = float64(i+1) * 1e-9
		}
		q.correct(c.width)
		for i := range p {
			if want := float64(i+1) * 1e-9 * float64(tests); math.Abs(*p[i]/want-1) > 1e-12 {
				t.Errorf("%+v: p-value %d is %v, want %v", c, i, *p[i], want)
			}
		}
		if q.Bias.P = 0.5; tests > 2 {
			if q.correct(c.width); q.Bias.P != 1 {
				t.Errorf("%+v: a corrected p-value is %v, want at most 1", c, q.Bias.P)
			}
		}
	}
}

// Avalanche finds the bit of the index that a hash ignores, at each position, and counts the
// changes by the other bits.
func TestAvalancheOfEveryBit(t *testing.T) {
	keys := make([]uint64, 100)
	newRandom(1, 95, 0).fill(keys)
	for _, width := range []int{64, 100} {
		for ignored := range 64 {
			code := func(dst, keys []uint64) error {
				for i, key := range keys {
					r := newRandom(key&^(1<<ignored), 94, 0)
					for t := range wordsOf(width) {
						dst[t*len(keys)+i] = r.Uint64()
					}
					dst[(wordsOf(width)-1)*len(keys)+i] &= ^uint64(0) >> (-uint(width) % 64)
				}
				return nil
			}
			var d Deviation
			if err := d.testAvalanche(code, keys, width); err != nil {
				t.Fatal(err)
			}
			all, flipped, err := countFlips(code, keys, width)
			if err != nil {
				t.Fatal(err)
			}
			for bit, flips := range all {
				if len(flips) != width {
					t.Fatalf("%d bits, bit %d of the index: %d bits of the code", width, bit, len(flips))
				}
				for j, n := range flips {
					if (n == 0) != (bit == ignored) || n > flipped {
						t.Fatalf("%d bits, bit %d of the index is ignored: bit %d changes bit %d in %d of %d keys", width, ignored, bit, j, n, flipped)
					}
				}
			}
			if d.Value != 0.5 || d.P > 1e-15 {
				t.Errorf("%d bits, bit %d of the index is ignored: %+v", width, ignored, d)
			}
		}
	}
}

// A hash whose codes many indices share is weak, although the codes are random and few pairs of
// vectors are affected. Narrow ideal codes are not.
func TestFewCodes(t *testing.T) {
	mixed := func(bits int, reduce func(uint64) uint64) Hash {
		return OfFunc("mixed", bits, func(dst, keys []uint64) error {
			for i, key := range keys {
				x := reduce(key) * 0x9E3779B97F4A7C15
				x = (x ^ x>>32) * 0xD6E8FEB86659FD93
				x = (x ^ x>>32) * 0xD6E8FEB86659FD93
				dst[i] = (x ^ x>>32) >> (64 - bits)
			}
			return nil
		})
	}
	whole := func(key uint64) uint64 { return key }
	few := func(key uint64) uint64 { return key % 4093 }
	for _, tc := range []struct {
		sketch string
		hash   Hash
		codes  int
	}{
		{terms.SimHash, mixed(64, few), 4093}, {terms.MinHash, mixed(64, few), 4093}, {terms.SimHash, mixed(64, whole), 0}, {terms.MinHash, mixed(64, whole), 0},
		{terms.SimHash, mixed(8, whole), 0}, {terms.SimHash, mixed(16, whole), 0},
	} {
		w, err := Generate(WorkloadOptions{Pattern: Consecutive, Weights: Unit, Sketch: tc.sketch})
		if err != nil {
			t.Fatal(err)
		}
		r, err := w.Measure(tc.hash, 0)
		if err != nil {
			t.Fatal(err)
		}
		if r.Bit.Codes != tc.codes || (r.Verdict == Weak) != (tc.codes > 0) {
			t.Errorf("%s, %d bits: %d codes, %v; want %d codes", tc.sketch, tc.hash.Bits, r.Bit.Codes, r.Verdict, tc.codes)
		}
	}
}
