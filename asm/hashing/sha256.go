package hashing

import "simhashkit/asm/cpu"

// SHA256Kernels returns the implementations of SHA256, fastest first, generic last.
func SHA256Kernels() []UnseededKernel { return unseededKernels(sha256Kernels, sha256At) }

// SHA256 fills dst with the SHA-256 digests (FIPS 180-4) of the keys, the bytes of each digest read
// as little-endian words: word 0 of all keys, then word 1 of all keys, and so on.
//
// dst has four words a key: word t of keys[i] is dst[t*len(keys)+i]. It may not overlap keys.
func SHA256(dst, keys []uint64) {
	sha256At(cpu.Active(), dst, keys)
}

// SHA256CounterKernels returns the implementations of SHA256Counter, fastest first, generic last.
func SHA256CounterKernels() []CounterKernel { return kernelsWith(sha256Kernels, sha256CounterAt) }

// SHA256Counter is SHA256 of the keys' 8 bytes followed by the counter as a ninth.
func SHA256Counter(dst, keys []uint64, counter byte) {
	sha256CounterAt(cpu.Active(), dst, keys, counter)
}
