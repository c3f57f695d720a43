//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var sha1Kernels = table("sha1", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))

// Fewer keys than these are hashed faster one by one, also those that are left over from groups
// of 8.
const leastSHA1NEON = 5

func sha1At(tier cpu.Tier, dst, keys []uint64) {
	roomFor(3, len(dst), len(keys))
	if tier != cpu.NEON {
		sha1Generic(dst, keys)
		return
	}
	done := sha1InEights(dst, keys, 0x80<<24, 64)
	var message [8]byte
	sha1Each(dst[done:], keys[done:], len(keys), message[:])
}

func sha1CounterAt(tier cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(3, len(dst), len(keys))
	if tier != cpu.NEON {
		sha1CounterGeneric(dst, keys, counter)
		return
	}
	done := sha1InEights(dst, keys, uint32(counter)<<24|0x80<<16, 72)
	message := [9]byte{8: counter}
	sha1Each(dst[done:], keys[done:], len(keys), message[:])
}

// sha1InEights hashes all keys but those left over that are faster one by one, and returns how
// many. The words are those of the message behind the key that are not 0.
func sha1InEights(dst, keys []uint64, word2, word15 uint32) (done int) {
	n := len(keys)
	if n < leastSHA1NEON {
		return 0
	}
	var words [64]uint64
	done = n &^ 7
	sha1NEON(dst, keys[:done], n, word2, word15, &words)
	rest := keys[done:]
	if len(rest) < leastSHA1NEON {
		return done
	}
	var padded [8]uint64
	var codes [3 * 8]uint64
	copy(padded[:], rest)
	sha1NEON(codes[:], padded[:], 8, word2, word15, &words)
	takeOf(8, dst[done:], n, codes[:], len(rest))
	return n
}
