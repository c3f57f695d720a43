package hashing

import "simhashkit/asm/cpu"

// MD5Kernels returns the implementations of MD5, fastest first, generic last.
func MD5Kernels() []UnseededKernel { return unseededKernels(md5Kernels, md5At) }

// MD5 fills dst with the MD5 digests (RFC 1321) of the keys, each digest read as two little-endian
// words: word 0 of all keys, then word 1 of all keys.
//
// dst has two words a key: the words of keys[i] are dst[i] and dst[len(keys)+i]. It may not overlap
// keys.
func MD5(dst, keys []uint64) {
	md5At(cpu.Active(), dst, keys)
}

// MD5CounterKernels returns the implementations of MD5Counter, fastest first, generic last.
func MD5CounterKernels() []CounterKernel { return kernelsWith(md5Kernels, md5CounterAt) }

// MD5Counter is MD5 of the keys' 8 bytes followed by the counter as a ninth.
func MD5Counter(dst, keys []uint64, counter byte) {
	md5CounterAt(cpu.Active(), dst, keys, counter)
}
