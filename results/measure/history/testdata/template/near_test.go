package near

import (
	"fmt"
	"strings"
	"testing"
)

const features = 200

func vector() (indices []uint64, weights []int32) {
	for i := range uint64(features) {
		indices, weights = append(indices, i*i*2654435761), append(weights, int32(1+i%7))
	}
	return indices, weights
}

func codes() []uint64 {
	indices, _ := vector()
	list := make([]uint64, features)
	Codes(list, indices)
	return list
}

// All changes of this history keep the fingerprint as it is.
func TestSketch(t *testing.T) {
	list := codes()
	_, weights := vector()
	var want uint64
	for j := range Bits {
		var sum int32
		for i, code := range list {
			if code>>j&1 == 1 {
				sum += weights[i]
			} else {
				sum -= weights[i]
			}
		}
		if sum > 0 {
			want |= 1 << j
		}
	}
	if got := Sketch(list, weights); got != want {
		t.Errorf("%016x, want %016x", got, want)
	}
}

func BenchmarkSketch(b *testing.B) {
	list := codes()
	_, weights := vector()
	for b.Loop() {
		Sketch(list, weights)
	}
}

func BenchmarkCodes(b *testing.B) {
	indices, _ := vector()
	list := make([]uint64, features)
	for b.Loop() {
		Codes(list, indices)
	}
}

func BenchmarkWithin(b *testing.B) {
	list := make([]uint64, 4096)
	for i := range list {
		list[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	for b.Loop() {
		Within(list, list[7], 3)
	}
}

func BenchmarkParse(b *testing.B) {
	var line strings.Builder
	indices, weights := vector()
	for i := range indices {
		fmt.Fprintf(&line, "%d:%d ", indices[i], weights[i])
	}
	for b.Loop() {
		var err error
		if indices, weights, err = Parse(indices[:0], weights[:0], line.String()); err != nil {
			b.Fatal(err)
		}
	}
}
