package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

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
