package hashing

import "simhashkit/asm/cpu"

// Fmix64 fills dst[i] with f(keys[i] ^ f(seed)), where f is the finaliser of MurmurHash3 (Appleby).
// With seed 0, that is f(keys[i]).
func Fmix64(dst, keys []uint64, seed uint64) {
	fmix64At(cpu.Active(), dst, keys, seed)
}

func fmix64Generic(dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	mixed := fmix64(seed)
	for i, k := range keys {
		dst[i] = fmix64(k ^ mixed)
	}
}

// fmix64 is the finaliser of MurmurHash3: a bijection that spreads every bit of x over the word;
// fmix64(0) is 0.
func fmix64(x uint64) uint64 {
	x = (x ^ x>>33) * 0xFF51AFD7ED558CCD
	x = (x ^ x>>33) * 0xC4CEB9FE1A85EC53
	return x ^ x>>33
}
