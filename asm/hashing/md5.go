package hashing

import (
	"crypto/md5"
	"encoding/binary"
	"math/bits"

	"simhashkit/asm/cpu"
)

// MD5 fills dst with the MD5 digests (RFC 1321) of the keys, each digest read as two little-endian
// words: word 0 of all keys, then word 1 of all keys.
//
// dst has two words per key: the words of keys[i] are dst[i] and dst[len(keys)+i]. It must not
// overlap keys.
func MD5(dst, keys []uint64) {
	md5At(cpu.Active(), dst, keys)
}

// MD5Counter is MD5 of a key's 8 bytes followed by the counter as the ninth byte.
func MD5Counter(dst, keys []uint64, counter byte) {
	md5CounterAt(cpu.Active(), dst, keys, counter)
}

// The initial state of MD5 (RFC 1321).
const (
	md5A = 0x67452301
	md5B = 0xEFCDAB89
	md5C = 0x98BADCFE
	md5D = 0x10325476
)

// A key of 8 bytes makes one block of 16 words. The key is words 0 and 1. The padding sets two more
// words, and the others are 0.
const (
	md5Word2  = 0x80 // the one bit that ends the message
	md5Word14 = 64   // its length in bits
)

func md5Generic(dst, keys []uint64) { md5Each(dst, keys, len(keys)) }

//lint:ignore U1000 only some architectures use it
func md5CounterGeneric(dst, keys []uint64, counter byte) {
	md5CounterEach(dst, keys, len(keys), counter)
}

// md5Each hashes the keys in pairs. The two hashes of a pair do not depend on each other, so one
// computes while the other waits. A single key gains nothing from that, so the library hashes it.
func md5Each(dst, keys []uint64, stride int) {
	low, high := dst[:len(keys)], dst[stride:][:len(keys)]
	i := 0
	for ; i+1 < len(keys); i += 2 {
		low[i], high[i], low[i+1], high[i+1] = md5Pair(keys[i], keys[i+1])
	}
	if i < len(keys) {
		var message [8]byte
		binary.LittleEndian.PutUint64(message[:], keys[i])
		digest := md5.Sum(message[:])
		low[i], high[i] = binary.LittleEndian.Uint64(digest[:8]), binary.LittleEndian.Uint64(digest[8:])
	}
}

// md5CounterEach hashes one key after the other with the library.
func md5CounterEach(dst, keys []uint64, stride int, counter byte) {
	message := [9]byte{8: counter}
	for i, key := range keys {
		binary.LittleEndian.PutUint64(message[:], key)
		digest := md5.Sum(message[:])
		dst[i], dst[stride+i] = binary.LittleEndian.Uint64(digest[:8]), binary.LittleEndian.Uint64(digest[8:])
	}
}

// md5Pair returns the two words of both digests. The numbers are floor(2^32·|sin i|), i from 1 to
// 64. Each sum ends with the operand that waits longest for the previous step.
func md5Pair(key, other uint64) (low, high, otherLow, otherHigh uint64) {
	w0, w1, x0, x1 := uint32(key), uint32(key>>32), uint32(other), uint32(other>>32)
	a, b, c, d := uint32(md5A), uint32(md5B), uint32(md5C), uint32(md5D)
	e, f, g, h := a, b, c, d

	// Round 1: select c or d by b.
	a = b + bits.RotateLeft32(a+0xd76aa478+w0+(d^b&(c^d)), 7)
	e = f + bits.RotateLeft32(e+0xd76aa478+x0+(h^f&(g^h)), 7)
	d = a + bits.RotateLeft32(d+0xe8c7b756+w1+(c^a&(b^c)), 12)
	h = e + bits.RotateLeft32(h+0xe8c7b756+x1+(g^e&(f^g)), 12)
	c = d + bits.RotateLeft32(c+0x242070db+md5Word2+(b^d&(a^b)), 17)
	g = h + bits.RotateLeft32(g+0x242070db+md5Word2+(f^h&(e^f)), 17)
	b = c + bits.RotateLeft32(b+0xc1bdceee+(a^c&(d^a)), 22)
	f = g + bits.RotateLeft32(f+0xc1bdceee+(e^g&(h^e)), 22)
	a = b + bits.RotateLeft32(a+0xf57c0faf+(d^b&(c^d)), 7)
	e = f + bits.RotateLeft32(e+0xf57c0faf+(h^f&(g^h)), 7)
	d = a + bits.RotateLeft32(d+0x4787c62a+(c^a&(b^c)), 12)
	h = e + bits.RotateLeft32(h+0x4787c62a+(g^e&(f^g)), 12)
	c = d + bits.RotateLeft32(c+0xa8304613+(b^d&(a^b)), 17)
	g = h + bits.RotateLeft32(g+0xa8304613+(f^h&(e^f)), 17)
	b = c + bits.RotateLeft32(b+0xfd469501+(a^c&(d^a)), 22)
	f = g + bits.RotateLeft32(f+0xfd469501+(e^g&(h^e)), 22)
	a = b + bits.RotateLeft32(a+0x698098d8+(d^b&(c^d)), 7)
	e = f + bits.RotateLeft32(e+0x698098d8+(h^f&(g^h)), 7)
	d = a + bits.RotateLeft32(d+0x8b44f7af+(c^a&(b^c)), 12)
	h = e + bits.RotateLeft32(h+0x8b44f7af+(g^e&(f^g)), 12)
	c = d + bits.RotateLeft32(c+0xffff5bb1+(b^d&(a^b)), 17)
	g = h + bits.RotateLeft32(g+0xffff5bb1+(f^h&(e^f)), 17)
	b = c + bits.RotateLeft32(b+0x895cd7be+(a^c&(d^a)), 22)
	f = g + bits.RotateLeft32(f+0x895cd7be+(e^g&(h^e)), 22)
	a = b + bits.RotateLeft32(a+0x6b901122+(d^b&(c^d)), 7)
	e = f + bits.RotateLeft32(e+0x6b901122+(h^f&(g^h)), 7)
	d = a + bits.RotateLeft32(d+0xfd987193+(c^a&(b^c)), 12)
	h = e + bits.RotateLeft32(h+0xfd987193+(g^e&(f^g)), 12)
	c = d + bits.RotateLeft32(c+0xa679438e+md5Word14+(b^d&(a^b)), 17)
	g = h + bits.RotateLeft32(g+0xa679438e+md5Word14+(f^h&(e^f)), 17)
	b = c + bits.RotateLeft32(b+0x49b40821+(a^c&(d^a)), 22)
	f = g + bits.RotateLeft32(f+0x49b40821+(e^g&(h^e)), 22)

	// Round 2: select b or c by d.
	a = b + bits.RotateLeft32(a+0xf61e2562+w1+c&^d+b&d, 5)
	e = f + bits.RotateLeft32(e+0xf61e2562+x1+g&^h+f&h, 5)
	d = a + bits.RotateLeft32(d+0xc040b340+b&^c+a&c, 9)
	h = e + bits.RotateLeft32(h+0xc040b340+f&^g+e&g, 9)
	c = d + bits.RotateLeft32(c+0x265e5a51+a&^b+d&b, 14)
	g = h + bits.RotateLeft32(g+0x265e5a51+e&^f+h&f, 14)
	b = c + bits.RotateLeft32(b+0xe9b6c7aa+w0+d&^a+c&a, 20)
	f = g + bits.RotateLeft32(f+0xe9b6c7aa+x0+h&^e+g&e, 20)
	a = b + bits.RotateLeft32(a+0xd62f105d+c&^d+b&d, 5)
	e = f + bits.RotateLeft32(e+0xd62f105d+g&^h+f&h, 5)
	d = a + bits.RotateLeft32(d+0x2441453+b&^c+a&c, 9)
	h = e + bits.RotateLeft32(h+0x2441453+f&^g+e&g, 9)
	c = d + bits.RotateLeft32(c+0xd8a1e681+a&^b+d&b, 14)
	g = h + bits.RotateLeft32(g+0xd8a1e681+e&^f+h&f, 14)
	b = c + bits.RotateLeft32(b+0xe7d3fbc8+d&^a+c&a, 20)
	f = g + bits.RotateLeft32(f+0xe7d3fbc8+h&^e+g&e, 20)
	a = b + bits.RotateLeft32(a+0x21e1cde6+c&^d+b&d, 5)
	e = f + bits.RotateLeft32(e+0x21e1cde6+g&^h+f&h, 5)
	d = a + bits.RotateLeft32(d+0xc33707d6+md5Word14+b&^c+a&c, 9)
	h = e + bits.RotateLeft32(h+0xc33707d6+md5Word14+f&^g+e&g, 9)
	c = d + bits.RotateLeft32(c+0xf4d50d87+a&^b+d&b, 14)
	g = h + bits.RotateLeft32(g+0xf4d50d87+e&^f+h&f, 14)
	b = c + bits.RotateLeft32(b+0x455a14ed+d&^a+c&a, 20)
	f = g + bits.RotateLeft32(f+0x455a14ed+h&^e+g&e, 20)
	a = b + bits.RotateLeft32(a+0xa9e3e905+c&^d+b&d, 5)
	e = f + bits.RotateLeft32(e+0xa9e3e905+g&^h+f&h, 5)
	d = a + bits.RotateLeft32(d+0xfcefa3f8+md5Word2+b&^c+a&c, 9)
	h = e + bits.RotateLeft32(h+0xfcefa3f8+md5Word2+f&^g+e&g, 9)
	c = d + bits.RotateLeft32(c+0x676f02d9+a&^b+d&b, 14)
	g = h + bits.RotateLeft32(g+0x676f02d9+e&^f+h&f, 14)
	b = c + bits.RotateLeft32(b+0x8d2a4c8a+d&^a+c&a, 20)
	f = g + bits.RotateLeft32(f+0x8d2a4c8a+h&^e+g&e, 20)

	// Round 3: parity.
	a = b + bits.RotateLeft32(a+0xfffa3942+(b^c^d), 4)
	e = f + bits.RotateLeft32(e+0xfffa3942+(f^g^h), 4)
	d = a + bits.RotateLeft32(d+0x8771f681+(a^b^c), 11)
	h = e + bits.RotateLeft32(h+0x8771f681+(e^f^g), 11)
	c = d + bits.RotateLeft32(c+0x6d9d6122+(d^a^b), 16)
	g = h + bits.RotateLeft32(g+0x6d9d6122+(h^e^f), 16)
	b = c + bits.RotateLeft32(b+0xfde5380c+md5Word14+(c^d^a), 23)
	f = g + bits.RotateLeft32(f+0xfde5380c+md5Word14+(g^h^e), 23)
	a = b + bits.RotateLeft32(a+0xa4beea44+w1+(b^c^d), 4)
	e = f + bits.RotateLeft32(e+0xa4beea44+x1+(f^g^h), 4)
	d = a + bits.RotateLeft32(d+0x4bdecfa9+(a^b^c), 11)
	h = e + bits.RotateLeft32(h+0x4bdecfa9+(e^f^g), 11)
	c = d + bits.RotateLeft32(c+0xf6bb4b60+(d^a^b), 16)
	g = h + bits.RotateLeft32(g+0xf6bb4b60+(h^e^f), 16)
	b = c + bits.RotateLeft32(b+0xbebfbc70+(c^d^a), 23)
	f = g + bits.RotateLeft32(f+0xbebfbc70+(g^h^e), 23)
	a = b + bits.RotateLeft32(a+0x289b7ec6+(b^c^d), 4)
	e = f + bits.RotateLeft32(e+0x289b7ec6+(f^g^h), 4)
	d = a + bits.RotateLeft32(d+0xeaa127fa+w0+(a^b^c), 11)
	h = e + bits.RotateLeft32(h+0xeaa127fa+x0+(e^f^g), 11)
	c = d + bits.RotateLeft32(c+0xd4ef3085+(d^a^b), 16)
	g = h + bits.RotateLeft32(g+0xd4ef3085+(h^e^f), 16)
	b = c + bits.RotateLeft32(b+0x4881d05+(c^d^a), 23)
	f = g + bits.RotateLeft32(f+0x4881d05+(g^h^e), 23)
	a = b + bits.RotateLeft32(a+0xd9d4d039+(b^c^d), 4)
	e = f + bits.RotateLeft32(e+0xd9d4d039+(f^g^h), 4)
	d = a + bits.RotateLeft32(d+0xe6db99e5+(a^b^c), 11)
	h = e + bits.RotateLeft32(h+0xe6db99e5+(e^f^g), 11)
	c = d + bits.RotateLeft32(c+0x1fa27cf8+(d^a^b), 16)
	g = h + bits.RotateLeft32(g+0x1fa27cf8+(h^e^f), 16)
	b = c + bits.RotateLeft32(b+0xc4ac5665+md5Word2+(c^d^a), 23)
	f = g + bits.RotateLeft32(f+0xc4ac5665+md5Word2+(g^h^e), 23)

	// Round 4: c ^ (b | not d).
	a = b + bits.RotateLeft32(a+0xf4292244+w0+(c^(b|^d)), 6)
	e = f + bits.RotateLeft32(e+0xf4292244+x0+(g^(f|^h)), 6)
	d = a + bits.RotateLeft32(d+0x432aff97+(b^(a|^c)), 10)
	h = e + bits.RotateLeft32(h+0x432aff97+(f^(e|^g)), 10)
	c = d + bits.RotateLeft32(c+0xab9423a7+md5Word14+(a^(d|^b)), 15)
	g = h + bits.RotateLeft32(g+0xab9423a7+md5Word14+(e^(h|^f)), 15)
	b = c + bits.RotateLeft32(b+0xfc93a039+(d^(c|^a)), 21)
	f = g + bits.RotateLeft32(f+0xfc93a039+(h^(g|^e)), 21)
	a = b + bits.RotateLeft32(a+0x655b59c3+(c^(b|^d)), 6)
	e = f + bits.RotateLeft32(e+0x655b59c3+(g^(f|^h)), 6)
	d = a + bits.RotateLeft32(d+0x8f0ccc92+(b^(a|^c)), 10)
	h = e + bits.RotateLeft32(h+0x8f0ccc92+(f^(e|^g)), 10)
	c = d + bits.RotateLeft32(c+0xffeff47d+(a^(d|^b)), 15)
	g = h + bits.RotateLeft32(g+0xffeff47d+(e^(h|^f)), 15)
	b = c + bits.RotateLeft32(b+0x85845dd1+w1+(d^(c|^a)), 21)
	f = g + bits.RotateLeft32(f+0x85845dd1+x1+(h^(g|^e)), 21)
	a = b + bits.RotateLeft32(a+0x6fa87e4f+(c^(b|^d)), 6)
	e = f + bits.RotateLeft32(e+0x6fa87e4f+(g^(f|^h)), 6)
	d = a + bits.RotateLeft32(d+0xfe2ce6e0+(b^(a|^c)), 10)
	h = e + bits.RotateLeft32(h+0xfe2ce6e0+(f^(e|^g)), 10)
	c = d + bits.RotateLeft32(c+0xa3014314+(a^(d|^b)), 15)
	g = h + bits.RotateLeft32(g+0xa3014314+(e^(h|^f)), 15)
	b = c + bits.RotateLeft32(b+0x4e0811a1+(d^(c|^a)), 21)
	f = g + bits.RotateLeft32(f+0x4e0811a1+(h^(g|^e)), 21)
	a = b + bits.RotateLeft32(a+0xf7537e82+(c^(b|^d)), 6)
	e = f + bits.RotateLeft32(e+0xf7537e82+(g^(f|^h)), 6)
	d = a + bits.RotateLeft32(d+0xbd3af235+(b^(a|^c)), 10)
	h = e + bits.RotateLeft32(h+0xbd3af235+(f^(e|^g)), 10)
	c = d + bits.RotateLeft32(c+0x2ad7d2bb+md5Word2+(a^(d|^b)), 15)
	g = h + bits.RotateLeft32(g+0x2ad7d2bb+md5Word2+(e^(h|^f)), 15)
	b = c + bits.RotateLeft32(b+0xeb86d391+(d^(c|^a)), 21)
	f = g + bits.RotateLeft32(f+0xeb86d391+(h^(g|^e)), 21)

	return uint64(a+md5A) | uint64(b+md5B)<<32, uint64(c+md5C) | uint64(d+md5D)<<32, uint64(e+md5A) | uint64(f+md5B)<<32, uint64(g+md5C) | uint64(h+md5D)<<32
}
