package accumulate

import (
	"math"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
)

// TestI32AtTheLimitOfNarrowLanes uses weights whose sums just fit in 32 bits, and weights whose
// sums just do not. All votes are positive, all negative, or mixed.
func TestI32AtTheLimitOfNarrowLanes(t *testing.T) {
	r := seeded(t)
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 31, 32, 33, 64, 100, 1000, 4096, 1 << 15} {
		if n > 1000 && !cases.Long() {
			break
		}
		greatest := math.MaxInt32 / n
		codes, weights := make([]uint64, n), make([]int32, n)
		for _, w := range []int{greatest - 1, greatest, greatest + 1, -greatest, -greatest - 1, math.MinInt32} {
			for votes := range 4 {
				for i := range codes {
					codes[i] = [...]uint64{0, ^uint64(0), r.Uint64(), -uint64(i & 1)}[votes]
					// n = 1: the maximum plus 1 wraps to the minimum, which is a valid weight
					weights[i] = int32(w)
				}
				for _, tier := range cpu.Supported() {
					if err := i32Op.compare(tier, [64]int64{}, codes, weights); err != nil {
						t.Fatalf("n=%d: %v", n, err)
					}
					if n > 100 {
						break
					}
				}
				// A single large weight decides, at any position.
				for _, at := range []int{0, n / 2, n - 1} {
					for i := range weights {
						weights[i] = 1
					}
					weights[at] = int32(w)
					if err := i32Op.compare(cpu.Active(), [64]int64{}, codes, weights); err != nil {
						t.Fatalf("n=%d, the large weight at %d: %v", n, at, err)
					}
				}
			}
		}
	}
}

// TestI32SumsBeyond32Bits uses so many weights of magnitude 127 that their sum just overflows 32
// bits. Then no kernel may sum in 32-bit lanes. The dispatch already stops using them at 1<<24
// weights, whose sum would still fit.
func TestI32SumsBeyond32Bits(t *testing.T) {
	if !cases.Long() {
		t.Skipf("this test needs 68 MB of weights; %s=1 enables it", cases.LongVariable)
	}
	const longest = math.MaxInt32/127 + 9
	codes, weights := make([]uint64, longest), make([]int32, longest)
	for i := range weights {
		weights[i] = 127
	}
	for _, k := range i32Op.kernels {
		if !k.Available() || k.Tier == cpu.Generic { // the generic kernel has only 64-bit lanes
			continue
		}
		for _, n := range []int{1 << 24, longest} {
			var lanes [64]int64
			k.Call.Add(&lanes, codes[:n], weights[:n]) // all votes are negative
			for j, v := range lanes {
				if want := -127 * int64(n); v != want {
					t.Fatalf("%s: %d times 127: lane %d is %d, want %d", k.Name, n, j, v, want)
				}
			}
			if got := k.Call.Sketch(codes[:n], weights[:n]); got != (Signs{}) {
				t.Fatalf("%s: %d times 127: signs %#x, want none positive", k.Name, n, got)
			}
		}
	}
}
