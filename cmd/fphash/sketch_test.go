package main

import (
	"encoding/json"
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
		f, err := fphash.Sketch64(indices, weights)
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

func TestJSONLinesParse(t *testing.T) {
	_, stdout, _ := execute(t, "", "sketch", "--format", "jsonl", "testdata/inputs/small.svm")
	var ids []string
	for line := range strings.Lines(stdout) {
		var r struct {
			ID, Fingerprint, Hash, Encoding string
			Bits                            int
			Informative                     *bool
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if _, err := fphash.ParseHex(r.Fingerprint, r.Bits); err != nil || r.Hash != "xxh64" || r.Encoding != "le64" {
			t.Errorf("%s: %v", line, err)
		}
		if silent := r.ID == "empty" || r.ID == "cancels"; silent != (r.Informative != nil && !*r.Informative) {
			t.Errorf("informative is wrong in %s", line)
		}
		ids = append(ids, r.ID)
	}
	if want := `first,2,empty,cancels,"quoted" <id>`; strings.Join(ids, ",") != want {
		t.Errorf("ids %q, want %s", ids, want)
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
