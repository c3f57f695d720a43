//go:build !purego

package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// digest is a cryptographic hash whose kernels hash 8 keys (AVX2) or 16 keys (AVX-512) at a time.
type digest int

const (
	ofMD5 digest = iota
	ofSHA1
	ofSHA256
)

// Fewer keys than these are hashed faster one by one. That also applies to the keys left over from
// groups of 8 and 16.
const (
	leastMD5AVX512    = 1
	leastMD5AVX2      = 2
	leastSHA1AVX512   = 2
	leastSHA1AVX2     = 3
	leastSHA256AVX512 = 3
	leastSHA256AVX2   = 5
)

var digests = [...]struct{ words, leastAVX512, leastAVX2 int }{
	ofMD5:    {2, leastMD5AVX512, leastMD5AVX2},
	ofSHA1:   {3, leastSHA1AVX512, leastSHA1AVX2},
	ofSHA256: {4, leastSHA256AVX512, leastSHA256AVX2},
}

func md5At(tier cpu.Tier, dst, keys []uint64, counter byte) {
	done := ofMD5.hash(tier, dst, keys, counter)
	md5Each(dst[done:], keys[done:], len(keys), counter)
}

func sha1At(tier cpu.Tier, dst, keys []uint64, counter byte) {
	done := ofSHA1.hash(tier, dst, keys, counter)
	sha1Each(dst[done:], keys[done:], len(keys), counter)
}

func sha256At(tier cpu.Tier, dst, keys []uint64, counter byte) {
	done := ofSHA256.hash(tier, dst, keys, counter)
	sha256Each(dst[done:], keys[done:], len(keys), counter)
}

// hash hashes all keys except those that are faster one by one, and returns how many it has hashed.
func (d digest) hash(tier cpu.Tier, dst, keys []uint64, counter byte) (done int) {
	roomFor(digests[d].words, len(dst), len(keys))
	n := len(keys) - int(min(counter, 1)) // computing the numbers of a counter takes as long as a key
	switch {
	case tier >= cpu.AVX512 && n >= digests[d].leastAVX512:
		return d.inSixteensAVX512(dst, keys, counter)
	case tier >= cpu.AVX2 && n >= digests[d].leastAVX2:
		return d.inEightsAVX2(dst, keys, counter)
	}
	return 0
}

func (d digest) inSixteensAVX512(dst, keys []uint64, counter byte) (done int) {
	if done = len(keys); done%16 < digests[d].leastAVX512 {
		done &^= 15
	}
	var room digestNumbers
	numbers, n := d.numbers(&room, counter, false), len(keys)
	switch keys = keys[:done]; d {
	case ofMD5:
		md5AVX512(dst, keys, n, (*[64]uint32)(numbers[:]))
	case ofSHA1:
		sha1AVX512(dst, keys, n, (*[102]uint32)(numbers[:]))
	case ofSHA256:
		sha256AVX512(dst, keys, n, (*[80]uint32)(numbers[:]))
	}
	return done
}

func (d digest) inEightsAVX2(dst, keys []uint64, counter byte) (done int) {
	var room digestNumbers
	var scratch [64]uint64
	numbers, n := d.numbers(&room, counter, true), len(keys)
	done = n &^ 7
	d.eightsAVX2(dst, keys[:done], n, numbers, &scratch)
	rest := keys[done:]
	if len(rest) < digests[d].leastAVX2 {
		return done
	}
	var padded [8]uint64
	var codes [4 * 8]uint64
	copy(padded[:], rest)
	d.eightsAVX2(codes[:], padded[:], 8, numbers, &scratch)
	takeOf(8, dst[done:], n, codes[:8*digests[d].words], len(rest))
	return n
}

func (d digest) eightsAVX2(dst, keys []uint64, stride int, numbers *digestNumbers, scratch *[64]uint64) {
	switch d {
	case ofMD5:
		md5AVX2(dst, keys, stride, (*[64]uint32)(numbers[:]))
	case ofSHA1:
		sha1AVX2(dst, keys, stride, (*[102]uint32)(numbers[:]), scratch)
	case ofSHA256:
		sha256AVX2(dst, keys, stride, (*[80]uint32)(numbers[:]), scratch)
	}
}

// digestNumbers holds the numbers that tell a kernel what follows each key: 64 for MD5, 102 for
// SHA-1 and 80 for SHA-256.
type digestNumbers [102]uint32

// plainNumbers are the numbers for counter 0, for AVX-512 and for AVX2.
var plainNumbers = func() (plain [2][len(digests)]digestNumbers) {
	for d := range digests {
		digest(d).set(&plain[0][d], 0, false)
		digest(d).set(&plain[1][d], 0, true)
	}
	return plain
}()

// numbers returns the numbers for a counter. For counters other than 0, it stores them in room.
func (d digest) numbers(room *digestNumbers, counter byte, avx2 bool) *digestNumbers {
	if counter != 0 {
		d.set(room, counter, avx2)
		return room
	}
	if avx2 {
		return &plainNumbers[1][d]
	}
	return &plainNumbers[0][d]
}

func (d digest) set(numbers *digestNumbers, counter byte, avx2 bool) {
	switch d {
	case ofMD5:
		*(*[64]uint32)(numbers[:]) = md5Numbers(counter)
		if avx2 {
			// AVX2 has no ternary logic, so the kernel subtracts the complement of the fourth
			// round's function: -x is ^x + 1.
			for i := range numbers[48:64] {
				numbers[48+i]--
			}
		}
	case ofSHA1:
		*(*[102]uint32)(numbers[:]) = sha1Numbers(counter)
	case ofSHA256:
		*(*[80]uint32)(numbers[:]) = sha256Numbers(counter)
	}
}

// sha1Numbers returns the numbers that the steps add and that words from 16 on are XORed with.
// Words that depend only on what follows the key are added together with the steps' own numbers.
func sha1Numbers(counter byte) (numbers [102]uint32) {
	word2, length := suffix(counter)
	w := [38]uint32{2: bits.ReverseBytes32(word2), 15: length}
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

// sha256Numbers returns the numbers that the steps add and that are added to words from 16 on.
func sha256Numbers(counter byte) (numbers [80]uint32) {
	word2, length := suffix(counter)
	w := [32]uint32{2: bits.ReverseBytes32(word2), 15: length}
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
