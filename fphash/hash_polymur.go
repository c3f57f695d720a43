package fphash

import (
	"encoding/binary"
	"math/bits"
)

var polymurFamily = Family{
	Name: "polymur", Bits: 64, Seeded: true,
	Verification: 0x65d9888d034dee35,
	New:          func(k Key) (Hash, error) { return newPolymur(k.Seed), nil },
}

// polymur is Orson Peters's PolymurHash, version 2.0 (zlib licence), with parameters from one seed
// and without a tweak. For random parameters, two keys of at most n bytes have equal codes with a
// probability of at most n·2^-60.2. It evaluates a polynomial at the point k modulo 2^61-1, mixes
// the value, and adds s.
type polymur struct {
	powers [8]uint64 // powers of k, by exponent, not all of them reduced completely
	k14, s uint64
}

const polymurPrime = 1<<61 - 1

// polymurReduce returns a number that is congruent to the 128-bit number modulo the prime.
func polymurReduce(high, low uint64) uint64 { return low&polymurPrime + (low>>61 | high<<3) }

func polymurExtra(x uint64) uint64 { return x&polymurPrime + x>>61 }

func polymurTimes(a, b uint64) uint64 { return polymurReduce(bits.Mul64(a, b)) }

func polymurMix(x uint64) uint64 {
	x = (x ^ x>>32) * 0xE9846AF9B1A615D
	x = (x ^ x>>32) * 0xE9846AF9B1A615D
	return x ^ x>>28
}

// newPolymur chooses the parameters: k is 37 to the power of a random exponent. The exponent is
// coprime to 2^61-2, so k is a generator of the multiplicative group like 37. k^7 must be small,
// because sums of products must not overflow.
func newPolymur(seed uint64) *polymur {
	h := &polymur{s: polymurMix(seed+0xA54FF53A5F1D36F1) ^ 0x6A09E667F3BCC908}
	for next := polymurMix(seed + 0x3C6EF372FE94F82B); ; {
		next += 0xBB67AE8584CAA73B
		exponent := next>>3 | 1
		if !polymurCoprime(exponent) {
			continue
		}
		// The original multiplies the even and the odd powers on their own, and multiplies the two
		// products last. The order matters for a number that is not reduced completely.
		products, square := [2]uint64{1, 1}, uint64(37)
		for i := 0; exponent != 0; i, exponent = i+1, exponent>>1 {
			if exponent&1 != 0 {
				products[i&1] = polymurExtra(polymurTimes(products[i&1], square))
			}
			square = polymurExtra(polymurTimes(square, square))
		}
		p := &h.powers
		p[1] = polymurExtra(polymurExtra(polymurTimes(products[0], products[1])))
		p[2] = polymurExtra(polymurTimes(p[1], p[1]))
		p[3] = polymurTimes(p[1], p[2])
		p[4] = polymurTimes(p[2], p[2])
		p[5] = polymurExtra(polymurTimes(p[1], p[4]))
		p[6] = polymurExtra(polymurTimes(p[2], p[4]))
		p[7] = polymurExtra(polymurTimes(p[3], p[4]))
		if p[7] < 1<<60-1<<56 {
			h.k14 = polymurTimes(p[7], p[7])
			return h
		}
	}
}

// polymurCoprime reports whether an odd number has no factor in common with 2^61-2.
func polymurCoprime(n uint64) bool {
	for _, prime := range []uint64{3, 5, 7, 11, 13, 31, 41, 61, 151, 331, 1321} {
		if n%prime == 0 {
			return false
		}
	}
	return true
}

func (h *polymur) HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	p := &h.powers
	for i, k := range keys { // the first and the last 7 bytes
		first, last := k&(1<<56-1), k>>8
		var sum polymurSum
		sum.add(p[2]+first, p[7]+first)
		sum.add(p[1]+last, p[3]+8)
		dst[i] = polymurMix(sum.reduced()) + h.s
	}
}

func (h *polymur) HashBytes(dst []uint64, data []byte, ends []int) { hashEach(h, dst, data, ends) }

func (h *polymur) sum(key []byte) uint64 { return polymurMix(h.polynomial(key)) + h.s }

// polymurSum is a 128-bit sum of products.
type polymurSum struct{ high, low uint64 }

func (s *polymurSum) add(a, b uint64) {
	high, low := bits.Mul64(a, b)
	var carry uint64
	s.low, carry = bits.Add64(s.low, low, 0)
	s.high += high + carry
}

func (s polymurSum) reduced() uint64 { return polymurReduce(s.high, s.low) }

func (h *polymur) polynomial(key []byte) uint64 {
	const blockBytes = 49
	seven := func(at int) uint64 { return binary.LittleEndian.Uint64(key[at:]) & (1<<56 - 1) }
	p, total := &h.powers, uint64(0)
	k3, k4 := p[3], p[4]
	if len(key) > blockBytes {
		k3, k4 = polymurExtra(k3), polymurExtra(k4)
		state := uint64(0)
		for ; len(key) > blockBytes; key = key[blockBytes:] {
			var sum polymurSum
			sum.add(p[1]+seven(0), p[6]+seven(7))
			sum.add(p[2]+seven(14), p[5]+seven(21))
			sum.add(k3+seven(28), k4+seven(35))
			sum.add(state+seven(42), p[7])
			state = sum.reduced()
		}
		total = polymurExtra(polymurTimes(polymurExtra(state), h.k14))
	}
	n := len(key)
	if n <= 7 {
		word := uint64(0)
		for i, b := range key {
			word |= uint64(b) << (8 * i)
		}
		return total + polymurTimes(p[1]+word, p[2]+uint64(n))
	}
	var first, sum polymurSum
	first.add(p[2]+seven(0), p[7]+seven((n-7)/2))
	sum.add(p[1]+binary.LittleEndian.Uint64(key[n-8:])>>8, k3+uint64(n))
	if n <= 21 {
		sum.add(p[2]+seven(0), p[7]+seven((n-7)/2))
		return total + sum.reduced()
	}
	sum.add(p[2]+seven(7), p[7]+seven(14))
	sum.add(first.reduced()+seven(n-21), k4+seven(n-14))
	return total + sum.reduced()
}
