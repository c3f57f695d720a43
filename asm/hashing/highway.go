package hashing

import "simhashkit/asm/cpu"

// KeyedKernel is one implementation of a hash that takes a key of 32 bytes, as four little-endian
// words.
type KeyedKernel struct {
	cpu.Kernel
	Hash func(dst, keys []uint64, key *[4]uint64)
}

var (
	highway64GenericKernel  = KeyedKernel{cpu.Kernel{Name: "generic"}, highway64Generic}
	highway128GenericKernel = KeyedKernel{cpu.Kernel{Name: "generic"}, highway128Generic}
	highway256GenericKernel = KeyedKernel{cpu.Kernel{Name: "generic"}, highway256Generic}
)

// Highway64 fills dst[i] with the 64-bit HighwayHash (Alakuijala, Cox and Wassenberg, 2016) of
// keys[i] under the key, four little-endian words of a secret of 32 bytes.
func Highway64(dst, keys []uint64, key *[4]uint64) {
	sameLength(len(dst), len(keys))
	highway64At(cpu.Active(), dst, keys, key)
}

// Highway128 fills dst with the 128-bit HighwayHash of the keys under the key: word 0 of all keys,
// then word 1 of all keys.
//
// dst has two words a key: the words of keys[i] are dst[i] and dst[len(keys)+i]. It may not overlap
// keys. Word 0 is not Highway64: the widths are hashes of their own.
func Highway128(dst, keys []uint64, key *[4]uint64) {
	roomFor(2, len(dst), len(keys))
	highway128At(cpu.Active(), dst, keys, key)
}

// Highway256 fills dst with the 256-bit HighwayHash of the keys under the key: word 0 of all keys,
// then word 1 of all keys, and so on.
//
// dst has four words a key: word t of keys[i] is dst[t*len(keys)+i]. It may not overlap keys.
func Highway256(dst, keys []uint64, key *[4]uint64) {
	roomFor(4, len(dst), len(keys))
	highway256At(cpu.Active(), dst, keys, key)
}
