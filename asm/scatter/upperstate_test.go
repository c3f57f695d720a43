package scatter

import (
	"testing"

	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// Every kernel leaves the upper halves of the vector registers clean.
func TestKernelsLeaveTheUpperStateClean(t *testing.T) {
	if !registers.UpperKnown() {
		t.Skip("this processor does not tell which state is in use")
	}
	words, numbers, line := make([]uint64, 1<<16), make([]uint32, 1<<16), new(Line)
	onImplementations(t, func(t *testing.T, i implementation) {
		kernels.LeavesClean(t, Entries, func() {
			i.write((*[Entries]uint64)(words), (*[Entries]uint32)(numbers), line)
			i.fence()
		})
	})
}
