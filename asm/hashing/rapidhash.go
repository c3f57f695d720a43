package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// RapidHash fills dst[i] with the rapidhash (De Carli, version 3) of keys[i] under the seed, with
// the default secret.
func RapidHash(dst, keys []uint64, seed uint64) {
	rapidHashAt(cpu.Active(), dst, keys, seed)
}

// Words 1, 2 and 7 of the default secret of rapidhash.
const (
	rapidSecret1 = 0x8BB84B93962EACC9
	rapidSecret2 = 0x4B33A62ED433D4A3
	rapidSecret7 = 0xAAAAAAAAAAAAAAAA
)

// rapidHashStart returns the number that keys of 8 bytes are XORed with.
func rapidHashStart(seed uint64) uint64 {
	return seed ^ folded(seed^rapidSecret2, rapidSecret1) ^ 8
}

func rapidHashGeneric(dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	mixed := rapidHashStart(seed)
	for i, k := range keys { // the first 8 bytes are also the last 8
		high, low := bits.Mul64(k^rapidSecret1, k^mixed)
		dst[i] = folded(low^rapidSecret7, high^rapidSecret1^8)
	}
}

// folded returns the XOR of the two halves of a·b.
func folded(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}
