package projection

import (
	"fmt"
	"math"
	"testing"

	"simhashkit/asm/internal/frozen"
	"simhashkit/asm/internal/kernels"
)

// TestFrozenOutputs holds the dispatch, at every tier, to one file.
func TestFrozenOutputs(t *testing.T) {
	kernels.OnTiers(t, "", func(t *testing.T) { frozen.Check(t, "sketch", frozenSketch(t)) })
}

func frozenSketch(t *testing.T) (lines []string) {
	const dimensions = 37
	var source frozen.Source
	var all frozen.Code
	number := func() float32 {
		x := source.Next()
		return float32(int64(x)) * (1.0 / (1 << 62)) // rounds once; a power of two changes no digit
	}
	sketch := func(n, stride int, more ...float32) uint64 {
		table, indices, weights := make([]float32, (dimensions-1)*stride+64), make([]uint64, n), make([]float32, n)
		for i := range table {
			table[i] = number()
		}
		for i := range indices {
			indices[i], weights[i] = source.Next()%dimensions, number()
		}
		copy(weights, more)
		positive, ok := Sketch(table, stride, dimensions, indices, weights)
		if !ok {
			t.Fatalf("%d features: an index is outside", n)
		}
		all.Add(positive)
		return positive
	}
	for n := range 65 {
		lines = append(lines, fmt.Sprintf("sketch n=%d positive=%016x", n, sketch(n, 64)))
	}
	for _, stride := range []int{0, 1, 64, 128, 192, 1000} {
		for _, n := range []int{1, 2, 3, 15, 16, 17, 127, 1000, 5000} {
			sketch(n, stride)
		}
	}
	sketch(20, 64, float32(math.Inf(1)))
	sketch(20, 64, float32(math.Inf(1)), float32(math.Inf(-1)))
	sketch(20, 64, float32(math.NaN()))
	sketch(20, 64, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32)
	return append(lines, fmt.Sprintf("sketch verification=%016x", uint64(all)))
}
