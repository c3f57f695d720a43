package scatter

import (
	"testing"

	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// TestKernelsLeaveTheUpperStateClean checks that kernels leave the upper halves of the vector
// registers clean.
func TestKernelsLeaveTheUpperStateClean(t *testing.T) {
	if !registers.UpperKnown() {
		t.Skip("this processor cannot report the register state in use")
	}
	words, numbers, line := make([]uint64, 1<<16), make([]uint32, 1<<16), new(Line)
	onImplementations(t, func(t *testing.T, i implementation) {
		kernels.LeavesClean(t, entries, func() {
			i.write((*[entries]uint64)(words), (*[entries]uint32)(numbers), line)
			i.fence()
		})
	})
}
