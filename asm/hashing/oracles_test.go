package hashing

import (
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"math"
	"math/big"
	"math/bits"
)

// ops lists all ops, each with its oracle and the recorded verification codes of its outputs: one
// for a secret of zeros and, if the op has a secret, one for a secret that starts with
// 0x0123456789abcdef.
var ops = []op{
	unseededOp("crc32c", "crc32c", 1, crc32cKernels, crc32cAt, CRC32C, crc32cOracle).frozen(0xd62aece874837c09),
	seededOp("fmix64", fmix64Kernels, fmix64At, Fmix64, fmix64Oracle).frozen(0x41e92e800538e608, 0x80aace2ebce75c04),
	seededOp("komihash", komiHashKernels, komiHashAt, KomiHash, komiHashOracle).frozen(0xf1ebcc3eb79dbd97, 0x144c11a71d96d8d5),
	seededOp("lookup3", lookup3Kernels, lookup3At, Lookup3, lookup3Oracle).frozen(0x3432fd24f39cab21, 0x394623905b7ee5c2),
	seededWordsOp("murmur3-128", "murmur3", 2, murmur3Kernels, murmur3At, Murmur3, murmur3Oracle).frozen(0xb24ef9372ef7e339, 0x57bd296b8f7e1448),
	seededOp("murmur32", murmur32Kernels, murmur32At, Murmur32, murmur32Oracle).frozen(0xce8432f8453eb3ea, 0x9f5dbc7acb827cd4),
	seededOp("rapidhash", rapidHashKernels, rapidHashAt, RapidHash, rapidHashOracle).frozen(0x313beb16067f7421, 0xf2de9bad8c057c12),
	sipHashOp().frozen(0x4458710f3b740f36, 0x98fbf78cdc44c8ee),
	seededOp("wyhash", wyHashKernels, wyHashAt, WyHash, wyHashOracle).frozen(0xe30600af563690c9, 0xcfc99512f1e53b74),
	seededOp("xxh3", xxh3Kernels, xxh3At, XXH3, xxh3Oracle).frozen(0x85f3ab23103cd027, 0xd928324c53cffaa3),
	seededOp("splitmix64", splitMix64Kernels, splitMix64At, SplitMix64, func(key, seed uint64) uint64 { return Mix64((key ^ Mix64(seed)) + gamma) }).frozen(0xdb68608899d51d67, 0xe76bf05d641bbc51),
	seededOp("xxh64", xxh64Kernels, xxh64At, XXH64, xxh64Oracle).frozen(0x48b13e08e1779e21, 0x337af311dbf0fe6d),
	unseededOp("fnv1-64", "fnv", 1, fnv1Kernels, fnv1At, FNV1, fnvOracle(fnv.New64)).frozen(0xfbd9b2566c4a9440),
	unseededOp("fnv1a64", "fnv", 1, fnv1aKernels, fnv1aAt, FNV1a, fnvOracle(fnv.New64a)).frozen(0xb44726f03f76926d),
	digestOp("md5", 2, md5Kernels, md5At, MD5, md5Digest).frozen(0xd7e2ec05786adb90),
	counterOp("md5", 2, md5Kernels, md5At, MD5, md5Digest).frozen(0xd7e2ec05786adb90, 0xae0d06801b4f2800),
	digestOp("sha1", 3, sha1Kernels, sha1At, SHA1, sha1Digest).frozen(0xa3479e7a44d43a57),
	counterOp("sha1", 3, sha1Kernels, sha1At, SHA1, sha1Digest).frozen(0xa3479e7a44d43a57, 0x33eda387a7238779),
	digestOp("sha256", 4, sha256Kernels, sha256At, SHA256, sha256Digest).frozen(0x414b16a8eb9ea3d5),
	counterOp("sha256", 4, sha256Kernels, sha256At, SHA256, sha256Digest).frozen(0x414b16a8eb9ea3d5, 0x9f0804110ef1078c),
	keyedOp("highway64", 1, highway64Kernels, highway64At, Highway64).frozen(0x89bdc896df44ed91, 0x2600ab771fddad16),
	keyedOp("highway128", 2, highway128Kernels, highway128At, Highway128).frozen(0x1e69a093121fcef3, 0xc295f6310a6d91e2),
	keyedOp("highway256", 4, highway256Kernels, highway256At, Highway256).frozen(0x64254baee19cbb63, 0x73bcd5316b9af874),
}

// The functions below return the hash of one key. They follow their definitions step by step. Do
// not change them.

func crc32cOracle(key uint64) []uint64 {
	message := binary.LittleEndian.AppendUint64(nil, key)
	return []uint64{uint64(crc32.Checksum(message, crc32.MakeTable(crc32.Castagnoli)))}
}

// murmur3Finaliser is fmix64 in MurmurHash3.cpp.
func murmur3Finaliser(k uint64) uint64 {
	k ^= k >> 33
	k *= 18397679294719823053
	k ^= k >> 33
	k *= 14181476777654086739
	k ^= k >> 33
	return k
}

func fmix64Oracle(key, seed uint64) uint64 { return murmur3Finaliser(key ^ murmur3Finaliser(seed)) }

// murmur3Oracle is MurmurHash3_x64_128 of 8 bytes, all of which are the tail.
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

// murmur32Oracle is MurmurHash3_x86_32 of 8 bytes, which are two blocks.
func murmur32Oracle(key, seed uint64) uint64 {
	h1 := uint32(seed>>32) ^ uint32(seed)
	for _, k1 := range []uint32{uint32(key), uint32(key >> 32)} {
		k1 *= 3432918353
		k1 = bits.RotateLeft32(k1, 15)
		k1 *= 461845907
		h1 ^= k1
		h1 = bits.RotateLeft32(h1, 13)
		h1 = h1*5 + 3864292196
	}
	h1 ^= 8
	h1 ^= h1 >> 16
	h1 *= 2246822507
	h1 ^= h1 >> 13
	h1 *= 3266489909
	h1 ^= h1 >> 16
	return uint64(h1)
}

// sipHashOracle is SipHash-2-4 (section 2 of the paper) of one word. The final word has the length
// in its highest byte.
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

// multiplied returns the 128-bit product of a and b, computed by big.Int.
func multiplied(a, b uint64) (low, high uint64) {
	product := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
	high = new(big.Int).Rsh(product, 64).Uint64()
	return product.And(product, new(big.Int).SetUint64(math.MaxUint64)).Uint64(), high
}

func mixed(a, b uint64) uint64 {
	low, high := multiplied(a, b)
	return low ^ high
}

// rapidHashOracle is rapidhash of 8 bytes, so a and b are both the key.
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

// wyHashOracle is wyhash of 8 bytes. In a, the first 4 bytes are the upper half; in b, the last 4
// bytes.
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

// komiHashOracle is komihash of 8 bytes: r1 has all of them, and r2 only the padding.
func komiHashOracle(key, seed uint64) uint64 {
	var low, high uint64
	seed1 := 2611923443488327891 ^ seed&0x5555555555555555
	seed5 := 4983270260364809079 ^ seed&0xaaaaaaaaaaaaaaaa
	r1, r2 := seed1, seed5
	for round := range 3 {
		low, high = multiplied(r1, r2)
		seed1 = low
		seed5 += high
		seed1 ^= seed5
		r1, r2 = seed1, seed5
		if round == 0 {
			r1 ^= key
			r2 ^= 1
		}
	}
	return seed1
}
