package conventions

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/zeebo/blake3"

	"simhashkit/fphash"
)

// BenchmarkBesideSketch has the presets with 64-bit hashes beside the default definition with the
// same hash of the same bytes, in turns: speed is how many times as fast the preset is, the median
// of all turns.
func BenchmarkBesideSketch(b *testing.B) {
	words, indices, weights := benchFeatures(100)
	for _, c := range All() {
		hash := map[string]string{stream: "splitmix64", transposed: "splitmix64"}[c.Hash]
		if hash == "" {
			hash = c.Hash
		}
		f, err := fphash.Lookup(hash)
		if err != nil || f.Bits != 64 {
			continue
		}
		s, err := New(c)
		if err != nil {
			b.Fatal(err)
		}
		plain, err := fphash.New(fphash.WithHash(hash))
		if err != nil {
			b.Fatal(err)
		}
		framedWords := slices.Clone(words)
		for i, word := range words {
			switch c.Framing {
			case rustString:
				framedWords[i] = word + "\xff"
			case rustBytes:
				framedWords[i] = string(binary.LittleEndian.AppendUint64(nil, uint64(len(word)))) + word
			}
		}
		var dst []uint64
		if f.Integer {
			beside(b, c.Name+"/features=hashes/weights=unit", func() { dst, _, err = AppendUnit(s, dst[:0], indices) }, func() { dst, _, err = fphash.AppendUnit(plain, dst[:0], indices) })
		} else {
			beside(b, c.Name+"/features=words/weights=unit", func() { dst, _, err = AppendUnit(s, dst[:0], words) }, func() { dst, _, err = fphash.AppendUnit(plain, dst[:0], framedWords) })
		}
		if !f.Integer && c.Framing == plainFraming {
			beside(b, c.Name+"/features=indices/weights=unit", func() { dst, _, err = AppendUnit(s, dst[:0], indices) }, func() { dst, _, err = fphash.AppendUnit(plain, dst[:0], indices) })
		}
		switch {
		case c.Weights != Integers:
		case f.Integer:
			beside(b, c.Name+"/features=hashes/weights=i32", func() { dst, _, err = Append(s, dst[:0], indices, weights) }, func() { dst, _, err = fphash.Append(plain, dst[:0], indices, weights) })
		default:
			beside(b, c.Name+"/features=words/weights=i32", func() { dst, _, err = Append(s, dst[:0], words, weights) }, func() { dst, _, err = fphash.Append(plain, dst[:0], words, weights) })
			beside(b, c.Name+"/features=indices/weights=i32", func() { dst, _, err = Append(s, dst[:0], indices, weights) }, func() { dst, _, err = fphash.Append(plain, dst[:0], indices, weights) })
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func benchFeatures(n int) (words []string, indices []uint64, weights []int32) {
	for i := range n {
		words = append(words, fmt.Sprintf("%.*s%d", i%9, "benchmark", i))
		indices = append(indices, uint64(i)*0x9E3779B97F4A7C15)
		weights = append(weights, int32(i%7+1))
	}
	return words, indices, weights
}

// beside runs both in turns.
func beside(b *testing.B, name string, ours, other func()) {
	b.Run("convention="+name, func(b *testing.B) {
		timed := func(run func()) time.Duration {
			start := time.Now()
			for range 100 {
				run()
			}
			return time.Since(start)
		}
		var speeds []float64
		for b.Loop() {
			first := timed(ours)
			speeds = append(speeds, float64(timed(other))/float64(first))
		}
		slices.Sort(speeds)
		b.ReportMetric(speeds[len(speeds)/2], "speed")
	})
}

// naiveSimilarityHash is the scalar double loop: a count for each bit of each digest.
func naiveSimilarityHash(digests [][]byte) []byte {
	counts := make([]int, 8*len(digests[0]))
	for _, digest := range digests {
		for i := range counts {
			if digest[i/8]>>(7-i%8)&1 == 1 {
				counts[i]++
			}
		}
	}
	hash := make([]byte, len(digests[0]))
	for i, count := range counts {
		if 2*count >= len(digests) {
			hash[i/8] |= 1 << (7 - i%8)
		}
	}
	return hash
}

// BenchmarkSimilarityHash has the similarity hash of digests of 256 bits beside the scalar double
// loop, in turns as in BenchmarkBesideSketch.
func BenchmarkSimilarityHash(b *testing.B) {
	for _, n := range []int{16, 100, 1000} {
		var digests [][]byte
		for i := range 20 * n { // so many that no branch is learnt
			digest := blake3.Sum256(binary.LittleEndian.AppendUint64(nil, uint64(i)))
			digests = append(digests, digest[:])
		}
		turn := 0
		next := func() [][]byte {
			turn = (turn + 1) % 20
			return digests[turn*n:][:n]
		}
		for kernel, run := range map[string]func(){
			"naive": func() { naiveSimilarityHash(next()) },
			"best":  func() { SimilarityHash(next()) },
		} {
			b.Run(fmt.Sprintf("f=256/kernel=%s/nnz=%d", kernel, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/nnz")
			})
		}
		beside(b, fmt.Sprintf("iscc-digests/nnz=%d", n), func() { SimilarityHash(next()) }, func() { naiveSimilarityHash(next()) })
	}
}

// The loop that speed is measured against gives the same.
func TestNaiveSimilarityHash(t *testing.T) {
	for n := 1; n < 300; n += 7 {
		var digests [][]byte
		for i := range n {
			digest := blake3.Sum256(binary.LittleEndian.AppendUint64(nil, uint64(i%50)))
			digests = append(digests, digest[:])
		}
		if got, err := SimilarityHash(digests); err != nil || !slices.Equal(got, naiveSimilarityHash(digests)) {
			t.Errorf("%d digests: %x, %v", n, got, err)
		}
	}
}
