package quality

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simhashkit/datasets"
)

// Weights whose sums overflow are an error, which counts vectors from 1.
func TestWeightsAreChecked(t *testing.T) {
	offsets, twice := []int{0, 1, 3}, []uint64{1, 7, 7}
	refused := func(err error, words ...string) {
		t.Helper()
		for _, word := range append(words, "quality: vector 2 ") {
			if err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("error %v, want %q", err, word)
			}
		}
	}
	_, err := FromVectors(t.Context(), &datasets.CSR[float32]{Offsets: offsets, Indices: twice, Weights: []float32{1, math.MaxFloat32, math.MaxFloat32}}, WorkloadOptions{})
	refused(err, "index 7 several times")

	// The number in the error counts vectors in the user's set, not in the sample.
	rows, weights := slices.Repeat([][]uint64{{1, 2}}, mostVectors+1000), slices.Repeat([]float32{1, 2}, mostVectors+1000)
	last := len(rows) - 1
	for weights[2*last] == 1 { // the last vector of the sample
		sample := sampleRows(set(rows, weights...), newRandom(0, forVectors, 0))
		last = sample[len(sample)-1]
		weights[2*last], weights[2*last+1] = math.MaxFloat32, math.MaxFloat32
	}
	w, err := FromVectors(t.Context(), set(rows, weights...), WorkloadOptions{Keyings: 12})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Measure(OfFunc("ones", 64, func(dst, keys []uint64) error {
		for i := range dst {
			dst[i] = math.MaxUint64
		}
		return nil
	}), 1)
	if want := "vector " + strconv.Itoa(last+1) + ":"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
