package conventions

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"simhashkit/fphash"
)

// BenchmarkBesideSketch alternates between a preset with a 64-bit hash and the default definition
// with the same hash of the same bytes. It reports the relative speed of the preset, the median of
// all turns.
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
		plain, err := fphash.New(fphash.Definition{Hash: hash})
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
		case c.Weights != wholeNumbers:
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

// beside alternates between both functions.
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
