package hashing

import "simhashkit/asm/cpu"

var (
	sha1GenericKernel        = UnseededKernel{cpu.Kernel{Name: "generic"}, sha1Generic}
	sha1CounterGenericKernel = CounterKernel{cpu.Kernel{Name: "generic"}, sha1CounterGeneric}
)

// SHA1 fills dst with the SHA-1 digests (FIPS 180-4) of the keys, the bytes of each digest read as
// little-endian words: word 0 of all keys, then word 1 of all keys, then word 2, of which the upper
// half is 0.
//
// dst has three words a key: word t of keys[i] is dst[t*len(keys)+i]. It may not overlap keys.
func SHA1(dst, keys []uint64) {
	roomFor(3, len(dst), len(keys))
	sha1At(cpu.Active(), dst, keys)
}

// SHA1Counter is SHA1 of the keys' 8 bytes followed by the counter as a ninth.
func SHA1Counter(dst, keys []uint64, counter byte) {
	roomFor(3, len(dst), len(keys))
	sha1CounterAt(cpu.Active(), dst, keys, counter)
}
