//go:build (amd64 || arm64) && !purego

package hamming

import (
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/registers"
)

// onVectorTiers runs body for every tier but the generic one that can run here.
func onVectorTiers(t *testing.T, body func(t *testing.T, tier cpu.Tier)) {
	for _, tier := range cpu.Supported() {
		if tier != cpu.Generic {
			t.Run(tier.String(), func(t *testing.T) { body(t, tier) })
		}
	}
}

// TestCandidateKernelsWorkLikeGeneric: the kernels may not let too many candidates through to the
// Go code either, which results would not show.
func TestCandidateKernelsWorkLikeGeneric(t *testing.T) {
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		for _, lines := range []int{1, 2, 5, linesOfList} {
			for _, limit := range []uint16{0, 3, 5, 10, 16, 31, 32} {
				query := [2]uint16{uint16(r.Uint32()), uint16(r.Uint32())}
				first, second := make([]uint16, lines*quartersOfLine), make([]uint16, lines*quartersOfLine)
				for i := range first {
					first[i], second[i] = uint16(r.Uint32()), uint16(r.Uint32())
					if r.IntN(3) == 0 {
						first[i] = query[0] ^ 1<<r.IntN(16)
						second[i] = query[1] ^ uint16(r.Uint32()&r.Uint32()&r.Uint32())
					}
				}
				var want, got [linesOfList]uint64
				wanted := candidatesGeneric(&want, first, second, &query, limit)
				registers.Spoil(limit%2 == 0)
				n := candidates(tier, &got, first, second, &query, limit)
				if !slices.Equal(got[:n], want[:wanted]) {
					t.Fatalf("%v, %d lines, limit %d: %x, want %x", tier, lines, limit, got[:n], want[:wanted])
				}
			}
		}
	})
}
