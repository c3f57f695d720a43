package libraries

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/bloom/xxhash"

	"simhashkit/asm/hashing"
	"simhashkit/fphash"
	_ "simhashkit/fphash/families" // registers murmur3-128 and others
)

// Every library computes the codes of fphash, with a key of zeros.
func TestLibrariesAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	keys := []uint64{0, 1, random.Uint64()}
	for name := range functions {
		f, err := fphash.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		var k fphash.Key
		if f.KeyBytes > 0 {
			k.Bytes = make([]byte, f.KeyBytes)
		}
		library, _ := Of(f)
		got, expected := make([]uint64, len(keys)*f.Words()), make([]uint64, len(keys)*f.Words())
		for into, build := range map[*[]uint64]func(fphash.Key) (fphash.Hash, error){&got: library.New, &expected: f.New} {
			h, err := build(k)
			if err != nil {
				t.Fatal(err)
			}
			h.HashUint64s(*into, keys)
		}
		if !slices.Equal(got, expected) {
			t.Errorf("%s: codes %x, expected %x", name, got, expected)
		}
	}
}

// Of returns false for families without a library.
func TestNoLibrary(t *testing.T) {
	for _, name := range []string{"splitmix64", "lookup3", "fmix64", "rapidhash"} {
		f, err := fphash.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := Of(f); ok {
			t.Errorf("%s has a library", name)
		}
	}
}

// BenchmarkXXH64Batch compares our batches of 8-byte keys with those of parquet-go, which has an
// AVX-512 kernel for its Bloom filters.
func BenchmarkXXH64Batch(b *testing.B) {
	for _, n := range []int{100, 1000} {
		keys, ours, theirs := make([]uint64, n), make([]uint64, n), make([]uint64, n)
		for i := range keys {
			keys[i] = uint64(i) * 0x9e3779b97f4a7c15
		}
		hashing.XXH64(ours, keys, 0)
		if xxhash.MultiSum64Uint64(theirs, keys); !slices.Equal(ours, theirs) {
			b.Fatal("the hashes differ")
		}
		run := func(route string, hash func()) {
			b.Run(fmt.Sprintf("route=%s/n=%d", route, n), func(b *testing.B) {
				for b.Loop() {
					hash()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
			})
		}
		run("ours", func() { hashing.XXH64(ours, keys, 0) })
		run("parquet-go", func() { xxhash.MultiSum64Uint64(theirs, keys) })
	}
}
