package hamming

import (
	"slices"
	"testing"

	"simhashkit/asm/internal/guard"
)

// put stores fingerprints in the arrays of a Split, which may lie where Append could not write
// them.
func (s *Split) put(fingerprints []uint64) {
	for i, f := range fingerprints {
		s.First[i], s.Second[i], s.High[i] = uint16(f), uint16(f>>16), uint32(f>>32)
	}
}

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

// Every length from 0 to 512 at eight alignments, flush against inaccessible pages on both sides.
func TestSplitScanBetweenGuardPages(t *testing.T) {
	const longest = 512
	var atStart, atEnd Split
	atStart.First, atEnd.First = guard.Slices[uint16](t, longest)
	atStart.Second, atEnd.Second = guard.Slices[uint16](t, longest)
	atStart.High, atEnd.High = guard.Slices[uint32](t, longest)
	r := seeded(t)
	query := r.Uint64()
	fingerprints := make([]uint64, longest)
	fill(r, fingerprints, []uint64{query}, 20)
	atStart.put(fingerprints)
	atEnd.put(fingerprints)
	everything := withinOracle(fingerprints, []uint64{query}, 64)
	part := func(s *Split, from, to int) *Split {
		return &Split{s.First[from:to], s.Second[from:to], s.High[from:to]}
	}
	onSplitScans(t, func(t *testing.T, appendWithin splitScan) {
		var got, want []Match
		for n := range longest + 1 {
			for offset := range min(8, longest-n+1) {
				for k, c := range map[int]struct {
					s    *Split
					from int
				}{3: {part(&atStart, offset, offset+n), offset}, 8: {part(&atEnd, longest-n-offset, longest-offset), longest - n - offset}} {
					want = want[:0]
					for _, m := range everything[c.from : c.from+n] {
						if m.Distance <= k {
							want = append(want, Match{m.Index - c.from, m.Distance})
						}
					}
					if got = appendWithin(got[:0], c.s, query, k); !slices.Equal(got, want) {
						t.Fatalf("n=%d k=%d: %v, want %v", n, k, got, want)
					}
				}
			}
		}
	})
}

// Every k, with distances of all sizes in every part, and more fingerprints than one list of
// candidates covers.
func TestSplitScanAtEveryLimit(t *testing.T) {
	r := seeded(t)
	query := r.Uint64()
	fingerprints := make([]uint64, 2*linesOfList*quartersOfLine+77)
	for i := range fingerprints {
		fingerprints[i] = query ^ ([]uint64{0, 1<<16 - 1, 0xFFFF << 16, 0xFFFFFFFF << 32, 1<<64 - 1}[r.IntN(5)] & r.Uint64())
		if i%50 == 0 {
			fingerprints[i] = query ^ 0xFFFFFFFF // every bit of the lower half
		}
	}
	var s Split
	s.Append(fingerprints...)
	everything := withinOracle(fingerprints, []uint64{query}, 64)
	onSplitScans(t, func(t *testing.T, appendWithin splitScan) {
		var got, want []Match
		for _, k := range []int{-1 << 31, -1, 0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1 << 16, 1<<31 - 1} {
			want = want[:0]
			for _, m := range everything {
				if m.Distance <= k {
					want = append(want, m)
				}
			}
			if got = appendWithin(got[:0], &s, query, k); !slices.Equal(got, want) {
				t.Fatalf("k=%d: %d matches, want %d", k, len(got), len(want))
			}
		}
	})
}

// A single match at every position of the first lines and of the last of a list.
func TestSplitScanFindsEveryPosition(t *testing.T) {
	const n = linesOfList*quartersOfLine + 70
	query := seeded(t).Uint64()
	var s Split
	for range n {
		s.Append(^query)
	}
	onSplitScans(t, func(t *testing.T, appendWithin splitScan) {
		var got []Match
		for i := range n {
			if i > 70 && i < n-140 {
				continue
			}
			for _, difference := range []uint64{0, 7, 7 << 16, 7 << 32, 1<<15 | 1<<31 | 1<<63} {
				one := Split{s.First[:min(i+100, n)], s.Second[:min(i+100, n)], s.High[:min(i+100, n)]}
				(&Split{s.First[i:], s.Second[i:], s.High[i:]}).put([]uint64{query ^ difference})
				got = appendWithin(got[:0], &one, query, 3)
				(&Split{s.First[i:], s.Second[i:], s.High[i:]}).put([]uint64{^query})
				if len(got) != 1 || got[0].Index != i {
					t.Fatalf("the match at %d that differs in %#x: %v", i, difference, got)
				}
			}
		}
	})
}
