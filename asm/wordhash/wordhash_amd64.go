//go:build !purego

package wordhash

import (
	"unsafe"

	"simhashkit/asm/cpu"
)

var xxh64Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtAVX512F|cpu.ExtAVX512DQ),
	cpu.KernelAt(cpu.Generic, 0),
}

// xxh64At hashes as many words as the kernel of the tier can.
func xxh64At(tier cpu.Tier, dst []uint64, text []byte, words []Span) (n int) {
	if tier >= cpu.AVX512 {
		return xxh64AVX512(dst, text, unsafe.Slice((*[2]int)(unsafe.Pointer(unsafe.SliceData(words))), len(words)))
	}
	return 0
}
