package families_test

import (
	"fmt"
	"testing"

	"github.com/dchest/siphash"
	"github.com/spaolacci/murmur3"
	"github.com/zeebo/xxh3"

	"simhashkit/fphash"
)

// BenchmarkHash compares batches of words and indices with the library's plain call for one word
// after the other.
func BenchmarkHash(b *testing.B) {
	var data []byte
	var ends []int
	indices := make([]uint64, 256)
	for i := range indices {
		data = fmt.Appendf(data, "%.*s%d", i%9, "benchmark", i)
		ends = append(ends, len(data))
		indices[i] = uint64(i)
	}
	for name, library := range map[string]func(key []byte) uint64{
		"xxh3":        xxh3.Hash,
		"murmur3-128": func(key []byte) uint64 { h1, h2 := murmur3.Sum128(key); return h1 ^ h2 },
		"siphash":     func(key []byte) uint64 { return siphash.Hash(0, 0, key) },
	} {
		f, err := fphash.Lookup(name)
		if err != nil {
			b.Fatal(err)
		}
		h, err := f.New(fphash.Key{})
		if err != nil {
			b.Fatal(err)
		}
		dst := make([]uint64, len(ends)*f.Words())
		for route, hash := range map[string]func(){
			"words":   func() { h.(fphash.ByteHash).HashBytes(dst, data, ends) },
			"indices": func() { h.HashUint64s(dst, indices) },
			"library": func() {
				start := 0
				for i, end := range ends {
					dst[i], start = library(data[start:end]), end
				}
			},
		} {
			b.Run("hash="+name+"/route="+route, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					hash()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ends)), "ns/key")
			})
		}
	}
}
