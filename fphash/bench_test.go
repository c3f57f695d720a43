package fphash

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/minio/highwayhash"
)

// BenchmarkHashKeys compares batches of byte strings with the library's plain call for one word
// after the other, for each family.
func BenchmarkHashKeys(b *testing.B) {
	words := make([]string, 256)
	for i := range words {
		words[i] = fmt.Sprintf("%.*s%d", i%9, "benchmark", i)
	}
	var data []byte
	var ends []int
	for _, word := range words {
		data = append(data, word...)
		ends = append(ends, len(data))
	}
	for _, f := range builtin() {
		h, err := f.New(Key{})
		if err != nil {
			b.Fatal(err)
		}
		text, ok := h.(ByteHash)
		if !ok {
			continue
		}
		dst := make([]uint64, len(ends)*f.Words())
		run := func(route string, hash func()) {
			b.Run("hash="+f.Name+"/route="+route, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					hash()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ends)), "ns/key")
			})
		}
		run("batch", func() { text.HashBytes(dst, data, ends) })
		if library := plainCalls[f.Name]; library != nil {
			run("library", func() {
				start := 0
				for i, end := range ends {
					dst[i], start = library(data[start:end]), end
				}
			})
		}
	}
}

var zeroKey [32]byte

// plainCalls are the calls that users of the libraries write. Each returns one word of the code.
var plainCalls = map[string]func(key []byte) uint64{
	"crc32c":     func(key []byte) uint64 { return uint64(crc32.Checksum(key, castagnoli)) },
	"fnv1-64":    func(key []byte) uint64 { h := fnv.New64(); h.Write(key); return h.Sum64() },
	"fnv1a64":    func(key []byte) uint64 { h := fnv.New64a(); h.Write(key); return h.Sum64() },
	"fnv1a128":   func(key []byte) uint64 { h := fnv.New128a(); h.Write(key); return uint64(h.Sum(nil)[0]) },
	"highway64":  func(key []byte) uint64 { return highwayhash.Sum64(key, zeroKey[:]) },
	"highway128": func(key []byte) uint64 { d := highwayhash.Sum128(key, zeroKey[:]); return uint64(d[0]) },
	"highway256": func(key []byte) uint64 { d := highwayhash.Sum(key, zeroKey[:]); return uint64(d[0]) },
	"md5":        func(key []byte) uint64 { d := md5.Sum(key); return uint64(d[0]) },
	"sha1":       func(key []byte) uint64 { d := sha1.Sum(key); return uint64(d[0]) },
	"sha256":     func(key []byte) uint64 { d := sha256.Sum256(key); return uint64(d[0]) },
	"xxh64":      xxhash.Sum64,
}

// BenchmarkWords measures fingerprints of strings.
func BenchmarkWords(b *testing.B) {
	words, weights := make([]string, 100), make([]int32, 100)
	for i := range words {
		words[i], weights[i] = fmt.Sprintf("%.*s%d", i%9, "benchmark", i), int32(i%7+1)
	}
	for _, o := range []struct {
		name string
		d    Definition
	}{{"hash=xxh64/f=64", Definition{}}, {"hash=fnv1a64/f=64", Definition{Hash: "fnv1a64"}}, {"hash=xxh64/f=256/widen=mix", Definition{Bits: 256, Widen: WidenMix}}} {
		b.Run(o.name, func(b *testing.B) {
			s, err := New(o.d)
			if err != nil {
				b.Fatal(err)
			}
			var dst []uint64
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = appendErr(s, dst[:0], words, weights)
			}
		})
	}
}

// BenchmarkWiden measures widened fingerprints of indices.
func BenchmarkWiden(b *testing.B) {
	indices := make([]uint64, 100)
	for i := range indices {
		indices[i] = uint64(i)
	}
	for _, w := range []Widen{WidenNone, WidenReseed, WidenCounter, WidenMix} {
		for _, bits := range []int{64, 256, 4096} {
			if w == WidenNone && bits > 64 || w != WidenNone && bits == 64 {
				continue
			}
			b.Run(fmt.Sprintf("widen=%v/f=%d", w, bits), func(b *testing.B) {
				s, err := New(Definition{Bits: bits, Widen: w})
				if err != nil {
					b.Fatal(err)
				}
				var dst []uint64
				b.ReportAllocs()
				for b.Loop() {
					dst, _ = appendUnitErr(s, dst[:0], indices)
				}
			})
		}
	}
}
