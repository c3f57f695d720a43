package hamming

import (
	"slices"
	"testing"
)

func TestSplitKeepsFingerprints(t *testing.T) {
	fingerprints := randomWords(seeded(t), 100)
	var s Split
	s.Append(fingerprints[:1]...)
	s.Append()
	s.Append(fingerprints[1:]...)
	if s.Len() != len(fingerprints) {
		t.Fatalf("%d fingerprints, want %d", s.Len(), len(fingerprints))
	}
	for i, f := range fingerprints {
		if got := s.At(i); got != f {
			t.Errorf("fingerprint %d is %#x, want %#x", i, got, f)
		}
	}
}

// TestSplitScanFindsEveryPosition puts a single match at every position of the first lines of a
// list and of the last one.
func TestSplitScanFindsEveryPosition(t *testing.T) {
	const n = linesOfList*quartersOfLine + 70
	query := seeded(t).Uint64()
	all := store(slices.Repeat([]uint64{^query}, n))
	onScans(t, 1, func(t *testing.T, appendWithin scan) {
		var got []Match
		for i := range n {
			if i > 70 && i < n-140 {
				continue
			}
			for _, difference := range []uint64{0, 7, 7 << 16, 7 << 32, 1<<15 | 1<<31 | 1<<63} {
				all.set(i, query^difference)
				got = appendWithin(got[:0], all.part(0, min(i+100, n)), []uint64{query}, 3)
				all.set(i, ^query)
				if len(got) != 1 || got[0].Index != i {
					t.Fatalf("the match at %d that differs in %#x: %v", i, difference, got)
				}
			}
		}
	})
}
