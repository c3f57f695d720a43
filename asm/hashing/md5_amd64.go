//go:build !purego

package hashing

import "simhashkit/asm/cpu"

const (
	// Fewer keys than these are hashed faster without vectors, also those that are left over from
	// groups of 8. With AVX-512 a single key is not. A counter's numbers have to be made first.
	leastMD5AVX2          = 2
	leastMD5CounterAVX512 = 2
	leastMD5CounterAVX2   = 3
)

func md5At(tier cpu.Tier, dst, keys []uint64) {
	roomFor(2, len(dst), len(keys))
	n := len(keys)
	switch {
	case tier >= cpu.AVX512:
		md5AVX512(dst, keys, n, &md5PlainAVX512)
	case tier >= cpu.AVX2 && n >= leastMD5AVX2:
		done := md5InEightsAVX2(dst, keys, &md5PlainAVX2)
		md5Each(dst[done:], keys[done:], n)
	default:
		md5Generic(dst, keys)
	}
}

func md5CounterAt(tier cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(2, len(dst), len(keys))
	n := len(keys)
	done := 0
	word2, bits := uint32(counter)|0x80<<8, uint32(72)
	switch {
	case tier >= cpu.AVX512 && n >= leastMD5CounterAVX512:
		numbers := md5Numbers(word2, bits)
		md5AVX512(dst, keys, n, &numbers)
		done = n
	case tier >= cpu.AVX2 && n >= leastMD5CounterAVX2:
		numbers := md5NumbersComplemented(word2, bits)
		done = md5InEightsAVX2(dst, keys, &numbers)
	}
	md5CounterEach(dst[done:], keys[done:], n, counter)
}

// md5InEightsAVX2 hashes all keys but those left over that are faster without vectors, and returns
// how many.
func md5InEightsAVX2(dst, keys []uint64, numbers *[64]uint32) (done int) {
	n := len(keys)
	done = n &^ 7
	md5AVX2(dst, keys[:done], n, numbers)
	rest := keys[done:]
	if len(rest) < leastMD5AVX2 {
		return done
	}
	var padded [8]uint64
	var codes [2 * 8]uint64
	copy(padded[:], rest)
	md5AVX2(codes[:], padded[:], 8, numbers)
	takeOf(8, dst[done:], n, codes[:], len(rest))
	return n
}

var md5PlainAVX512, md5PlainAVX2 = md5Numbers(md5Word2, md5Word14), md5NumbersComplemented(md5Word2, md5Word14)

// md5NumbersComplemented is md5Numbers for AVX2, which without ternary logic subtracts the
// complement of the fourth round's function: -x is ^x + 1.
func md5NumbersComplemented(word2, word14 uint32) [64]uint32 {
	numbers := md5Numbers(word2, word14)
	for i := range numbers[48:] {
		numbers[48+i]--
	}
	return numbers
}
