package hashing

import "simhashkit/asm/cpu"

var (
	md5GenericKernel        = UnseededKernel{cpu.Kernel{Name: "generic"}, md5Generic}
	md5CounterGenericKernel = CounterKernel{cpu.Kernel{Name: "generic"}, md5CounterGeneric}
)

// MD5 fills dst with the MD5 digests (RFC 1321) of the keys, each digest read as two little-endian
// words: word 0 of all keys, then word 1 of all keys.
//
// dst has two words a key: the words of keys[i] are dst[i] and dst[len(keys)+i]. It may not overlap
// keys.
func MD5(dst, keys []uint64) {
	roomFor(2, len(dst), len(keys))
	md5At(cpu.Active(), dst, keys)
}

// MD5Counter is MD5 of the keys' 8 bytes followed by the counter as a ninth.
func MD5Counter(dst, keys []uint64, counter byte) {
	roomFor(2, len(dst), len(keys))
	md5CounterAt(cpu.Active(), dst, keys, counter)
}
