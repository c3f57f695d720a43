package quality

import (
	"slices"
	"testing"

	"simhashkit/internal/bench/terms"
)

// A bit that is the same for all keys in half of the keyings counts as constant.
func TestConstantInHalfOfTheKeyings(t *testing.T) {
	for _, keyings := range []int{100, 101} {
		w := generate(t, WorkloadOptions{Pattern: terms.Uniform64, Weights: terms.Unit, Pairs: 10, Keyings: keyings})
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
		w, err := Generate(WorkloadOptions{Pattern: terms.Consecutive, Weights: terms.Unit, Sketch: tc.sketch})
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
