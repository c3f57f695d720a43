package accumulate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

var narrowings = kernels.List(int32Kernels, func(tier cpu.Tier) func([]int32, []int64) bool {
	return func(dst []int32, src []int64) bool { return narrowOf(tier, dst, src) }
})

func onNarrowings(t *testing.T, body func(t *testing.T, int32s func([]int32, []int64) bool)) {
	kernels.OnEach(t, "", narrowings, Narrow, body)
}

// naiveNarrow converts one element at a time, and compares it with the limits of the type.
func naiveNarrow(dst []int32, src []int64) bool {
	fit := true
	for i, x := range src {
		dst[i] = int32(uint32(uint64(x)))
		fit = fit && math.MinInt32 <= x && x <= math.MaxInt32
	}
	return fit
}

// TestNarrow puts values at and beyond the limits at every position, flush against inaccessible
// pages on both sides.
func TestNarrow(t *testing.T) {
	values := []int64{0, -1, 1, math.MaxInt32, math.MinInt32, math.MaxInt32 + 1, math.MinInt32 - 1, math.MaxInt64, math.MinInt64, 1 << 32, -1 << 32, 1<<63 - 1<<31}
	onNarrowings(t, func(t *testing.T, int32s func([]int32, []int64) bool) {
		for n := range 40 {
			srcAtStart, srcAtEnd := guard.Slices[int64](t, n)
			dstAtStart, dstAtEnd := guard.Slices[int32](t, n)
			for _, src := range [][]int64{srcAtStart, srcAtEnd} {
				for _, dst := range [][]int32{dstAtStart, dstAtEnd} {
					for at := range n + 1 {
						for _, value := range values {
							for i := range src {
								src[i] = int64(i*i) - 700
							}
							if at < n {
								src[at] = value
							}
							checkNarrow(t, int32s, dst, src)
						}
					}
				}
			}
		}
	})
}

func TestNarrowOfRandomWords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	onNarrowings(t, func(t *testing.T, int32s func([]int32, []int64) bool) {
		for range 2000 {
			src := make([]int64, random.IntN(100))
			for i := range src {
				src[i] = int64(random.Uint64()) >> (30 + random.IntN(34))
			}
			checkNarrow(t, int32s, make([]int32, len(src)), src)
		}
	})
}

func checkNarrow(t *testing.T, int32s func([]int32, []int64) bool, dst []int32, src []int64) {
	t.Helper()
	want := make([]int32, len(src))
	fit := naiveNarrow(want, src)
	for i := range dst {
		dst[i] = 7 ^ want[i]
	}
	if got := int32s(dst, src); got != fit || !slices.Equal(dst, want) {
		t.Fatalf("%v: %v, all fit %v; want %v, %v", src, dst, got, want, fit)
	}
}

func TestNarrowOfOtherLengths(t *testing.T) {
	onNarrowings(t, func(t *testing.T, int32s func([]int32, []int64) bool) {
		for _, n := range [][2]int{{8, 9}, {9, 8}} {
			if kernels.PanicOf(func() { int32s(make([]int32, n[0]), make([]int64, n[1])) }) == nil {
				t.Errorf("no panic for lengths %v", n)
			}
		}
	})
}

func TestNarrowLeavesTheUpperStateClean(t *testing.T) {
	if !registers.UpperKnown() {
		t.Skip("this processor cannot report the register state in use")
	}
	dst, src := make([]int32, 100), make([]int64, 100)
	onNarrowings(t, func(t *testing.T, int32s func([]int32, []int64) bool) {
		for n := range 40 {
			kernels.LeavesClean(t, n, func() { int32s(dst[:n], src[:n]) })
		}
	})
}

func BenchmarkNarrow(b *testing.B) {
	dst, src := make([]int32, 1024), make([]int64, 1024)
	for _, k := range narrowings {
		if k.Available() {
			b.Run(k.Name, func(b *testing.B) {
				b.SetBytes(8 * 1024)
				for b.Loop() {
					k.Call(dst, src)
				}
			})
		}
	}
}
