//go:build !amd64 || purego

package hamming

import "simhashkit/asm/cpu"

// Without assembly every op has only its generic kernel.

var (
	nearKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	readKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
)

func appendNear(_ cpu.Tier, dst []NearPair, rows, columns []uint32, k int) []NearPair {
	return appendNearGeneric(dst, rows, columns, k)
}

func appendNearPairs(_ cpu.Tier, dst []NearPair, words []uint32, k int) []NearPair {
	return appendNearPairsGeneric(dst, words, k)
}

func readAt(_ cpu.Tier, words []uint64) uint64 { return readGeneric(words) }
