//go:build !purego

package hashing

import "simhashkit/asm/cpu"

func highway64At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	sameLength(len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) > 0:
		highway64AVX512(dst, keys, key)
	case tier >= cpu.AVX2 && len(keys) > 0:
		var scratch [12]uint64
		highway64AVX2(dst, keys, key, &scratch)
	default:
		highway64Generic(dst, keys, key)
	}
}

func highway128At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	roomFor(2, len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) > 0:
		highway128AVX512(dst, keys, key)
	case tier >= cpu.AVX2 && len(keys) > 0:
		var scratch [12]uint64
		highway128AVX2(dst, keys, key, &scratch)
	default:
		highway128Generic(dst, keys, key)
	}
}

func highway256At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	roomFor(4, len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) > 0:
		highway256AVX512(dst, keys, key)
	case tier >= cpu.AVX2 && len(keys) > 0:
		var scratch [12]uint64
		highway256AVX2(dst, keys, key, &scratch)
	default:
		highway256Generic(dst, keys, key)
	}
}
