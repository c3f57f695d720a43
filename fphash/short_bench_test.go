package fphash

import (
	"fmt"
	"testing"
)

// BenchmarkShort measures the overhead of calls around the kernels: fingerprints of few features,
// by every function and for common types.
func BenchmarkShort(b *testing.B) {
	shared := mustNew(b, Definition{Float32: true})
	local, wide := shared.Local(), mustNew(b, Definition{}).Local()
	for _, n := range []int{1, 8, 100} {
		indices, words := make([]uint64, n), make([]string, n)
		short, i32, f32, f64 := make([]uint32, n), make([]int32, n), make([]float32, n), make([]float64, n)
		i64, u8 := make([]int, n), make([]uint8, n)
		for i := range n {
			indices[i], short[i], words[i] = uint64(i)*1e9, uint32(i)*1e6, fmt.Sprintf("word %d", i*1000)
			i32[i], f32[i], f64[i], i64[i], u8[i] = int32(i%7)-3, float32(i%7+1)/8, float64(i%7+1)/8, i%7-3, uint8(i%7)
		}
		dst := make([]uint64, 0, 4)
		a := NewAccumulator[float32](local)
		for _, c := range []struct {
			name string
			do   func()
		}{
			{"Sketch64/f32", func() { Sketch64(indices, f32) }},
			{"SketchUnit64", func() { SketchUnit64(indices) }},
			{"Sketch64/words", func() { Sketch64(words, f32) }},
			{"Append/shared/f32", func() { Append(shared, dst, indices, f32) }},
			{"Append/f32", func() { Append(local, dst, indices, f32) }},
			{"Append/f64", func() { Append(wide, dst, indices, f64) }},
			{"Append/i32", func() { Append(local, dst, indices, i32) }},
			{"Append/int", func() { Append(local, dst, indices, i64) }},
			{"Append/u8", func() { Append(local, dst, indices, u8) }},
			{"Append/words", func() { Append(local, dst, words, i32) }},
			{"Append/short", func() { Append(local, dst, short, f32) }},
			{"AppendUnit", func() { AppendUnit(local, dst, indices) }},
			{"AppendUnit/shared", func() { AppendUnit(shared, dst, indices) }},
			{"AppendUnit/words", func() { AppendUnit(local, dst, words) }},
			{"AddVector", func() { AddVector(a, indices, f32) }},
		} {
			b.Run(fmt.Sprintf("%s/nnz=%d", c.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c.do()
				}
			})
		}
	}
}
