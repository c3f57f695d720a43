package fphash

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Integers followed by a counter have kernels of their own, which must give what the library gives
// for the bytes, at every number of keys and every counter.
func TestCountedKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	atEachTier(t, func(t *testing.T) {
		for _, f := range []Family{md5Family, sha1Family, sha256Family} {
			check := func(bits int, keys []uint64) {
				t.Helper()
				wide, err := f.Widen(WidenCounter, bits)
				if err != nil {
					t.Fatal(err)
				}
				h, err := wide.build(Key{})
				if err != nil {
					t.Fatal(err)
				}
				plain, _ := byLibrary(t, f)
				if plain, err = plain.Widen(WidenCounter, bits); err != nil {
					t.Fatal(err)
				}
				library, err := plain.New(Key{})
				if err != nil {
					t.Fatal(err)
				}
				got, want := make([]uint64, len(keys)*wide.Words()), make([]uint64, len(keys)*wide.Words())
				h.HashUint64s(got, keys)
				if library.HashUint64s(want, keys); !slices.Equal(got, want) {
					t.Errorf("%s of %d bits, %d keys: the kernels and the library differ", wide.Name, bits, len(keys))
				}
			}
			for n := range 70 {
				check(3*f.Bits-7, randomIndices(r, n))
			}
			check(MaxBits, randomIndices(r, 300))
		}
	})
	for _, f := range []Family{md5Family, sha1Family, sha256Family} {
		h, _ := f.New(Key{})
		if _, ok := h.(countedHash); !ok {
			t.Errorf("%s has no kernels for counters", f.Name)
		}
	}
}
