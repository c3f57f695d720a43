package hashing

import "simhashkit/asm/cpu"

// FNV1 fills dst[i] with the 64-bit FNV-1 hash (Fowler, Noll, Vo; RFC 9923) of keys[i]: multiply,
// then XOR the next byte.
func FNV1(dst, keys []uint64) {
	fnv1At(cpu.Active(), dst, keys)
}

// FNV1a fills dst[i] with the 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923) of keys[i]: XOR the
// next byte, then multiply.
func FNV1a(dst, keys []uint64) {
	fnv1aAt(cpu.Active(), dst, keys)
}

const (
	fnvOffset uint64 = 0xCBF29CE484222325
	fnvPrime  uint64 = 0x100000001B3
)

func fnv1Generic(dst, keys []uint64) {
	dst = dst[:len(keys)]
	first := fnvOffset
	first *= fnvPrime // wraps, which a constant may not
	for i, k := range keys {
		h := first ^ k&0xff
		h = h*fnvPrime ^ k>>8&0xff
		h = h*fnvPrime ^ k>>16&0xff
		h = h*fnvPrime ^ k>>24&0xff
		h = h*fnvPrime ^ k>>32&0xff
		h = h*fnvPrime ^ k>>40&0xff
		h = h*fnvPrime ^ k>>48&0xff
		dst[i] = h*fnvPrime ^ k>>56
	}
}

func fnv1aGeneric(dst, keys []uint64) {
	dst = dst[:len(keys)]
	for i, k := range keys {
		h := (fnvOffset ^ k&0xff) * fnvPrime
		h = (h ^ k>>8&0xff) * fnvPrime
		h = (h ^ k>>16&0xff) * fnvPrime
		h = (h ^ k>>24&0xff) * fnvPrime
		h = (h ^ k>>32&0xff) * fnvPrime
		h = (h ^ k>>40&0xff) * fnvPrime
		h = (h ^ k>>48&0xff) * fnvPrime
		dst[i] = (h ^ k>>56) * fnvPrime
	}
}
