package hashing

import "simhashkit/asm/cpu"

// SipHashKernel is for a hash under a key of 16 bytes, two little-endian words.
type SipHashKernel = Kernel[func(dst, keys []uint64, key *[2]uint64)]

// SipHashKernels returns the implementations of SipHash, fastest first, generic last.
func SipHashKernels() []SipHashKernel { return kernelsWith(sipHashKernels, sipHashAt) }

// SipHash fills dst[i] with the 64-bit SipHash-2-4 (Aumasson and Bernstein, 2012) of keys[i] under
// the key, two little-endian words of a secret of 16 bytes.
func SipHash(dst, keys []uint64, key *[2]uint64) {
	sipHashAt(cpu.Active(), dst, keys, key)
}
