//go:build !purego

package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

const (
	// Fewer keys than these are hashed faster one by one. That also applies to the keys left over
	// from groups of 8 and 16. With a counter, the numbers have to be computed first.
	leastSHA1AVX512        = 2
	leastSHA1AVX2          = 3
	leastSHA1CounterAVX512 = 3
	leastSHA1CounterAVX2   = 3
)

func sha1At(tier cpu.Tier, dst, keys []uint64) {
	roomFor(3, len(dst), len(keys))
	var message [8]byte
	n, done := len(keys), 0
	switch {
	case tier >= cpu.AVX512 && n >= leastSHA1AVX512:
		done = sha1InSixteensAVX512(dst, keys, &sha1Plain)
	case tier >= cpu.AVX2 && n >= leastSHA1AVX2:
		done = sha1InEightsAVX2(dst, keys, &sha1Plain)
	}
	sha1Each(dst[done:], keys[done:], n, message[:])
}

func sha1CounterAt(tier cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(3, len(dst), len(keys))
	message := [9]byte{8: counter}
	word2, word15 := uint32(counter)<<24|0x80<<16, uint32(72)
	n, done := len(keys), 0
	switch {
	case tier >= cpu.AVX512 && n >= leastSHA1CounterAVX512:
		numbers := sha1Numbers(word2, word15)
		done = sha1InSixteensAVX512(dst, keys, &numbers)
	case tier >= cpu.AVX2 && n >= leastSHA1CounterAVX2:
		numbers := sha1Numbers(word2, word15)
		done = sha1InEightsAVX2(dst, keys, &numbers)
	}
	sha1Each(dst[done:], keys[done:], n, message[:])
}

// sha1InSixteensAVX512 hashes all keys except left-over ones that are faster one by one, and
// returns how many it has hashed. numbers is computed from the message words that follow the key.
func sha1InSixteensAVX512(dst, keys []uint64, numbers *[102]uint32) (done int) {
	done = len(keys)
	if done%16 < leastSHA1AVX512 {
		done &^= 15
	}
	sha1AVX512(dst, keys[:done], len(keys), numbers)
	return done
}

// sha1InEightsAVX2 does the same as sha1InSixteensAVX512, by AVX2.
func sha1InEightsAVX2(dst, keys []uint64, numbers *[102]uint32) (done int) {
	n := len(keys)
	var scratch [64]uint64
	done = n &^ 7
	sha1AVX2(dst, keys[:done], n, numbers, &scratch)
	rest := keys[done:]
	if len(rest) < leastSHA1AVX2 {
		return done
	}
	var padded [8]uint64
	var codes [3 * 8]uint64
	copy(padded[:], rest)
	sha1AVX2(codes[:], padded[:], 8, numbers, &scratch)
	takeOf(8, dst[done:], n, codes[:], len(rest))
	return n
}

var sha1Plain = sha1Numbers(0x80<<24, 64)

// sha1Numbers returns the numbers that the steps add and that words from 16 on are XORed with.
// word2 and word15 are the words of the block after the key: the end of the message and its length
// in bits. Words that depend only on these two are added together with the steps' own numbers.
func sha1Numbers(word2, word15 uint32) (numbers [102]uint32) {
	w := [38]uint32{2: word2, 15: word15}
	w[18] = bits.RotateLeft32(w[15]^w[2], 1)
	w[21] = bits.RotateLeft32(w[18], 1)
	for t := range 80 {
		numbers[t] = [4]uint32{0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6}[t/20]
		if t < len(w) {
			numbers[t] += w[t]
		}
	}
	for t := 16; t < len(w); t++ {
		numbers[80+t-16] = w[t-3] ^ w[t-8] ^ w[t-14] ^ w[t-16]
	}
	return numbers
}

const (
	// Fewer keys than these are hashed faster one by one. That also applies to the keys left over
	// from groups of 8 and 16. With a counter, the numbers have to be computed first.
	leastSHA256AVX512        = 3
	leastSHA256AVX2          = 5
	leastSHA256CounterAVX512 = 4
	leastSHA256CounterAVX2   = 6
)

func sha256At(tier cpu.Tier, dst, keys []uint64) {
	roomFor(4, len(dst), len(keys))
	var message [8]byte
	n, done := len(keys), 0
	switch {
	case tier >= cpu.AVX512 && n >= leastSHA256AVX512:
		done = sha256InSixteensAVX512(dst, keys, &sha256Plain)
	case tier >= cpu.AVX2 && n >= leastSHA256AVX2:
		done = sha256InEightsAVX2(dst, keys, &sha256Plain)
	}
	sha256Each(dst[done:], keys[done:], n, message[:])
}

func sha256CounterAt(tier cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(4, len(dst), len(keys))
	message := [9]byte{8: counter}
	word2, word15 := uint32(counter)<<24|0x80<<16, uint32(72)
	n, done := len(keys), 0
	switch {
	case tier >= cpu.AVX512 && n >= leastSHA256CounterAVX512:
		numbers := sha256Numbers(word2, word15)
		done = sha256InSixteensAVX512(dst, keys, &numbers)
	case tier >= cpu.AVX2 && n >= leastSHA256CounterAVX2:
		numbers := sha256Numbers(word2, word15)
		done = sha256InEightsAVX2(dst, keys, &numbers)
	}
	sha256Each(dst[done:], keys[done:], n, message[:])
}

// sha256InSixteensAVX512 hashes all keys except left-over ones that are faster one by one, and
// returns how many it has hashed. numbers is computed from the message words that follow the key.
func sha256InSixteensAVX512(dst, keys []uint64, numbers *[80]uint32) (done int) {
	done = len(keys)
	if done%16 < leastSHA256AVX512 {
		done &^= 15
	}
	sha256AVX512(dst, keys[:done], len(keys), numbers)
	return done
}

// sha256InEightsAVX2 does the same as sha256InSixteensAVX512, by AVX2.
func sha256InEightsAVX2(dst, keys []uint64, numbers *[80]uint32) (done int) {
	n := len(keys)
	var scratch [64]uint64
	done = n &^ 7
	sha256AVX2(dst, keys[:done], n, numbers, &scratch)
	rest := keys[done:]
	if len(rest) < leastSHA256AVX2 {
		return done
	}
	var padded [8]uint64
	var codes [4 * 8]uint64
	copy(padded[:], rest)
	sha256AVX2(codes[:], padded[:], 8, numbers, &scratch)
	takeOf(8, dst[done:], n, codes[:], len(rest))
	return n
}

var sha256Plain = sha256Numbers(0x80<<24, 64)

// sha256Numbers returns the numbers that the steps add and that are added to words from 16 on.
// word2 and word15 are the words of the block after the key: the end of the message and its length
// in bits.
func sha256Numbers(word2, word15 uint32) (numbers [80]uint32) {
	w := [32]uint32{2: word2, 15: word15}
	for t := range 64 {
		numbers[t] = sha256Constants[t]
		if t < 16 {
			numbers[t] += w[t]
		}
	}
	sigma := func(x uint32, first, second, shift int) uint32 {
		return bits.RotateLeft32(x, -first) ^ bits.RotateLeft32(x, -second) ^ x>>shift
	}
	for t := 16; t < len(w); t++ {
		numbers[64+t-16] = sigma(w[t-2], 17, 19, 10) + w[t-7] + sigma(w[t-15], 7, 18, 3) + w[t-16]
	}
	return numbers
}

// sha256Constants are the first 32 bits of the fractional parts of the cube roots of the first 64
// primes.
var sha256Constants = [64]uint32{
	0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
	0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
	0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
	0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
	0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
	0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
	0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
	0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
}

const (
	// Fewer keys than these are hashed faster without vectors. That also applies to the keys left
	// over from groups of 8. With AVX-512, vectors are faster even for a single key. With a
	// counter, the numbers have to be computed first.
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

// md5InEightsAVX2 hashes all keys except left-over ones that are faster without vectors, and
// returns how many it has hashed.
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

// md5NumbersComplemented is md5Numbers for AVX2. AVX2 has no ternary logic, so the kernel subtracts
// the complement of the fourth round's function: -x is ^x + 1.
func md5NumbersComplemented(word2, word14 uint32) [64]uint32 {
	numbers := md5Numbers(word2, word14)
	for i := range numbers[48:] {
		numbers[48+i]--
	}
	return numbers
}
