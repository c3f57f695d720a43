package fphash

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// borderIndices has the smallest and largest indices of each number of digits, and all pairs of
// digits at all positions.
func borderIndices() []uint64 {
	indices := []uint64{0, math.MaxUint32, math.MaxUint64 - 1, math.MaxUint64}
	for power := uint64(1); ; power *= 10 {
		indices = append(indices, power-1, power, power+1)
		for pair := range uint64(100) {
			indices = append(indices, power*pair)
		}
		if power > math.MaxUint64/10 {
			return indices
		}
	}
}

// TestDigits compares digits in batches with fmt, appended to existing text.
func TestDigits(t *testing.T) {
	indices := borderIndices()
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		indices = append(indices, r.Uint64()>>r.IntN(64))
	}
	checkDigits(t, indices)
	short := make([]uint32, len(indices))
	for i, index := range indices {
		short[i] = uint32(index)
	}
	checkDigits(t, short)
	checkDigits(t, []uint64(nil))
}

func checkDigits[I uint32 | uint64](t *testing.T, indices []I) {
	t.Helper()
	want := []byte("before")
	wantEnds := make([]int, len(indices))
	for i, index := range indices {
		want = fmt.Append(want, index)
		wantEnds[i] = len(want)
	}
	ends := make([]int, len(indices))
	got := appendDigits([]byte("before"), ends, indices)
	if !slices.Equal(ends, wantEnds) || !slices.Equal(got, want) {
		for i, index := range indices {
			if ends[i] != wantEnds[i] || string(got[:ends[i]]) != string(want[:ends[i]]) {
				t.Fatalf("%d (number %d) ends at %d of %q; want %d", index, i, ends[i], got[max(0, ends[i]-20):ends[i]], wantEnds[i])
			}
		}
		t.Fatalf("%d bytes, want %d", len(got), len(want))
	}
}
