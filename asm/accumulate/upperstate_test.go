package accumulate

import (
	"testing"

	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// TestKernelsLeaveTheUpperStateClean calls every kernel at lengths that reach each of its returns.
func TestKernelsLeaveTheUpperStateClean(t *testing.T) {
	if !registers.UpperKnown() {
		t.Skip("this processor cannot report the register state in use")
	}
	for _, op := range allOps {
		t.Run(op.String(), op.upperState)
	}
}

func (op weighted[L, W]) upperState(t *testing.T) {
	lengths := []int{255, 256, 257, 1023, 1024, 2047, 4092, 4093, 5000}
	for n := range 140 {
		lengths = append(lengths, n)
	}
	codes, weights := make([]uint64, 5000), make([]W, 5000)
	r := seeded(t)
	op.onKernels(t, func(t *testing.T, f form[L, W]) {
		// the weights may select another kernel
		for _, k := range []kind{small, medium, anyValue, extreme} {
			op.fill(r, k, codes, weights)
			var lanes [64]L
			for _, n := range lengths {
				kernels.LeavesClean(t, n, func() { f.Add(&lanes, codes[:n], weights[:n]) })
				kernels.LeavesClean(t, n, func() { f.Sketch(codes[:n], weights[:n]) })
			}
		}
	})
}
