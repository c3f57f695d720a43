//go:build !purego

package accumulate

import (
	"math"
	"testing"

	"simhashkit/asm/internal/guard"
)

// TestI32NarrowNEON starts from 32-bit sums other than 0, which the dispatch never does. The sums
// must wrap, and the kernel must not read beyond the codes and weights.
func TestI32NarrowNEON(t *testing.T) {
	const longest = 21
	r := seeded(t)
	firstCodes, lastCodes := guard.Slices[uint64](t, longest)
	firstWeights, lastWeights := guard.Slices[int32](t, longest)
	for n := range longest + 1 {
		for i, codes := range [][]uint64{firstCodes[:n], lastCodes[longest-n:]} {
			weights := [][]int32{firstWeights[:n], lastWeights[longest-n:]}[i]
			for i := range codes {
				codes[i], weights[i] = r.Uint64(), int32(r.Uint32())
			}
			var sums [64]int32
			for j := range sums {
				sums[j] = int32(r.Uint32())
			}
			want := sums
			for i, w := range weights {
				for j := range want {
					want[j] += w * (int32(codes[i]>>j&1)<<1 - 1)
				}
			}
			before := sums
			addI32NarrowNEON(&sums, codes, weights)
			if sums != want {
				t.Fatalf("%d features: got %v, want %v\nfrom %v, %#x, %v", n, sums, want, before, codes, weights)
			}
		}
	}
}

// TestI32MagnitudesNEON puts one weight other than 0 at every position. Its magnitude alone must
// determine the result, and the kernel must not read beyond the weights. A wrong bit would rarely
// show in the sums: it would make the dispatch slow, or let sums of other weights overflow.
func TestI32MagnitudesNEON(t *testing.T) {
	const longest = 35
	first, last := guard.Slices[int32](t, longest)
	for n := range longest + 1 {
		for _, weights := range [][]int32{first[:n], last[longest-n:]} {
			clear(weights)
			if got := magnitudesI32NEON(weights); got != 0 {
				t.Fatalf("%d zeros: %#x", n, got)
			}
			for at := range weights {
				for _, w := range []int32{1, -1, -2, 0x1234567, -0x7654321, math.MaxInt32, math.MinInt32} {
					weights[at] = w
					want := uint32(w)
					if w < 0 {
						want = ^want
					}
					if got := magnitudesI32NEON(weights); got != want {
						t.Fatalf("%d at %d of %d: %#x, want %#x", w, at, n, got, want)
					}
				}
				weights[at] = 0
			}
		}
	}
}
