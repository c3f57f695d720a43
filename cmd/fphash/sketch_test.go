package main

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"simhashkit/fphash"
)

// Batches, workers and kernels leave no trace: many vectors come out as one by one, in order.
func TestManyVectors(t *testing.T) {
	var input, want strings.Builder
	for i := range 3*batchVectors + 7 {
		indices, weights := []uint64{uint64(i), uint64(i) << 40}, []float32{1, 3}
		fmt.Fprintf(&input, "0 %d:1 %d:3\n", indices[0], indices[1])
		if i == 0 {
			indices, weights = []uint64{0}, []float32{4} // 0 twice in one line adds up
		}
		f, _, err := fphash.Sketch64(indices, weights)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&want, "%016x\t%d\n", f, i+1)
	}
	for _, flags := range [][]string{{"--workers=1"}, {"--workers=5", "--kernel=generic"}} {
		code, stdout, stderr := execute(t, input.String(), append([]string{"sketch"}, flags...)...)
		if code != exitSuccess || stdout != want.String() {
			t.Errorf("%v: exit code %d, %d bytes of output, want %d: %s", flags, code, len(stdout), want.Len(), stderr)
		}
	}
}

// Memory follows the features, not the space: the same vectors with indices 2^40 times as large
// cost the same.
func TestMemoryDoesNotDependOnDimensions(t *testing.T) {
	allocated := func(shift uint) uint64 {
		var input strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&input, "0")
			for j := range 50 {
				// as many bytes whatever the shift
				fmt.Fprintf(&input, " %020d:1", uint64(i*50+j+1)<<shift)
			}
			input.WriteByte('\n')
		}
		text := input.String()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if code, _, stderr := execute(t, text, "sketch", "--workers=1"); code != exitSuccess {
			t.Fatal(stderr)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(0) // what is allocated only once in a process
	small, large := allocated(0), allocated(40)
	if ratio := float64(large) / float64(small); ratio < 0.95 || ratio > 1.05 {
		t.Errorf("%d bytes allocated, %d with indices 2^40 times as large", small, large)
	}
}
