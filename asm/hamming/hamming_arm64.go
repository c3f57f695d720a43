//go:build !purego

package hamming

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

var scanKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

// near returns the position of the first group of 64 words that screening does not rule out, and a
// bit for each of these words that differs in at most limit bits from its counterpart in the
// pattern.
func near(_ cpu.Tier, words []uint64, pattern *[8]uint64, limit uint64) (at int, hits uint64) {
	at = nearNEON(words, pattern, limit)
	for i, word := range words[at:min(at+64, len(words))] {
		if uint64(bits.OnesCount64(word^pattern[i%8])) <= limit {
			hits |= 1 << i
		}
	}
	return at, hits
}

func nearPeriodic(_ cpu.Tier, words, pattern []uint64, limit uint64) (at int) {
	return nearPeriodicNEON(words, pattern, limit)
}

var splitKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

func candidates(tier cpu.Tier, list *[linesOfList]uint64, first, second []uint16, query *[2]uint16, limit uint16) int {
	switch tier {
	case cpu.NEON:
		return candidatesNEON(list, first, second, query, limit)
	default:
		return candidatesGeneric(list, first, second, query, limit)
	}
}
