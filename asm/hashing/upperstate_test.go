package hashing

import (
	"testing"

	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// TestKernelsLeaveTheUpperStateClean checks that every return of a kernel leaves the upper halves
// of the vector registers clean.
func TestKernelsLeaveTheUpperStateClean(t *testing.T) {
	if !registers.UpperKnown() {
		t.Skip("this processor cannot report the register state in use")
	}
	keys, secret := make([]uint64, 300), new([4]uint64)
	onImplementations(t, func(t *testing.T, o op, hash func(dst, keys []uint64, secret *[4]uint64)) {
		dst := make([]uint64, o.words*len(keys))
		for n := range keys {
			kernels.LeavesClean(t, n, func() { hash(dst[:o.words*n], keys[:n], secret) })
		}
	})
}
