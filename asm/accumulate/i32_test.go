package accumulate

import (
	"math"
	"testing"

	"simhashkit/asm/cpu"
)

// TestI32AtTheLimitOfNarrowLanes takes weights whose sums just fit 32 bits and such as just do not:
// all votes up, all down, and mixed.
func TestI32AtTheLimitOfNarrowLanes(t *testing.T) {
	r := seeded(t)
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 31, 32, 33, 64, 100, 1000, 4096, 1 << 15} {
		if n > 100 && testing.Short() {
			break
		}
		greatest := math.MaxInt32 / n
		codes, weights := make([]uint64, n), make([]int32, n)
		for _, w := range []int{greatest - 1, greatest, greatest + 1, -greatest, -greatest - 1, math.MinInt32} {
			for votes := range 4 {
				for i := range codes {
					codes[i] = [...]uint64{0, ^uint64(0), r.Uint64(), -uint64(i & 1)}[votes]
					// n = 1: the greatest plus 1 wraps to the least, a weight like any other
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
				// One great weight alone decides, wherever it stands.
				for _, at := range []int{0, n / 2, n - 1} {
					for i := range weights {
						weights[i] = 1
					}
					weights[at] = int32(w)
					if err := i32Op.compare(cpu.Active(), [64]int64{}, codes, weights); err != nil {
						t.Fatalf("n=%d, the great one at %d: %v", n, at, err)
					}
				}
			}
		}
	}
}
