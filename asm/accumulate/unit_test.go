package accumulate

import (
	"math/rand/v2"
	"testing"
)

// unitCodes draws codes of one of four kinds: random, nearly all ones, nearly all zeros, and pairs
// of complements, which tie.
func unitCodes(r *rand.Rand, codes []uint64) {
	kind := r.IntN(4)
	for i := range codes {
		codes[i] = r.Uint64()
		switch kind {
		case 1:
			codes[i] |= r.Uint64() | r.Uint64() | r.Uint64()
		case 2:
			codes[i] &= r.Uint64() & r.Uint64() & r.Uint64()
		case 3:
			if i%2 == 1 {
				codes[i] = ^codes[i-1]
			}
		}
	}
}

// TestUnitCountersDoNotOverflow fills every counter to the brim, at the lengths where the kernels
// change to wider counters or empty them: all votes equal, and all but one.
func TestUnitCountersDoNotOverflow(t *testing.T) {
	const longest = 1<<17 + 1
	ones, zeros := make([]uint64, longest), make([]uint64, longest)
	for i := range ones {
		ones[i] = ^uint64(0)
	}
	lengths := []int{longest}
	for _, step := range []int{128, 256, 1023, 1024, 31 * 128, 2016, 2044, 2048, 4092, 4096, 8192, 16380, 16384, 32767, 65535, 65536} {
		lengths = append(lengths, step-1, step, step+1, step+127, 2*step-1, 2*step)
	}
	unitOp.onKernels(t, func(t *testing.T, k unitForm) {
		for _, n := range lengths {
			if n > longest {
				continue
			}
			if got := k.Sketch(ones[:n], nil); got != (Signs{Positive: ^uint64(0)}) {
				t.Fatalf("%d codes of ones: %#x", n, got)
			}
			if got := k.Sketch(zeros[:n], nil); got != (Signs{}) {
				t.Fatalf("%d codes of zeros: %#x", n, got)
			}
			var lanes [64]int64
			k.Add(&lanes, ones[:n], nil)
			k.Add(&lanes, zeros[:n-1], nil)
			for j, v := range lanes {
				if v != 1 {
					t.Fatalf("lane %d is %d after %d votes up and %d down", j, v, n, n-1)
				}
			}
		}
	})
}
