package fphash

import (
	"slices"
	"testing"
)

func TestSorted(t *testing.T) {
	words, counts := Sorted(map[token]count{"b": 2, "": 3, "a": 1})
	if !slices.Equal(words, []token{"", "a", "b"}) || !slices.Equal(counts, []count{3, 1, 2}) {
		t.Errorf("%q, %v", words, counts)
	}
	if indices, weights := Sorted(map[uint64]float64{1 << 63: 1, 5: 2}); !slices.Equal(indices, []uint64{5, 1 << 63}) || !slices.Equal(weights, []float64{2, 1}) {
		t.Errorf("%v, %v", indices, weights)
	}
	if indices, weights := Sorted(map[uint32]int(nil)); len(indices)+len(weights) > 0 {
		t.Errorf("%v, %v", indices, weights)
	}
}
