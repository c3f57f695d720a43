package sketch

import "testing"

func BenchmarkSketch(b *testing.B) {
	indices := make([]uint64, 200)
	for i := range indices {
		indices[i] = uint64(i * i)
	}
	for b.Loop() {
		Sketch(indices)
	}
}
