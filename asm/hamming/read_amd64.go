//go:build !purego

package hamming

import "simhashkit/asm/cpu"

const (
	needsReadAVX2   = cpu.ExtAVX | cpu.ExtAVX2
	needsReadAVX512 = cpu.ExtAVX | cpu.ExtAVX512F | cpu.ExtAVX512DQ | cpu.ExtAVX512VL
)

// ReadKernels returns the implementations of Read, fastest first, generic last.
func ReadKernels() []ReadKernel {
	return []ReadKernel{
		{cpu.Kernel{Name: "avx512", Tier: cpu.AVX512, Needs: needsReadAVX512}, func(words []uint64) uint64 { return readAt(cpu.AVX512, words) }},
		{cpu.Kernel{Name: "avx2", Tier: cpu.AVX2, Needs: needsReadAVX2}, func(words []uint64) uint64 { return readAt(cpu.AVX2, words) }},
		readGenericKernel,
	}
}

// Read reads all words and returns their exclusive or: what a scan costs when it does nothing but
// read, the roof that scans are measured against.
func Read(words []uint64) uint64 { return readAt(cpu.Active(), words) }

func readAt(tier cpu.Tier, words []uint64) uint64 {
	whole := len(words) &^ 63
	switch {
	case tier >= cpu.AVX512:
		return readAVX512(words[:whole]) ^ readGeneric(words[whole:])
	case tier == cpu.AVX2:
		return readAVX2(words[:whole]) ^ readGeneric(words[whole:])
	default:
		return readGeneric(words)
	}
}
