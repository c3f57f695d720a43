package families_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/fphash"
	_ "simhashkit/fphash/families"
	"simhashkit/internal/testing/long"
)

// allComparisons is an upper bound of the number of bit pairs that all tests in this file compare.
const allComparisons = 20_000_000

// TestBlocksAreIndependent checks for every family and widening that no two bits of different
// blocks agree, complement each other or correlate beyond chance.
func TestBlocksAreIndependent(t *testing.T) {
	compared := 0
	for _, kind := range structuredKeys {
		if !long.Enabled() && kind.name != "consecutive" {
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

// TestFarBlocksAreIndependent compares the first two blocks with the last two of the widest code.
func TestFarBlocksAreIndependent(t *testing.T) {
	keys := structuredKeys[0].keys(20_000)
	for _, f := range fphash.Families() {
		if !long.Enabled() && f.Name != "sha1" && f.Name != "highway64" {
			continue
		}
		for _, way := range f.Widenings() {
			if s := compareBlocks(t, f, way, fphash.MaxBits/f.Bits, keys, true); s.linked > 0 {
				t.Errorf("%s-%v: the correlation of blocks far apart is %.4f; by chance it is at most %.4f", f.Name, way, s.worst, beyondChance(keys.n))
			}
		}
	}
}

// TestRefusals measures the refused widenings and compares with the table in METHODOLOGY.md.
func TestRefusals(t *testing.T) {
	consecutive, strided := structuredKeys[0].keys(100_000), structuredKeys[1].keys(100_000)
	var got []string
	for _, f := range fphash.Families() {
		known := f.Widenings()
		f.Refused = nil
		for _, way := range slices.Backward(f.Widenings()) {
			if slices.Contains(known, way) {
				continue
			}
			s, worstStrided := compareBlocks(t, f, way, 3, consecutive, false), compareBlocks(t, f, way, 3, strided, false).worst
			got = append(got, fmt.Sprintf("| %s %v | %d of %d | %d | %.2f | %.2f |", f.Name, way, s.copies, 2*f.Bits, s.linked, s.worst, worstStrided))
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "METHODOLOGY.md"))
	if err != nil {
		t.Skip("no table to compare with: ", err)
	}
	var want []string
	_, section, _ := strings.Cut(string(text), "\n## Widenings that are refused\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "|") {
			want = append(want, strings.TrimSpace(line))
		}
	}
	if diff := cmp.Diff(want[min(2, len(want)):], got); diff != "" {
		t.Error(diff)
	}
}

// comparison is the result of comparing all pairs of bits of different blocks.
type comparison struct {
	pairs  int
	worst  float64 // largest absolute correlation
	bits   [2]int  // the bits with this correlation
	copies int     // bits that equal or complement a bit of an earlier block for all keys
	// Bits that correlate with a bit of an earlier block beyond chance, including copies.
	linked int
}

// compareBlocks compares each bit of the blocks with each bit of earlier blocks. If ends is true,
// it compares only the first two and the last two blocks.
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
