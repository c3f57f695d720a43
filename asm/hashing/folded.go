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

// WyHash fills dst[i] with the wyhash of keys[i] under the seed: Wang Yi's final version 4 (neither
// 4.1 nor 4.2) with its default secret.
func WyHash(dst, keys []uint64, seed uint64) {
	wyHashAt(cpu.Active(), dst, keys, seed)
}

// Words 0 and 1 of the default secret of wyhash.
const (
	wySecret0 = 0xA0761D6478BD642F
	wySecret1 = 0xE7037ED1A0B428DB
)

// wyHashStart returns the number that keys are XORed with.
func wyHashStart(seed uint64) uint64 { return seed ^ folded(seed^wySecret0, wySecret1) }

func wyHashGeneric(dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	mixed := wyHashStart(seed)
	for i, k := range keys {
		// The algorithm reads the 8 bytes twice, once with their halves exchanged.
		high, low := bits.Mul64(bits.RotateLeft64(k, 32)^wySecret1, k^mixed)
		dst[i] = folded(low^wySecret0^8, high^wySecret1)
	}
}

// KomiHash fills dst[i] with the komihash (Vaneev, version 5) of keys[i] under the seed.
func KomiHash(dst, keys []uint64, seed uint64) {
	komiHashAt(cpu.Active(), dst, keys, seed)
}

// komiHashStart returns the numbers that keys of 8 bytes are XORed with and multiplied by, and the
// number that the upper half of the product is added to.
func komiHashStart(seed uint64) (first, second, sum uint64) {
	const even = 0x5555555555555555 // bits
	first, sum = komiMix(0x243F6A8885A308D3^seed&even, 0x452821E638D01377^seed&^even, 0x452821E638D01377^seed&^even)
	return first, sum ^ 1, sum // no bytes follow the first 8: the bit marks their end
}

// komiMix adds the upper half of a·b to sum. It returns the lower half XOR the new sum, and the new
// sum.
func komiMix(a, b, sum uint64) (mixed, added uint64) {
	high, low := bits.Mul64(a, b)
	sum += high
	return low ^ sum, sum
}

func komiHashGeneric(dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	first, second, start := komiHashStart(seed)
	for i, k := range keys {
		mixed, sum := komiMix(k^first, second, start)
		dst[i], _ = komiMix(mixed, sum, sum)
	}
}
