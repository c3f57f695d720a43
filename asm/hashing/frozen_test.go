package hashing

import (
	"fmt"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/frozen"
)

// TestFrozenOutputs holds the dispatch of every hash, at every tier, to one file.
func TestFrozenOutputs(t *testing.T) {
	for _, tier := range cpu.Supported() {
		t.Run(tier.String(), func(t *testing.T) {
			former, err := cpu.SetTier(tier)
			if err != nil {
				t.Fatal(err)
			}
			defer cpu.SetTier(former)
			for _, op := range []struct {
				name string
				hash func(dst, keys []uint64)
			}{
				{"splitmix64", seeded(SplitMix64, 0)},
				{"splitmix64/seed=0123456789abcdef", seeded(SplitMix64, 0x0123456789abcdef)},
				{"xxh64", seeded(XXH64, 0)},
				{"xxh64/seed=0123456789abcdef", seeded(XXH64, 0x0123456789abcdef)},
				{"fnv1-64", FNV1},
				{"fnv1a64", FNV1a},
			} {
				t.Run(op.name, func(t *testing.T) { frozen.Check(t, op.name, frozenHash(op.name, op.hash)) })
			}
		})
	}
}

func frozenHash(name string, hash func(dst, keys []uint64)) (lines []string) {
	var source frozen.Source
	var all frozen.Code
	for n := range 65 {
		keys, codes := make([]uint64, n), make([]uint64, n)
		for i := range keys {
			keys[i] = source.Next() >> (n % 4 * 16)
		}
		hash(codes, keys)
		var one frozen.Code
		for _, code := range codes {
			one.Add(code)
		}
		all.Add(uint64(one))
		lines = append(lines, fmt.Sprintf("%s n=%d codes=%016x", name, n, uint64(one)))
	}
	keys := make([]uint64, 5000) // small ones, as real indices are
	codes := make([]uint64, len(keys))
	for i := range keys {
		keys[i] = uint64(i)
	}
	hash(codes, keys)
	for _, code := range codes {
		all.Add(code)
	}
	return append(lines, fmt.Sprintf("%s verification=%016x", name, uint64(all)))
}
