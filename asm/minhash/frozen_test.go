package minhash

import (
	"fmt"
	"testing"

	"simhashkit/asm/internal/frozen"
	"simhashkit/asm/internal/kernels"
)

// TestFrozenOutputs compares keys, constants, minima and bits at every tier with the recorded
// outputs.
func TestFrozenOutputs(t *testing.T) {
	kernels.OnTiers(t, "", func(t *testing.T) { frozen.Check(t, "minima", frozenLines()) })
}

func frozenLines() (lines []string) {
	var source frozen.Source
	var all, constants frozen.Code
	for word := range Words {
		for j := range 64 {
			constants.Add(uint64(Functions(word)[0][j]))
			constants.Add(uint64(Functions(word)[1][j]))
		}
	}
	lines = append(lines, fmt.Sprintf("minima constants=%016x", uint64(constants)))
	for n := range 70 {
		codes := make([]uint64, n)
		for i := range codes {
			codes[i] = source.Next()
		}
		Keys(codes, codes)
		minima, word := emptied(), n%Words
		Add(&minima, word, codes)
		var digest frozen.Code
		for _, m := range minima {
			digest.Add(uint64(m))
		}
		all.Add(uint64(digest))
		lines = append(lines, fmt.Sprintf("minima n=%d word=%d minima=%016x bits=%016x", n, word, uint64(digest), Bits(&minima)))
	}
	return append(lines, fmt.Sprintf("minima verification=%016x", uint64(all)))
}
