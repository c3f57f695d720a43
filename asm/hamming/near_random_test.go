package hamming

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/random"
	"simhashkit/asm/internal/registers"
)

// nearCounted does what nearOracle does, a word at a time: its deputy, which TestNearOracleDeputies
// holds to it.
func nearCounted(rows, columns []uint32, k int) (pairs []NearPair) {
	for i, row := range rows {
		for j, column := range columns {
			if bits.OnesCount32(row^column) <= k {
				pairs = append(pairs, NearPair{uint32(i), uint32(j)})
			}
		}
	}
	return pairs
}

// nearPairsCounted does what nearPairsOracle does.
func nearPairsCounted(words []uint32, k int) (pairs []NearPair) {
	for i, row := range words {
		for j := i + 1; j < len(words); j++ {
			if bits.OnesCount32(row^words[j]) <= k {
				pairs = append(pairs, NearPair{uint32(i), uint32(j)})
			}
		}
	}
	return pairs
}

func TestNearOracleDeputies(t *testing.T) {
	r := seeded(t)
	for range 50 {
		rows, columns := randomWords32(r, r.IntN(30)), randomWords32(r, r.IntN(40))
		plantNear(r, columns, 3)
		for k := -1; k < 34; k++ {
			if got, want := nearCounted(rows, columns, k), nearOracle(rows, columns, k); !slices.Equal(got, want) {
				t.Fatalf("k=%d: %v, want %v", k, got, want)
			}
			if got, want := nearPairsCounted(columns, k), nearPairsOracle(columns, k); !slices.Equal(got, want) {
				t.Fatalf("k=%d: %v, want %v", k, got, want)
			}
		}
	}
}

// randomBits32 returns a word with n ones.
func randomBits32(r *rand.Rand, n int) (word uint32) {
	for bits.OnesCount32(word) < n {
		word |= 1 << r.IntN(32)
	}
	return word
}

// compareJoins holds all kernels, and the dispatch at the tier, to the deputies of the oracles.
func compareJoins(tier cpu.Tier, rows, columns []uint32, k int) error {
	want, wantPairs := nearCounted(rows, columns, k), nearPairsCounted(columns, k)
	for i, kernel := range joins {
		if !kernel.Available() {
			continue
		}
		registers.Spoil(i%2 == 0)
		if err := kernel.Call.check(rows, columns, k, want, wantPairs); err != nil {
			return fmt.Errorf("%s: %w", kernel.Name, err)
		}
	}
	return kernels.At(tier, func() error {
		if err := (join{AppendNear, AppendNearPairs}).check(rows, columns, k, want, wantPairs); err != nil {
			return fmt.Errorf("dispatch at %v: %w", tier, err)
		}
		return nil
	})
}

// TestNearOnRandomInput takes tiles of all shapes, with few near words and with many.
func TestNearOnRandomInput(t *testing.T) {
	r := seeded(t)
	tiers := cpu.Supported()
	for range random.Rounds(t, 100, 1500) {
		height, width := r.IntN(20), r.IntN(100)
		if r.IntN(20) == 0 {
			width = r.IntN(1500)
		}
		words := randomWords32(r, height+width)
		if r.IntN(4) == 0 {
			for i := range words {
				words[i] &= words[(i*7)%len(words)] & r.Uint32()
			}
		}
		plantNear(r, words, 1+r.IntN(80))
		k := r.IntN(9)
		if r.IntN(8) == 0 {
			k = r.IntN(36) - 2
		}
		if err := compareJoins(tiers[r.IntN(len(tiers))], words[:height], words[height:], k); err != nil {
			t.Fatal(err)
		}
	}
}
