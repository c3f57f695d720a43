package hashing

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"simhashkit/asm/internal/guard"
)

// frozen values: key 1 and key 0x0123456789abcdef under seed 0.
var frozenKeys = []uint64{1, 0x0123456789abcdef}

func TestFrozenValues(t *testing.T) {
	for _, c := range []struct {
		name string
		hash func(dst, keys []uint64)
		want [2]uint64
	}{
		{"splitmix64", seeded(SplitMix64, 0), [2]uint64{0x910a2dec89025cc1, 0x157a3807a48faa9d}},
		{"splitmix64 seed 1", seeded(SplitMix64, 1), [2]uint64{0x86224a8e1dae59f9, 0xcba4c9b05902aac8}},
		{"xxh64", seeded(XXH64, 0), [2]uint64{0x9f29cb17a2a49995, 0xea3c52081e9843ec}},
		{"xxh64 seed 1", seeded(XXH64, 1), [2]uint64{0x8afb45d6a8b39709, 0x74a1a11854da1b5a}},
		{"fnv1-64", FNV1, [2]uint64{0xe3757ca7d64666ea, 0x4c66a756f98346a5}},
		{"fnv1a64", FNV1a, [2]uint64{0x89cd31291d2aefa4, 0x37eb3f3347761c55}},
	} {
		var got [2]uint64
		c.hash(got[:], frozenKeys)
		if got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
}

func seeded(f func(dst, keys []uint64, seed uint64), seed uint64) func(dst, keys []uint64) {
	return func(dst, keys []uint64) { f(dst, keys, seed) }
}

// Every kernel gives, at every length, what hashing the keys one by one gives; the keys lie between guard pages.
func TestKernelsAtEveryLength(t *testing.T) {
	type kernel struct {
		name string
		hash func(dst, keys []uint64)
		one  func(key uint64) uint64
	}
	var kernels []kernel
	for _, seed := range []uint64{0, 1, 1 << 63, 0xdeadbeefcafef00d} {
		for _, k := range SplitMix64Kernels() {
			if k.Available() {
				kernels = append(kernels, kernel{"splitmix64/" + k.Name, seeded(k.Hash, seed), func(key uint64) uint64 { return Mix64((key ^ Mix64(seed)) + gamma) }})
			}
		}
		for _, k := range XXH64Kernels() {
			if k.Available() {
				kernels = append(kernels, kernel{"xxh64/" + k.Name, seeded(k.Hash, seed), func(key uint64) uint64 {
					var one [1]uint64
					xxh64Generic(one[:], []uint64{key}, seed)
					return one[0]
				}})
			}
		}
	}
	library := func(h hash.Hash64) func(uint64) uint64 {
		return func(key uint64) uint64 {
			h.Reset()
			h.Write(binary.LittleEndian.AppendUint64(nil, key))
			return h.Sum64()
		}
	}
	for _, k := range FNV1Kernels() {
		if k.Available() {
			kernels = append(kernels, kernel{"fnv1-64/" + k.Name, k.Hash, library(fnv.New64())})
		}
	}
	for _, k := range FNV1aKernels() {
		if k.Available() {
			kernels = append(kernels, kernel{"fnv1a64/" + k.Name, k.Hash, library(fnv.New64a())})
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 130 {
		first, last := guard.Slices[uint64](t, n)
		dstFirst, dstLast := guard.Slices[uint64](t, n)
		for i := range n {
			first[i], last[i] = r.Uint64(), r.Uint64()>>r.IntN(64)
		}
		for _, k := range kernels {
			for _, c := range [][2][]uint64{{dstFirst, first}, {dstLast, last}} {
				dst, keys := c[0], c[1]
				k.hash(dst, keys)
				for i := range keys {
					if want := k.one(keys[i]); dst[i] != want {
						t.Fatalf("%s: n=%d key %#x: %#x, want %#x", k.name, n, keys[i], dst[i], want)
					}
				}
			}
		}
	}
}

func TestLengthsThatDiffer(t *testing.T) {
	for name, call := range map[string]func(){
		"splitmix64": func() { SplitMix64(make([]uint64, 2), make([]uint64, 3), 0) },
		"xxh64":      func() { XXH64(make([]uint64, 3), make([]uint64, 2), 0) },
		"fnv1-64":    func() { FNV1(nil, make([]uint64, 1)) },
		"fnv1a64":    func() { FNV1a(make([]uint64, 1), nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}
