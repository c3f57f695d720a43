package quality

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simhashkit/datasets"
)

// Weights whose angles could not be computed, or whose sums wrap around, are refused, by vectors
// counted from 1.
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
	of64 := func(x ...int64) error {
		_, err := FromVectors(t.Context(), &datasets.CSR[int64]{Offsets: offsets, Indices: twice, Weights: x}, WorkloadOptions{})
		return err
	}
	of32 := func(x ...int32) error {
		_, err := FromVectors(t.Context(), &datasets.CSR[int32]{Offsets: offsets, Indices: twice, Weights: x}, WorkloadOptions{})
		return err
	}
	refused(of64(1, math.MaxInt64, 1), "weight 9223372036854775807")
	refused(of64(1, 1<<53+1, 1), "weight 9007199254740993", "to 9007199254740991")
	refused(of64(1, 1<<53-1, 1), "index 7 several times")
	refused(of64(1, math.MinInt64, 1), "weight -9223372036854775808")
	refused(of32(1, math.MaxInt32, 1), "index 7 several times", "2147483648", "to 2147483647")
	_, err := FromVectors(t.Context(), &datasets.CSR[float32]{Offsets: offsets, Indices: twice, Weights: []float32{1, math.MaxFloat32, math.MaxFloat32}}, WorkloadOptions{})
	refused(err, "index 7 several times")
	if err := of64(1<<53-1, -1, 1-1<<53+1); err != nil {
		t.Error(err)
	}
	if err := of32(math.MinInt32, math.MaxInt32, -1); err != nil {
		t.Error(err)
	}

	// A sum that is not finite: the number is that in the user's set, not in the sample.
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
