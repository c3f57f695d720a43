//go:build !purego

package accumulate

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// TestI32Narrow puts one weight that decides whether 32-bit sums suffice at every position. If they
// suffice, the lanes must be right; otherwise they must not change. The kernels must not read
// beyond the weights.
func TestI32Narrow(t *testing.T) {
	for _, k := range []struct {
		tier   cpu.Tier
		add    func(lanes *[64]int64, codes []uint64, weights []int32) bool
		sketch func(codes []uint64, weights []int32) (signs Signs, fits bool)
	}{
		{cpu.AVX2,
			func(lanes *[64]int64, codes []uint64, weights []int32) bool {
				return addI32NarrowAVX2(lanes, new([64]int32), codes, weights)
			},
			func(codes []uint64, weights []int32) (signs Signs, fits bool) {
				return sketchI32NarrowAVX2(new([64]int32), codes, weights)
			}},
		{cpu.AVX512, addI32NarrowAVX512, sketchI32NarrowAVX512},
		{cpu.AVX512GFNI, addI32NarrowAVX512GFNI, sketchI32NarrowAVX512GFNI},
	} {
		if !slices.Contains(cpu.Supported(), k.tier) {
			continue
		}
		t.Run(k.tier.String(), func(t *testing.T) {
			const longest = 140
			r := seeded(t)
			first, last := guard.Slices[int32](t, longest)
			codes := make([]uint64, longest)
			for i := range codes {
				codes[i] = r.Uint64()
			}
			check := func(codes []uint64, weights []int32, want *[64]int64, wantFits bool) {
				t.Helper()
				if !wantFits {
					want = &[64]int64{}
				}
				ones := len(weights)%2 == 0
				var lanes [64]int64
				registers.Spoil(ones)
				if fits := k.add(&lanes, codes, weights); fits != wantFits || lanes != *want {
					t.Fatalf("%d weights: fits %v, want %v; lanes %v, want %v\n%v", len(weights), fits, wantFits, lanes, want, weights)
				}
				registers.Spoil(ones)
				signs, fits := k.sketch(codes, weights)
				if wantSigns := signsOracle(want); fits != wantFits || fits && signs != wantSigns {
					t.Fatalf("%d weights: fits %v, want %v; signs %#x, want %#x\n%v", len(weights), fits, wantFits, signs, wantSigns, weights)
				}
			}
			for n := range longest + 1 {
				// the largest magnitude of n weights whose sum still fits in 32 bits
				narrow := int32(1)<<(31-bits.Len(uint(n))) - 1
				for _, weights := range [][]int32{first[:n], last[longest-n:]} {
					codes := codes[:n]
					for i := range weights {
						weights[i] = int32(i%5) - 2
					}
					var lanes [64]int64
					addGroupedOracle(&lanes, codes, weights)
					check(codes, weights, &lanes, true)
					if registers.UpperKnown() {
						// each kernel is checked alone, because the next one would clear the
						// registers
						kernels.LeavesClean(t, n, func() { k.add(new([64]int64), codes, weights) })
						kernels.LeavesClean(t, n, func() { k.sketch(codes, weights) })
					}
					if n > 0 && registers.UpperKnown() { // the return without a result
						former := weights[0]
						weights[0] = math.MinInt32
						kernels.LeavesClean(t, n, func() { k.add(new([64]int64), codes, weights) })
						kernels.LeavesClean(t, n, func() { k.sketch(codes, weights) })
						weights[0] = former
					}
					for at, former := range weights {
						for _, w := range []int32{127, -127, 128, -128, 255, -256, narrow, -narrow, narrow + 1, -narrow - 1, math.MaxInt32, math.MinInt32} {
							want, more := lanes, int64(w)-int64(former)
							for j := range want {
								want[j] += more * (int64(codes[at]>>j&1)<<1 - 1)
							}
							weights[at] = w
							check(codes, weights, &want, -narrow <= w && w <= narrow)
						}
						weights[at] = former
					}
				}
			}
		})
	}
}

// TestI32SmallLanesDoNotOverflow fills the 16-bit lanes to their limits: all weights have the
// largest allowed magnitude and all codes are equal, at lengths around those at which the lanes are
// emptied.
func TestI32SmallLanesDoNotOverflow(t *testing.T) {
	// up to this number of features, kernels multiply bytes; for more, the sum of 128 times the
	// weights could overflow 32 bits
	const vnni = 1 << 17
	const longest = vnni + 9000
	for _, limit := range []int32{127, -127} {
		weights := make([]int32, longest)
		for i := range weights {
			weights[i] = limit
		}
		for _, code := range []uint64{0, ^uint64(0), 0x00FF00FF00FF00FF, 0xF0F0F0F00F0F0F0F} {
			codes := make([]uint64, longest)
			for i := range codes {
				codes[i] = code
			}
			for _, k := range i32Op.kernels {
				if !k.Available() {
					continue
				}
				for _, n := range []int{250, 254, 255, 256, 257, 260, 263, 504, 511, 512, 513, 519, 520, 521, 1020, 1025, 5199, vnni - 1, vnni, vnni + 1, vnni + 7, longest} {
					var lanes [64]int64
					k.Call.Add(&lanes, codes[:n], weights[:n])
					for j, v := range lanes {
						want := -int64(limit) * int64(n)
						if code>>j&1 == 1 {
							want = -want
						}
						if v != want {
							t.Fatalf("%s: %d times %d: lane %d is %d, want %d", k.Name, n, limit, j, v, want)
						}
					}
					if got, want := k.Call.Sketch(codes[:n], weights[:n]), signsOracle(&lanes); got != want {
						t.Fatalf("%s: %d times %d: signs %#x, want %#x", k.Name, n, limit, got, want)
					}
				}
			}
		}
	}
}
