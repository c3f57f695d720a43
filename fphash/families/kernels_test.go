package families_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dchest/siphash"
	"github.com/spaolacci/murmur3"
	"github.com/zeebo/xxh3"

	"simhashkit/asm/cpu"
	"simhashkit/fphash"
	"simhashkit/fphash/internal/kernels"
	"simhashkit/internal/testing/long"
)

// TestKernelsAgainstLibraries hashes batches of many sizes at every tier, with seeds and keys of
// all kinds, and compares with the library's call for the 8 bytes of each index.
func TestKernelsAgainstLibraries(t *testing.T) {
	rounds := 10_000
	if long.Enabled() {
		rounds = 100_000
	}
	former := cpu.Active()
	defer cpu.SetTier(former)
	for _, name := range []string{"murmur3-128", "siphash", "xxh3"} {
		f, err := fphash.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(3, uint64(len(name))))
		for done := 0; done < rounds; {
			keys := make([]uint64, 1+r.IntN(70))
			if r.IntN(10) == 0 {
				keys = make([]uint64, 1+r.IntN(1500))
			}
			for i := range keys {
				keys[i] = r.Uint64() >> r.IntN(64)
			}
			k := fphash.Key{Seed: r.Uint64() >> r.IntN(64)}
			var k0, k1 uint64
			switch name {
			case "murmur3-128": // the library's seed has 32 bits
				k.Seed = uint64(uint32(k.Seed))
			case "siphash":
				k0, k1 = r.Uint64(), r.Uint64()
				k.Bytes = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, k0-k.Seed), k1)
			}
			library := map[string]func(b []byte) []uint64{
				"xxh3":    func(b []byte) []uint64 { return []uint64{xxh3.HashSeed(b, k.Seed)} },
				"siphash": func(b []byte) []uint64 { return []uint64{siphash.Hash(k0, k1, b)} },
				// The library reads 8 bytes as a tail, byte by byte, so it is right on every
				// machine.
				"murmur3-128": func(b []byte) []uint64 {
					h1, h2 := murmur3.Sum128WithSeed(b, uint32(k.Seed))
					return []uint64{h1, h2}
				},
			}[name]
			h, err := f.New(k)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := h.(kernels.Hash); !ok {
				t.Fatalf("%s is not called directly", name)
			}
			s, err := fphash.New(fphash.Definition{Hash: name, Bits: f.Bits, Seed: k.Seed, Key: k.Bytes})
			if err != nil {
				t.Fatal(err)
			}
			// The fingerprint of a single index is its code.
			want := library(binary.LittleEndian.AppendUint64(nil, keys[0]))
			if one, _, err := fphash.AppendUnit(s, nil, keys[:1]); err != nil || !slices.Equal(one, want) {
				t.Fatalf("%s under %+v: fingerprint of index %#x alone is %016x, %v, want %016x", name, k, keys[0], one, err, want)
			}
			got := make([]uint64, len(keys)*f.Words())
			for _, tier := range cpu.Supported() {
				cpu.SetTier(tier)
				clear(got)
				h.HashUint64s(got, keys)
				for i, key := range keys {
					for word, want := range library(binary.LittleEndian.AppendUint64(nil, key)) {
						if got := got[word*len(keys)+i]; got != want {
							t.Fatalf("%s at %v under %+v: word %d of key %#x, %d of %d, is %016x, want %016x", name, tier, k, word, key, i, len(keys), got, want)
						}
					}
				}
			}
			done += len(keys)
		}
	}
}
