package hashing

import "simhashkit/asm/cpu"

// Murmur3Kernels returns the implementations of Murmur3, fastest first, generic last.
func Murmur3Kernels() []SeededKernel { return kernelsWith(murmur3Kernels, murmur3At) }

// Murmur3 fills dst with the 128-bit MurmurHash3 (Appleby, x64_128) of the keys under the seed: h1
// of all keys, then h2 of all keys.
//
// dst has two words a key: those of keys[i] are dst[i] and dst[len(keys)+i]. It may not overlap
// keys. The original's seed has 32 bits; wider ones continue that.
func Murmur3(dst, keys []uint64, seed uint64) {
	murmur3At(cpu.Active(), dst, keys, seed)
}
