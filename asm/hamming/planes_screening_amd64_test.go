//go:build !purego

package hamming

import (
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/registers"
)

// A kernel that stops at a block without a match, or reads on in one, gives the right results all
// the same.
func TestPlanesKernelsStopWhereTheyShould(t *testing.T) {
	const size, blocks = 64 * wordsOfPlane, 4
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		query := r.Uint64()
		signs := make([]uint64, 64)
		for i := range signs {
			signs[i] = -(query >> i & 1)
		}
		for _, k := range []int{0, 1, 3, 4, 15, 16, 40} {
			start, counters := startOf(k)
			for range 60 {
				planes := planesOfFar(blocks*lanesOfBlock, query)
				lane, distance := r.IntN(blocks*lanesOfBlock), k+r.IntN(2)
				for plane := range 64 {
					if plane >= distance {
						planes[lane/lanesOfBlock*size+plane*wordsOfPlane+lane%lanesOfBlock/64] ^= 1 << (lane % 64)
					}
				}
				want := blocks
				if distance == k {
					want = lane / lanesOfBlock
				}
				var counts, wanted planeCounts
				registers.Spoil(lane%2 == 0)
				got := blocksWithin(tier, &counts, planes, signs, counters[:start.bits])
				if generic := blocksWithinGeneric(&wanted, planes, signs, counters[:start.bits]); got != want || generic != want {
					t.Fatalf("%v, k=%d, lane %d at %d: block %d, generic %d, want %d", tier, k, lane, distance, got, generic, want)
				}
				if want < blocks && counts[0] != wanted[0] {
					t.Fatalf("%v, k=%d, lane %d: overflown %x, want %x", tier, k, lane, counts[0], wanted[0])
				}
			}
		}
	})
}

// Fingerprints that are one bit beyond the limit, each in planes of its own: their counters
// overflow one by one, and a block is left with the last of them.
func TestPlanesKernelsWaitForTheLastOverflow(t *testing.T) {
	const blocks = 2
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		query := r.Uint64()
		signs := make([]uint64, 64)
		for i := range signs {
			signs[i] = -(query >> i & 1)
		}
		for _, k := range []int{0, 1, 2, 3, 4, 15, 16, 40} {
			start, counters := startOf(k)
			for lane := -1; lane < blocks*lanesOfBlock; lane += 67 {
				p, want := NewPlanes(64), blocks
				for i := range blocks * lanesOfBlock {
					distance := k + 1
					if i == lane {
						distance, want = k, lane/lanesOfBlock
					}
					p.Append(query ^ randomBits(r, distance))
				}
				var counts, wanted planeCounts
				registers.Spoil(lane%2 == 0)
				got := blocksWithin(tier, &counts, p.planes, signs, counters[:start.bits])
				if generic := blocksWithinGeneric(&wanted, p.planes, signs, counters[:start.bits]); got != want || generic != want {
					t.Fatalf("%v, k=%d, lane %d within: block %d, generic %d, want %d", tier, k, lane, got, generic, want)
				}
				if want < blocks && counts[0] != wanted[0] {
					t.Fatalf("%v, k=%d, lane %d within: overflown %x, want %x", tier, k, lane, counts[0], wanted[0])
				}
			}
		}
	})
}

// Of a block that differs in every plane no more than k+1 are read, rounded up to fours: the others
// lie on inaccessible pages.
func TestPlanesAreReadOnlyAsFarAsNeeded(t *testing.T) {
	all, _, to := guard.Pages[uint64](t)
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		for _, k := range []int{0, 3, 4, 15, 16, 40} {
			start, counters := startOf(k)
			read := (k + 4) / 4 * 4 * wordsOfPlane
			planes := all[to-read:][:64*wordsOfPlane]
			copy(planes[:read], slices.Repeat([]uint64{1<<64 - 1}, read))
			var counts planeCounts
			if got := blocksWithin(tier, &counts, planes, make([]uint64, 64), counters[:start.bits]); got != 1 {
				t.Errorf("%v, k=%d: block %d, want none", tier, k, got)
			}
		}
	})
}
