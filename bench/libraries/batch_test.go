package libraries

import (
	"fmt"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/bloom/xxhash"

	"simhashkit/asm/hashing"
)

// BenchmarkXXH64Batch compares batches of keys of 8 bytes with those of parquet-go, which hashes
// values for its Bloom filters with a kernel for AVX-512.
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
