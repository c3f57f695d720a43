package hashing

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
