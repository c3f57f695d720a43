package minhash

import (
	"fmt"
	"testing"

	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/kernels"
)

// TestFrozenOutputs compares keys, multipliers, minima and bits at every tier with the recorded
// outputs.
func TestFrozenOutputs(t *testing.T) {
	kernels.OnTiers(t, "", func(t *testing.T) { cases.CheckFrozen(t, "minima", frozenLines()) })
}

func frozenLines() (lines []string) {
	var source cases.Source
	var all, factors cases.Code
	for _, a := range multipliers() {
		factors.Add(uint64(a))
	}
	lines = append(lines, fmt.Sprintf("minima multipliers=%016x", uint64(factors)))
	for n := range 70 {
		codes := make([]uint64, n*n/8)
		for i := range codes {
			codes[i] = source.Next()
		}
		Keys(codes, codes)
		minima := make([][64]uint32, n%Words+1)
		Sketch(minima, codes, new(Scratch))
		var digest, bits cases.Code
		for t := range minima {
			for _, m := range minima[t] {
				digest.Add(uint64(m))
			}
			bits.Add(Bits(&minima[t]))
		}
		all.Add(uint64(digest))
		all.Add(uint64(bits))
		lines = append(lines, fmt.Sprintf("minima n=%d words=%d minima=%016x bits=%016x", len(codes), len(minima), uint64(digest), uint64(bits)))
	}
	return append(lines, fmt.Sprintf("minima verification=%016x", uint64(all)))
}
