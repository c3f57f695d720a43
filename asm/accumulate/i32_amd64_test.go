//go:build !purego

package accumulate

import (
	"math"
	"math/bits"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/registers"
)

// TestI32Look: one weight alone decides, wherever it stands; the sum is that of all weights; and nothing is read beside them.
func TestI32Look(t *testing.T) {
	for _, k := range []struct {
		name  string
		needs cpu.Set
		look  func(weights []int32, tooWide uint32) (form, total uint32)
	}{
		{"avx2", needsI32AVX2, lookI32AVX2},
		{"avx512", needsI32AVX512, lookI32AVX512},
		{"avx512gfni", needsI32AVX512GFNI, lookI32AVX512GFNI},
	} {
		if !cpu.Detected().Has(k.needs) {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			const longest = 140
			first, last := guard.Slices[int32](t, longest)
			check := func(weights []int32, want form) {
				t.Helper()
				registers.Spoil(len(weights)%2 == 0)
				got, total := k.look(weights, tooWide(len(weights)))
				if form(got) != want || want == smallForm && total != sumOf(weights) {
					t.Fatalf("%d weights: form %d and sum %d, want %d and %d\n%v", len(weights), got, total, want, sumOf(weights), weights)
				}
			}
			for n := range longest + 1 {
				narrow := int32(1)<<(31-bits.Len(uint(n))) - 1 // the greatest that all n may be for 32 bits to do
				for _, weights := range [][]int32{first[:n], last[longest-n:]} {
					for i := range weights {
						weights[i] = int32(i%5) - 2
					}
					check(weights, smallForm)
					if registers.UpperKnown() {
						leavesClean(t, n, func() { k.look(weights, tooWide(n)) }) // another kernel that runs right behind it would clean up
					}
					for at := range weights {
						for w, want := range map[int32]form{
							127: smallForm, -127: smallForm, 128: narrowForm, -128: narrowForm, narrow: narrowForm, -narrow: narrowForm,
							narrow + 1: wideForm, -narrow - 1: wideForm, math.MaxInt32: wideForm, math.MinInt32: wideForm,
						} {
							former := weights[at]
							weights[at] = w
							check(weights, want)
							weights[at] = former
						}
					}
				}
			}
		})
	}
}

func sumOf(weights []int32) (sum uint32) {
	for _, w := range weights {
		sum += uint32(w)
	}
	return sum
}

// TestI32SmallLanesDoNotOverflow drives the lanes of 16 bits to their limits: all weights as large as they may be, all bits alike, at lengths around those where the lanes are emptied.
func TestI32SmallLanesDoNotOverflow(t *testing.T) {
	const longest = 5200
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
			for _, k := range I32Kernels() {
				if !k.Available() {
					continue
				}
				for _, n := range []int{250, 254, 255, 256, 257, 260, 263, 504, 511, 512, 513, 519, 520, 521, 1020, 1025, 5199, longest} {
					var lanes [64]int64
					k.Add(&lanes, codes[:n], weights[:n])
					for j, v := range lanes {
						want := -int64(limit) * int64(n)
						if code>>j&1 == 1 {
							want = -want
						}
						if v != want {
							t.Fatalf("%s: %d times %d: lane %d is %d, want %d", k.Name, n, limit, j, v, want)
						}
					}
					if got, want := k.Sketch(codes[:n], weights[:n]), signsOracle(&lanes); got != want {
						t.Fatalf("%s: %d times %d: signs %#x, want %#x", k.Name, n, limit, got, want)
					}
				}
			}
		}
	}
}
