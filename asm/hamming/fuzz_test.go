package hamming

import (
	"encoding/binary"
	"slices"
	"testing"
)

// FuzzScan compares all kernels, of whole and of split fingerprints, and the batch with the oracle. The query is the first fingerprint of the data.
func FuzzScan(f *testing.F) {
	for _, words := range []byte{1, 2, 3, 8, 65} {
		data := make([]byte, 8*min(70*int(words), 200))
		for i := range data {
			data[i] = byte(i * i >> 5 & (i >> 9))
		}
		f.Add(data, words, int(words)*3)
	}
	f.Fuzz(func(t *testing.T, data []byte, width byte, k int) {
		words := max(1, int(width)%70)
		var all []uint64
		for len(data) >= 8 && len(all) < 300 {
			all = append(all, binary.LittleEndian.Uint64(data))
			data = data[8:]
		}
		all = all[:len(all)/words*words]
		if len(all) == 0 {
			return
		}
		query, fingerprints := all[:words], all[words:]
		want := withinOracle(fingerprints, query, k)
		for _, kernel := range ScanKernels() {
			if kernel.Available() {
				if got := kernel.AppendWithin(nil, fingerprints, query, k); !slices.Equal(got, want) {
					t.Fatalf("%s: %v, want %v", kernel.Name, got, want)
				}
			}
		}
		batch := AppendWithinBatch(nil, fingerprints, query, words, k)
		if !slices.EqualFunc(batch, want, func(got QueryMatch, want Match) bool { return got == QueryMatch{0, want} }) {
			t.Fatalf("batch: %v, want %v", batch, want)
		}
		if words > 1 {
			return
		}
		var split Split
		split.Append(fingerprints...)
		for _, kernel := range SplitKernels() {
			if kernel.Available() {
				if got := kernel.AppendWithin(nil, &split, query[0], k); !slices.Equal(got, want) {
					t.Fatalf("split, %s: %v, want %v", kernel.Name, got, want)
				}
			}
		}
	})
}
