package main

import (
	"fmt"
	"slices"
)

// checked is how many vectors of a case are held to the definition.
const checked = 8

// verify compares fingerprints of the method with the signs of <r_j, x>, summed entry by entry as
// the definition says.
func verify(m Method, bits int, v *vectors) error {
	for i := range min(checked, v.count()) {
		indices, weights := v.at(i)
		got, want := m.Append(nil, indices, weights), define(m, bits, indices, weights)
		if !slices.Equal(got, want) {
			return fmt.Errorf("wrong answer: vector %d: got %016x, expected %016x", i, got, want)
		}
	}
	return nil
}

// define computes a fingerprint from the entries of the method, in float64 and without a thought
// about speed.
func define(m Method, bits int, indices []uint64, weights []float32) []uint64 {
	sums := make([]float64, bits)
	var row []float32
	for i, index := range indices {
		row = m.AppendRow(row[:0], index)
		for j, entry := range row {
			sums[j] += float64(float64(weights[i]) * float64(entry))
		}
	}
	fingerprint := make([]uint64, words(bits))
	for j, sum := range sums {
		if sum > 0 {
			fingerprint[j/64] |= 1 << (j % 64)
		}
	}
	return fingerprint
}
