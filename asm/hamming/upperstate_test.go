package hamming

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
	r := seeded(t)
	for _, n := range []int{0, 1, 7, 31, 32, 63, 64, 65, 200, 10_000} {
		for _, words := range []int{1, 2, 3} {
			query := randomWords(r, words)
			fingerprints := make([]uint64, n*words)
			fill(r, fingerprints, query, 50)
			for _, k := range []int{0, 3, 20} {
				scanned := hold(fingerprints)
				onScans(t, words, func(t *testing.T, appendWithin scan) {
					kernels.LeavesClean(t, n, func() { appendWithin(nil, scanned, query, k*words) })
				})
			}
			for _, kernel := range ReadKernels() {
				if kernel.Available() {
					kernels.LeavesClean(t, n, func() { kernel.Read(fingerprints) })
				}
			}
		}
	}
	for _, n := range []int{0, 1, 600} {
		query, fingerprints := randomWords(r, 1), make([]uint64, n)
		fill(r, fingerprints, query, 50)
		p := planesOf(1, fingerprints)
		for _, k := range []int{3, 4, 16} {
			onPlanes(t, func(t *testing.T, appendWithin planesScan) {
				kernels.LeavesClean(t, n, func() { appendWithin(nil, p, query, k) })
			})
		}
	}
	for _, n := range []int{0, 1, 3, 4, 8, 9, 16, 17, 32, 200, 1500} {
		words := randomWords32(r, n)
		plantNear(r, words, 30)
		for _, k := range []int{0, 3, 9} {
			onJoins(t, func(t *testing.T, j join) {
				kernels.LeavesClean(t, n, func() { j.pairs(nil, words, k) })
				kernels.LeavesClean(t, n, func() { j.rows(nil, words[:n/2], words, k) })
			})
		}
	}
	for _, n := range []int{4, 17, 56} { // nothing is near, so that the screening is all there is
		words := farWords(8 + n)
		for _, k := range []int{0, 3, 9} {
			onJoins(t, func(t *testing.T, j join) {
				kernels.LeavesClean(t, n, func() { j.pairs(nil, words[8:], k) })
				kernels.LeavesClean(t, n, func() { j.rows(nil, words[:8], words[8:], k) })
			})
		}
	}
}
