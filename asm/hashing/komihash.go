package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

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
