package hashing

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/big"
	"math/bits"
)

// The hashes of one key, each written from the text of its definition, step by step as that has
// them. Do not alter them.

func crc32cOracle(key uint64) []uint64 {
	message := binary.LittleEndian.AppendUint64(nil, key)
	return []uint64{uint64(crc32.Checksum(message, crc32.MakeTable(crc32.Castagnoli)))}
}

// murmur3Finaliser is fmix64 of MurmurHash3.cpp.
func murmur3Finaliser(k uint64) uint64 {
	k ^= k >> 33
	k *= 18397679294719823053
	k ^= k >> 33
	k *= 14181476777654086739
	k ^= k >> 33
	return k
}

func fmix64Oracle(key, seed uint64) uint64 { return murmur3Finaliser(key ^ murmur3Finaliser(seed)) }

// murmur3Oracle is MurmurHash3_x64_128 of 8 bytes, which are all tail.
func murmur3Oracle(key, seed uint64) []uint64 {
	const c1, c2 = 9782798678568883157, 5545529020109919103
	h1, h2 := seed, seed
	k1 := key
	k1 *= c1
	k1 = bits.RotateLeft64(k1, 31)
	k1 *= c2
	h1 ^= k1
	h1 ^= 8
	h2 ^= 8
	h1 += h2
	h2 += h1
	h1 = murmur3Finaliser(h1)
	h2 = murmur3Finaliser(h2)
	h1 += h2
	h2 += h1
	return []uint64{h1, h2}
}

// sipHashOracle is SipHash-2-4, section 2 of the paper: the message is one word, and the last word
// has its length above.
func sipHashOracle(key, k0, k1 uint64) uint64 {
	text := func(s string) uint64 { return binary.BigEndian.Uint64([]byte(s)) }
	v0, v1, v2, v3 := k0^text("somepseu"), k1^text("dorandom"), k0^text("lygenera"), k1^text("tedbytes")
	rounds := func(n int) {
		for range n {
			v0 += v1
			v2 += v3
			v1 = bits.RotateLeft64(v1, 13)
			v3 = bits.RotateLeft64(v3, 16)
			v1 ^= v0
			v3 ^= v2
			v0 = bits.RotateLeft64(v0, 32)
			v2 += v1
			v0 += v3
			v1 = bits.RotateLeft64(v1, 17)
			v3 = bits.RotateLeft64(v3, 21)
			v1 ^= v2
			v3 ^= v0
			v2 = bits.RotateLeft64(v2, 32)
		}
	}
	for _, m := range []uint64{key, 8 << 56} {
		v3 ^= m
		rounds(2)
		v0 ^= m
	}
	v2 ^= 0xff
	rounds(4)
	return v0 ^ v1 ^ v2 ^ v3
}

// lookup3Oracle is hashlittle2 of 8 bytes, with pc the upper half of the seed and pb the lower one.
func lookup3Oracle(key, seed uint64) uint64 {
	a := 0xdeadbeef + 8 + uint32(seed>>32)
	b, c := a, a
	c += uint32(seed)
	b += uint32(key >> 32)
	a += uint32(key)
	rot := bits.RotateLeft32
	c ^= b
	c -= rot(b, 14)
	a ^= c
	a -= rot(c, 11)
	b ^= a
	b -= rot(a, 25)
	c ^= b
	c -= rot(b, 16)
	a ^= c
	a -= rot(c, 4)
	b ^= a
	b -= rot(a, 14)
	c ^= b
	c -= rot(b, 24)
	return uint64(c)<<32 | uint64(b)
}

// xxh3Oracle is XXH3_len_4to8_64b of the specification: the first and the last 4 bytes, and bytes 8
// to 23 of the default secret.
func xxh3Oracle(key, seed uint64) uint64 {
	secret := []byte{0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb}
	seed ^= uint64(bits.ReverseBytes32(uint32(seed))) << 32
	first, last := key&0xffffffff, key>>32
	flip := (binary.LittleEndian.Uint64(secret) ^ binary.LittleEndian.Uint64(secret[8:])) - seed
	x := (last | first<<32) ^ flip
	x ^= bits.RotateLeft64(x, 49) ^ bits.RotateLeft64(x, 24)
	x *= 11507291218515648293
	x ^= (x >> 35) + 8
	x *= 11507291218515648293
	return x ^ x>>28
}

// multiplied is the product of 64 by 64 bits, with big.Int's arithmetic.
func multiplied(a, b uint64) (low, high uint64) {
	product := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
	high = new(big.Int).Rsh(product, 64).Uint64()
	return product.And(product, new(big.Int).SetUint64(math.MaxUint64)).Uint64(), high
}

func mixed(a, b uint64) uint64 {
	low, high := multiplied(a, b)
	return low ^ high
}

// rapidHashOracle is rapidhash of 8 bytes, of which a and b are all.
func rapidHashOracle(key, seed uint64) uint64 {
	secret := []uint64{0x2d358dccaa6c78a5, 0x8bb84b93962eacc9, 0x4b33a62ed433d4a3, 0x4d5a2da51de1aa47, 0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x90ed1765281c388c, 0xaaaaaaaaaaaaaaaa}
	seed ^= mixed(seed^secret[2], secret[1])
	seed ^= 8
	a, b := key, key
	a ^= secret[1]
	b ^= seed
	a, b = multiplied(a, b)
	return mixed(a^secret[7], b^secret[1]^8)
}

// wyHashOracle is wyhash of 8 bytes, of which a has the first 4 above the last 4 and b the other
// way round.
func wyHashOracle(key, seed uint64) uint64 {
	secret := []uint64{0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3}
	first, last := key&0xffffffff, key>>32
	seed ^= mixed(seed^secret[0], secret[1])
	a, b := first<<32|last, last<<32|first
	a ^= secret[1]
	b ^= seed
	a, b = multiplied(a, b)
	return mixed(a^secret[0]^8, b^secret[1])
}
