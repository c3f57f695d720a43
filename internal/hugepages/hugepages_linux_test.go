package hugepages

import (
	"runtime"
	"testing"
)

// TestMake checks the length and the zeros, and that Make allocates no more memory than make.
func TestMake(t *testing.T) {
	const roundedUp = 64 << 10 // rounding by the allocator, and other allocations
	for _, n := range []int{0, 1, 1000, page/8 - 1, page / 8, page/8 + 1, 1_000_000} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		words := Make[uint64](n)
		runtime.ReadMemStats(&after)
		if took := int(after.TotalAlloc - before.TotalAlloc); took > 8*n+roundedUp {
			t.Errorf("%d words took %d bytes", n, took)
		}
		if len(words) != n || cap(words) != n {
			t.Errorf("%d words: length %d, capacity %d", n, len(words), cap(words))
		}
		for i := range words {
			if words[i] != 0 {
				t.Fatalf("%d words: word %d is %d", n, i, words[i])
			}
			words[i] = ^uint64(0)
		}
	}
}
