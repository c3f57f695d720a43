package hashing

import "simhashkit/asm/cpu"

// CRC32CKernels returns the implementations of CRC32C, fastest first, generic last.
func CRC32CKernels() []UnseededKernel { return unseededKernels(crc32cKernels, crc32cAt) }

// CRC32C fills dst[i] with the CRC-32C (Castagnoli, RFC 3720) of keys[i]: a number of 32 bits.
func CRC32C(dst, keys []uint64) {
	crc32cAt(cpu.Active(), dst, keys)
}
