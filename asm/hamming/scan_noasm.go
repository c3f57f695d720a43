//go:build (!amd64 && !arm64) || purego

package hamming

import "simhashkit/asm/cpu"

var scanKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func appendWithin(_ cpu.Tier, dst []Match, fingerprints, query []uint64, k int) []Match {
	return appendWithinGeneric(dst, fingerprints, query, k)
}
