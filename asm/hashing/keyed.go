package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// SipHash fills dst[i] with the 64-bit SipHash-2-4 (Aumasson and Bernstein, 2012) of keys[i] under
// the key, a secret of 16 bytes given as two little-endian words.
func SipHash(dst, keys []uint64, key *[2]uint64) {
	sipHashAt(cpu.Active(), dst, keys, key)
}

const (
	sipLength uint64 = 8 << 56 // the length of a key in the form of the last block
	sipFinish uint64 = 0xFF
)

// sipHashStart returns the initial state for all keys, after the part of the first round that does
// not depend on the key: the whole half of v0 and v1.
func sipHashStart(key *[2]uint64) (v0, v1, v2, v3 uint64) {
	v0, v1 = sipHalf(key[0]^0x736F6D6570736575, key[1]^0x646F72616E646F6D, 13)
	return bits.RotateLeft64(v0, 32), v1, key[0] ^ 0x6C7967656E657261, key[1] ^ 0x7465646279746573
}

// sipHalf is a quarter of a round: one half of half a round. Whole rounds are written out, because
// the compiler does not inline more than this.
func sipHalf(a, b uint64, by int) (uint64, uint64) {
	a += b
	return a, bits.RotateLeft64(b, by) ^ a
}

func sipHashGeneric(dst, keys []uint64, key *[2]uint64) {
	dst = dst[:len(keys)]
	start0, start1, start2, start3 := sipHashStart(key)
	for i, k := range keys {
		v0, v1, v2, v3 := start0, start1, start2, start3^k
		v2, v3 = sipHalf(v2, v3, 16)
		v0, v3 = sipHalf(v0, v3, 21)
		v2, v1 = sipHalf(v2, v1, 17)
		v2 = bits.RotateLeft64(v2, 32)

		v0, v1 = sipHalf(v0, v1, 13)
		v2, v3 = sipHalf(v2, v3, 16)
		v0, v3 = sipHalf(bits.RotateLeft64(v0, 32), v3, 21)
		v2, v1 = sipHalf(v2, v1, 17)
		v2 = bits.RotateLeft64(v2, 32)

		v0 ^= k
		v3 ^= sipLength
		for range 2 {
			v0, v1 = sipHalf(v0, v1, 13)
			v2, v3 = sipHalf(v2, v3, 16)
			v0, v3 = sipHalf(bits.RotateLeft64(v0, 32), v3, 21)
			v2, v1 = sipHalf(v2, v1, 17)
			v2 = bits.RotateLeft64(v2, 32)
		}
		v0 ^= sipLength
		v2 ^= sipFinish
		for range 4 {
			v0, v1 = sipHalf(v0, v1, 13)
			v2, v3 = sipHalf(v2, v3, 16)
			v0, v3 = sipHalf(bits.RotateLeft64(v0, 32), v3, 21)
			v2, v1 = sipHalf(v2, v1, 17)
			v2 = bits.RotateLeft64(v2, 32)
		}
		dst[i] = v0 ^ v1 ^ v2 ^ v3
	}
}

// sipHashState returns the result of sipHashStart in memory.
func sipHashState(key *[2]uint64) *[4]uint64 {
	v0, v1, v2, v3 := sipHashStart(key)
	return &[4]uint64{v0, v1, v2, v3}
}

// Highway64 fills dst[i] with the 64-bit HighwayHash (Alakuijala, Cox and Wassenberg, 2016) of
// keys[i] under the key, a secret of 32 bytes given as four little-endian words.
func Highway64(dst, keys []uint64, key *[4]uint64) {
	highway64At(cpu.Active(), dst, keys, key)
}

// Highway128 fills dst with the 128-bit HighwayHash of the keys under the key: word 0 of all keys,
// then word 1 of all keys.
//
// dst has two words per key: the words of keys[i] are dst[i] and dst[len(keys)+i]. It must not
// overlap keys. Word 0 is not Highway64, because the widths are different hashes.
func Highway128(dst, keys []uint64, key *[4]uint64) {
	highway128At(cpu.Active(), dst, keys, key)
}

// Highway256 fills dst with the 256-bit HighwayHash of the keys under the key: word 0 of all keys,
// then word 1 of all keys, and so on.
//
// dst has four words per key: word t of keys[i] is dst[t*len(keys)+i]. It must not overlap keys.
func Highway256(dst, keys []uint64, key *[4]uint64) {
	highway256At(cpu.Active(), dst, keys, key)
}

// HighwayHash works on four lanes of 64 bits each in v0, v1, mul0 and mul1. A key of 8 bytes is
// shorter than a packet of 32 bytes, so it consists only of the remainder: its length goes into v0
// and v1, and it is padded to a packet whose lane 0 is the key and whose other lanes are 0. After
// that come 4, 6 or 10 rounds without input, depending on the width.
const (
	highwayRounds64  = 4
	highwayRounds128 = 6
	highwayRounds256 = 10
)

// Initial values of mul0 and mul1: digits of π.
var (
	highwayMul0 = [4]uint64{0xDBE6D5D5FE4CCE2F, 0xA4093822299F31D0, 0x13198A2E03707344, 0x243F6A8885A308D3}
	highwayMul1 = [4]uint64{0x3BD39E10CB0EF593, 0xC0ACF169B5F18A8C, 0xBE5466CF34E90C6C, 0x452821E638D01377}
)

// highwayState holds v0, v1, mul0 and mul1, one after the other.
type highwayState struct{ v0, v1, mul0, mul1 [4]uint64 }

// init computes the state that all keys of 8 bytes have in common: the state right before their
// only packet.
func (s *highwayState) init(key *[4]uint64) {
	const length = 8
	for i, k := range key {
		s.v0[i] = highwayMul0[i] ^ k + length<<32 + length
		v1 := highwayMul1[i] ^ bits.RotateLeft64(k, 32)
		s.v1[i] = uint64(bits.RotateLeft32(uint32(v1>>32), length))<<32 | uint64(bits.RotateLeft32(uint32(v1), length))
	}
	s.mul0, s.mul1 = highwayMul0, highwayMul1
}

// finish hashes the packet of the key and does the rounds.
func (s *highwayState) finish(key uint64, rounds int) {
	a0, a1, a2, a3 := s.v0[0], s.v0[1], s.v0[2], s.v0[3]
	c0, c1, c2, c3 := s.v1[0], s.v1[1], s.v1[2], s.v1[3]
	m0, m1, m2, m3 := s.mul0[0], s.mul0[1], s.mul0[2], s.mul0[3]
	n0, n1, n2, n3 := s.mul1[0], s.mul1[1], s.mul1[2], s.mul1[3]
	p0, p1, p2, p3 := key, uint64(0), uint64(0), uint64(0)
	for ; ; rounds-- {
		c0 += m0 + p0
		c1 += m1 + p1
		c2 += m2 + p2
		c3 += m3 + p3
		m0 ^= uint64(uint32(c0)) * (a0 >> 32)
		m1 ^= uint64(uint32(c1)) * (a1 >> 32)
		m2 ^= uint64(uint32(c2)) * (a2 >> 32)
		m3 ^= uint64(uint32(c3)) * (a3 >> 32)
		a0 += n0
		a1 += n1
		a2 += n2
		a3 += n3
		n0 ^= uint64(uint32(a0)) * (c0 >> 32)
		n1 ^= uint64(uint32(a1)) * (c1 >> 32)
		n2 ^= uint64(uint32(a2)) * (c2 >> 32)
		n3 ^= uint64(uint32(a3)) * (c3 >> 32)
		x, y := zipperMerge(c0, c1)
		a0 += x
		a1 += y
		x, y = zipperMerge(c2, c3)
		a2 += x
		a3 += y
		x, y = zipperMerge(a0, a1)
		c0 += x
		c1 += y
		x, y = zipperMerge(a2, a3)
		c2 += x
		c3 += y
		if rounds == 0 {
			break
		}
		p0, p1, p2, p3 = bits.RotateLeft64(a2, 32), bits.RotateLeft64(a3, 32), bits.RotateLeft64(a0, 32), bits.RotateLeft64(a1, 32)
	}
	s.v0, s.v1 = [4]uint64{a0, a1, a2, a3}, [4]uint64{c0, c1, c2, c3}
	s.mul0, s.mul1 = [4]uint64{m0, m1, m2, m3}, [4]uint64{n0, n1, n2, n3}
}

// zipperMerge spreads the bytes of two lanes over both, so that the best mixed bytes, from the
// middle of the products, end up where the next product needs them. With the 16 bytes of a and b
// numbered from a's lowest to b's highest, the first word has bytes 3, 12, 2, 5, 14, 1, 15, 0 and
// the second 11, 4, 10, 13, 9, 6, 8, 7.
func zipperMerge(a, b uint64) (uint64, uint64) {
	// Bytes 4, 6 and 7 are exchanged first. Then each word is a permutation of its own bytes.
	const swapped = 0xFFFF00FF00000000
	t := (a ^ b) & swapped
	a ^= t
	b ^= t
	x := a>>24&0xFFFF | a&0xFF0000 | a>>16&0xFFFF000000 | a&0xFF00<<32 | bits.RotateLeft64(a, -8)&(0xFFFF<<48)
	y := b>>24&0xFFFF | b&(0xFF<<56|0xFF0000) | bits.RotateLeft64(b, -16)&(0xFF<<48|0xFF000000) | b&0xFF00<<24 | b>>8&(0xFF<<40)
	return x, y
}

func highway64Generic(dst, keys []uint64, key *[4]uint64) {
	dst = dst[:len(keys)]
	var start highwayState
	start.init(key)
	for i, k := range keys {
		s := start
		s.finish(k, highwayRounds64)
		dst[i] = s.code64()
	}
}

func highway128Generic(dst, keys []uint64, key *[4]uint64) {
	n := len(keys)
	var start highwayState
	start.init(key)
	for i, k := range keys {
		s := start
		s.finish(k, highwayRounds128)
		dst[i], dst[n+i] = s.code128()
	}
}

func highway256Generic(dst, keys []uint64, key *[4]uint64) {
	n := len(keys)
	var start highwayState
	start.init(key)
	for i, k := range keys {
		s := start
		s.finish(k, highwayRounds256)
		for t := 0; t < 4; t += 2 {
			dst[t*n+i], dst[(t+1)*n+i] = s.code256(t)
		}
	}
}

// The functions below extract the code of each width from the state after the last round. code256
// returns words t and t+1.

func (s *highwayState) code64() uint64 { return s.v0[0] + s.v1[0] + s.mul0[0] + s.mul1[0] }

func (s *highwayState) code128() (low, high uint64) {
	return s.v0[0] + s.mul0[0] + s.v1[2] + s.mul1[2], s.v0[1] + s.mul0[1] + s.v1[3] + s.mul1[3]
}

func (s *highwayState) code256(t int) (low, high uint64) {
	return highwayReduce(s.v0[t]+s.mul0[t], s.v0[t+1]+s.mul0[t+1], s.v1[t]+s.mul1[t], s.v1[t+1]+s.mul1[t+1])
}

// highwayReduce returns the polynomial over GF(2) whose coefficients are the 254 lowest bits of a
// to d, a lowest, modulo x^128 + x^2 + x.
func highwayReduce(a, b, c, d uint64) (low, high uint64) {
	d &= 1<<62 - 1
	return a ^ c<<1 ^ c<<2, b ^ (d<<1 | c>>63) ^ (d<<2 | c>>62)
}
