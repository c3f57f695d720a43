package families_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/fphash"
	_ "simhashkit/fphash/families"
)

// allComparisons is more than the pairs of bits that all tests of this file together compare.
const allComparisons = 20_000_000

// TestBlocksAreIndependent: no two bits of different blocks agree, complement each other or
// correlate beyond chance, for every family and widening.
func TestBlocksAreIndependent(t *testing.T) {
	compared := 0
	for _, kind := range structuredKeys {
		if testing.Short() && kind.name != "consecutive" {
			continue
		}
		keys := kind.keys(100_000)
		for _, f := range fphash.Families() {
			for _, way := range f.Widenings() {
				s := compareBlocks(t, f, way, max(2, 192/f.Bits), keys, false)
				if compared += s.pairs; s.linked > 0 {
					t.Errorf("%s-%v, %s keys: bits %d and %d have the correlation %.4f; by chance it is at most %.4f",
						f.Name, way, kind.name, s.bits[0], s.bits[1], s.worst, beyondChance(keys.n))
				}
			}
		}
	}
	if compared > allComparisons {
		t.Errorf("%d pairs compared, but the bound is for %d", compared, allComparisons)
	}
}

// TestFarBlocksAreIndependent compares the first two blocks with the last two that fit into the
// widest code.
func TestFarBlocksAreIndependent(t *testing.T) {
	keys := structuredKeys[0].keys(20_000)
	for _, f := range fphash.Families() {
		if testing.Short() && f.Name != "sha1" && f.Name != "highway64" {
			continue
		}
		for _, way := range f.Widenings() {
			if s := compareBlocks(t, f, way, fphash.MaxBits/f.Bits, keys, true); s.linked > 0 {
				t.Errorf("%s-%v: the correlation of blocks far apart is %.4f; by chance it is at most %.4f", f.Name, way, s.worst, beyondChance(keys.n))
			}
		}
	}
}

// TestRefusals shows what the refused ways do: the figures stand in the documentation.
func TestRefusals(t *testing.T) {
	consecutive, strided := structuredKeys[0].keys(100_000), structuredKeys[1].keys(100_000)
	got := map[string]string{}
	for _, f := range fphash.Families() {
		own := f.Name
		f.Name = "unrefused" // refusals go by the name
		var refused []fphash.Widen
		for _, way := range f.Widenings() {
			if known, err := fphash.Lookup(own); err != nil || !slices.Contains(known.Widenings(), way) {
				refused = append(refused, way)
			}
		}
		for _, way := range refused {
			if own == "lookup3" {
				s := compareBlocks(t, f, way, 3, strided, false)
				got[own+"-"+way.String()+", strided"] = fmt.Sprintf("worst %.2f", s.worst)
			}
			s := compareBlocks(t, f, way, 3, consecutive, false)
			got[own+"-"+way.String()] = fmt.Sprintf("%d of %d bits are copies, %d linked, worst %.2f", s.copies, 2*f.Bits, s.linked, s.worst)
		}
	}
	want := map[string]string{
		"lookup3-counter, strided": "worst 0.21",
		"lookup3-reseed, strided":  "worst 0.28",
		"crc32c-counter":           "34 of 64 bits are copies, 34 linked, worst 1.00",
		"fnv1-64-counter":          "65 of 128 bits are copies, 74 linked, worst 1.00",
		"fnv1a128-counter":         "91 of 256 bits are copies, 158 linked, worst 1.00",
		"fnv1a64-counter":          "20 of 128 bits are copies, 74 linked, worst 1.00",
		"lookup3-counter":          "0 of 128 bits are copies, 10 linked, worst 0.11",
		"lookup3-reseed":           "0 of 128 bits are copies, 6 linked, worst 0.07",
		"murmur3-128-reseed":       "0 of 256 bits are copies, 2 linked, worst 0.50",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// comparison is what a comparison of all pairs of bits of different blocks has found.
type comparison struct {
	pairs  int
	worst  float64 // the greatest magnitude of a correlation
	bits   [2]int  // where it is
	copies int     // bits that agree with, or complement, a bit of an earlier block for all keys
	// bits that correlate with one of an earlier block beyond chance, copies included
	linked int
}

// compareBlocks compares each bit of the blocks with each bit of the blocks before. If only the
// ends are asked for, the first two blocks and the last two take part.
func compareBlocks(t *testing.T, f fphash.Family, way fphash.Widen, blocks int, keys keys, ends bool) (s comparison) {
	t.Helper()
	wide, err := f.Widen(way, blocks*f.Bits)
	if err != nil {
		t.Fatal(err)
	}
	all := columns(t, wide, keys)
	if end := 2 * f.Bits; ends && blocks > 4 {
		all = append(all[:end:end], all[len(all)-end:]...)
	}
	bound := beyondChance(keys.n)
	for j := f.Bits; j < len(all); j++ {
		most := 0.0
		for i := 0; i < j/f.Bits*f.Bits; i += 4 { // widths are multiples of 4
			for k, c := range correlations(all[j], all[i:i+4], keys.n) {
				s.pairs++
				most = max(most, math.Abs(c))
				if math.Abs(c) > s.worst {
					s.worst, s.bits = math.Abs(c), [2]int{i + k, j}
				}
			}
		}
		if most == 1 {
			s.copies++
		}
		if most > bound {
			s.linked++
		}
	}
	return s
}
