//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var md5Kernels = table("md5", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))

const (
	// Fewer keys than these are hashed faster without vectors, also those that are left over from
	// groups of 16. A counter's numbers have to be made first.
	leastMD5NEON        = 5
	leastMD5CounterNEON = 3
)

func md5At(tier cpu.Tier, dst, keys []uint64) {
	roomFor(2, len(dst), len(keys))
	n := len(keys)
	switch {
	case tier == cpu.NEON && n >= leastMD5NEON:
		done := md5InSixteens(dst, keys, &md5Plain, leastMD5NEON)
		md5Each(dst[done:], keys[done:], n)
	default:
		md5Generic(dst, keys)
	}
}

func md5CounterAt(tier cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(2, len(dst), len(keys))
	n := len(keys)
	done := 0
	if tier == cpu.NEON && n >= leastMD5CounterNEON {
		numbers := md5Numbers(uint32(counter)|0x80<<8, 72)
		done = md5InSixteens(dst, keys, &numbers, leastMD5CounterNEON)
	}
	md5CounterEach(dst[done:], keys[done:], n, counter)
}

// md5InSixteens hashes all keys but those left over that are fewer than least, and returns how
// many.
func md5InSixteens(dst, keys []uint64, numbers *[64]uint32, least int) (done int) {
	n := len(keys)
	done = n &^ 15
	md5NEON(dst, keys[:done], n, numbers)
	rest := keys[done:]
	if len(rest) < least {
		return done
	}
	var padded [16]uint64
	var codes [2 * 16]uint64
	copy(padded[:], rest)
	md5NEON(codes[:], padded[:], 16, numbers)
	takeOf(16, dst[done:], n, codes[:], len(rest))
	return n
}

var md5Plain = md5Numbers(md5Word2, md5Word14)
