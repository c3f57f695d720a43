package hashing

import "simhashkit/asm/cpu"

// Highway64Kernels returns the implementations of Highway64, fastest first, generic last.
func Highway64Kernels() []KeyedKernel { return kernelsWith(highwayKernels, highway64At) }

// Highway64 fills dst[i] with the 64-bit HighwayHash (Alakuijala, Cox and Wassenberg, 2016) of
// keys[i] under the key, four little-endian words of a secret of 32 bytes.
func Highway64(dst, keys []uint64, key *[4]uint64) {
	highway64At(cpu.Active(), dst, keys, key)
}

// Highway128Kernels returns the implementations of Highway128, fastest first, generic last.
func Highway128Kernels() []KeyedKernel { return kernelsWith(highwayKernels, highway128At) }

// Highway128 fills dst with the 128-bit HighwayHash of the keys under the key: word 0 of all keys,
// then word 1 of all keys.
//
// dst has two words a key: the words of keys[i] are dst[i] and dst[len(keys)+i]. It may not overlap
// keys. Word 0 is not Highway64: the widths are hashes of their own.
func Highway128(dst, keys []uint64, key *[4]uint64) {
	highway128At(cpu.Active(), dst, keys, key)
}

// Highway256Kernels returns the implementations of Highway256, fastest first, generic last.
func Highway256Kernels() []KeyedKernel { return kernelsWith(highwayKernels, highway256At) }

// Highway256 fills dst with the 256-bit HighwayHash of the keys under the key: word 0 of all keys,
// then word 1 of all keys, and so on.
//
// dst has four words a key: word t of keys[i] is dst[t*len(keys)+i]. It may not overlap keys.
func Highway256(dst, keys []uint64, key *[4]uint64) {
	highway256At(cpu.Active(), dst, keys, key)
}
