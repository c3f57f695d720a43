package hashing

import "simhashkit/asm/cpu"

var (
	sha256GenericKernel        = UnseededKernel{cpu.Kernel{Name: "generic"}, sha256Generic}
	sha256CounterGenericKernel = CounterKernel{cpu.Kernel{Name: "generic"}, sha256CounterGeneric}
)

// SHA256 fills dst with the SHA-256 digests (FIPS 180-4) of the keys, the bytes of each digest read
// as little-endian words: word 0 of all keys, then word 1 of all keys, and so on.
//
// dst has four words a key: word t of keys[i] is dst[t*len(keys)+i]. It may not overlap keys.
func SHA256(dst, keys []uint64) {
	roomFor(4, len(dst), len(keys))
	sha256At(cpu.Active(), dst, keys)
}

// SHA256Counter is SHA256 of the keys' 8 bytes followed by the counter as a ninth.
func SHA256Counter(dst, keys []uint64, counter byte) {
	roomFor(4, len(dst), len(keys))
	sha256CounterAt(cpu.Active(), dst, keys, counter)
}
