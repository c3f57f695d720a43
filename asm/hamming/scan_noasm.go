//go:build !amd64 || purego

package hamming

import "simhashkit/asm/cpu"

// ScanKernels returns the implementations of AppendWithin, fastest first, generic last.
func ScanKernels() []ScanKernel { return []ScanKernel{scanGeneric} }

func appendWithin(_ cpu.Tier, dst []Match, fingerprints, query []uint64, k int) []Match {
	return appendWithinGeneric(dst, fingerprints, query, k)
}
