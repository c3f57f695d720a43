package projection

import (
	"testing"

	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// Every kernel leaves the upper halves of the vector registers clean, by every way out of it.
func TestKernelsLeaveTheUpperStateClean(t *testing.T) {
	if !registers.UpperKnown() {
		t.Skip("this processor does not tell which state is in use")
	}
	table, indices, weights := make([]float32, 64), make([]uint64, 40), make([]float32, 40)
	onImplementations(t, func(t *testing.T, sketch sketch) {
		for n := range indices {
			for last := range uint64(2) { // 0 has a row
				if n > 0 {
					indices[n-1] = last
				}
				kernels.LeavesClean(t, n, func() { sketch(table, 64, 1, indices[:n], weights[:n]) })
			}
			clear(indices)
		}
	})
}
