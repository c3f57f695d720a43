package hamming

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
)

// distanceOracle counts differing bits one by one. Do not change it.
func distanceOracle(a, b []uint64) (d int) {
	for i := range a {
		for j := range 64 {
			if a[i]>>j&1 != b[i]>>j&1 {
				d++
			}
		}
	}
	return d
}

func TestDistanceOfWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"100111", "101010", 3}, {"10101", "00110", 3}, {"00101110", "00001111", 2}} {
		a, errA := strconv.ParseUint(c.a, 2, 64)
		b, errB := strconv.ParseUint(c.b, 2, 64)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if got := distance([]uint64{a}, []uint64{b}); got != c.want {
			t.Errorf("distance(%s, %s) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestDistance tests random fingerprints, and pairs that differ in every bit, with all widths up to
// 69 words and with widths whose distance needs more than 16 bits.
func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	widths := []int{127, 128, 129, 255, 256, 257, 1000, 1023, 1024, 1025, 2500}
	for words := range 70 {
		widths = append(widths, words)
	}
	for _, words := range widths {
		a, b, opposite := make([]uint64, words), make([]uint64, words), make([]uint64, words)
		for i := range a {
			a[i], b[i] = r.Uint64(), r.Uint64()
			opposite[i] = ^a[i]
		}
		if got, want := distance(a, b), distanceOracle(a, b); got != want {
			t.Errorf("%d words: %d, want %d", words, got, want)
		}
		if got := distance(a, opposite); got != 64*words {
			t.Errorf("%d words that differ in every bit: %d, want %d", words, got, 64*words)
		}
	}
}

// TestBatchEqualsSingleScans compares a batch scan with single scans: for less than a tile of
// fingerprints, for several tiles, and for so many matches that the buffer must grow.
func TestBatchEqualsSingleScans(t *testing.T) {
	onTiers(t, func(t *testing.T) {
		r := seeded(t)
		for _, words := range []int{1, 2, 3, 5, 8} {
			for _, n := range []int{0, 1, 100, tileWords / words, tileWords/words + 1, 3*tileWords/words + 11} {
				queries := randomWords(r, 7*words)
				copy(queries[2*words:3*words], queries[5*words:6*words]) // the same query twice
				fingerprints := make([]uint64, n*words)
				fill(r, fingerprints, queries[words*r.IntN(7):][:words], 40)
				for _, count := range []int{0, 1, 7} {
					for _, k := range []int{-1, 3 * words, 29 * words} {
						// a scan must not change the old contents
						want := []QueryMatch{{9, Match{9, 9}}, {1, Match{1, 1}}}
						for q := range count {
							for _, m := range AppendWithin(nil, fingerprints, queries[q*words:(q+1)*words], k) {
								want = append(want, QueryMatch{q, m})
							}
						}
						got := AppendWithinBatch(slices.Clone(want[:2]), fingerprints, queries[:count*words], words, k)
						if !slices.Equal(got, want) {
							t.Fatalf("words=%d n=%d queries=%d k=%d: %d matches, want %d; or their order differs", words, n, count, k, len(got), len(want))
						}
					}
				}
			}
		}
	})
}

// The widths cover all up to 8 words, some that exceed a register, and 65 words, whose pattern of
// 520 words exceeds maxPeriod.
var widths = []int{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 33, 64, 65}

// among returns the matches of a scan within k over fingerprints from to to-1. all has the
// distances of all fingerprints.
func among(all []Match, from, to, k int) (matches []Match) {
	for _, m := range all[from:to] {
		if m.Distance <= k {
			matches = append(matches, Match{m.Index - from, m.Distance})
		}
	}
	return matches
}

// TestScanBetweenGuardPages tests every length from 0 to 512 words at eight alignments, and flush
// against inaccessible pages on both sides.
func TestScanBetweenGuardPages(t *testing.T) {
	const longest = 512
	atStart, atEnd := guard.Slices[uint64](t, longest)
	for _, words := range widths {
		r := seeded(t)
		query := randomWords(r, words)
		type input struct {
			fingerprints []uint64
			k            int
			want         []Match
		}
		var inputs []input
		count := longest / words
		// for each width, its own share of the same pages; both may be the same memory
		first, last := atStart[:count*words], atEnd[longest-count*words:]
		fingerprints := make([]uint64, count*words)
		fill(r, fingerprints, query, 30)
		copy(first, fingerprints)
		copy(last, fingerprints)
		firstAll, lastAll := withinOracle(first, query, 64*words), withinOracle(last, query, 64*words)
		for n := range count + 1 {
			for offset := range min(8, count-n+1) {
				begin, end := count-n-offset, count-offset
				for _, k := range []int{3 * words, 8 * words} {
					inputs = append(inputs,
						input{first[offset*words : (offset+n)*words], k, among(firstAll, offset, offset+n, k)},
						input{last[begin*words : end*words], k, among(lastAll, begin, end, k)})
				}
			}
		}
		onScans(t, func(t *testing.T, appendWithin scan) {
			var got []Match
			for _, in := range inputs {
				if got = appendWithin(got[:0], in.fingerprints, query, in.k); !slices.Equal(got, in.want) {
					t.Fatalf("words=%d n=%d k=%d: %v, want %v", words, len(in.fingerprints)/words, in.k, got, in.want)
				}
			}
		})
	}
}

// Every k from -1 to more than there are bits, with distances of all sizes.
func TestScanAtEveryLimit(t *testing.T) {
	for _, words := range []int{1, 2, 3, 4, 8, 9} {
		r := seeded(t)
		query := randomWords(r, words)
		var fingerprints []uint64
		for i := range 150 {
			f := slices.Clone(query)
			for _, b := range r.Perm(64 * words)[:i*3%(64*words+1)] {
				f[b/64] ^= 1 << (b % 64)
			}
			fingerprints = append(fingerprints, f...)
		}
		all, n := withinOracle(fingerprints, query, 64*words), len(fingerprints)/words
		onScans(t, func(t *testing.T, appendWithin scan) {
			limits := []int{-1 << 31, 1 << 16, 1<<31 - 1}
			for k := -1; k <= 64*words+1; k++ {
				limits = append(limits, k)
			}
			for _, k := range limits {
				want := among(all, 0, n, k)
				got, err := appended(func(dst []Match) []Match { return appendWithin(dst, fingerprints, query, k) })
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("words=%d k=%d: %d matches, want %d (%v)", words, k, len(got), len(want), err)
				}
			}
		})
	}
}

// TestScanFindsEveryPosition puts a single match at the maximum distance at every position of the
// first blocks. Every other fingerprint is too far from the query, although the AND of two of them
// may not be.
func TestScanFindsEveryPosition(t *testing.T) {
	for _, words := range []int{1, 2, 3, 4, 8, 16} {
		r := seeded(t)
		query := randomWords(r, words)
		const n = 133
		fingerprints := make([]uint64, n*words)
		for _, k := range []int{0, 3, 5, 6, 20} {
			// each word exceeds the limit, and other words differ from the query in other bits
			far := k*words + words
			for i := range fingerprints {
				mask := uint64(1)<<(far/words) - 1
				fingerprints[i] = query[i%words] ^ mask<<(i/words/(8>>(i/words/64))%2*32)
			}
			onScans(t, func(t *testing.T, appendWithin scan) {
				var got []Match
				for i := range n {
					saved, match := slices.Clone(fingerprints[i*words:(i+1)*words]), slices.Clone(query)
					for b := range k * words {
						match[b%words] ^= 1 << (63 - b/words)
					}
					copy(fingerprints[i*words:], match)
					got = appendWithin(got[:0], fingerprints, query, k*words)
					copy(fingerprints[i*words:], saved)
					if want := []Match{{i, k * words}}; !slices.Equal(got, want) {
						t.Fatalf("words=%d k=%d: %v, want %v", words, k*words, got, want)
					}
				}
			})
		}
	}
}

var reads = kernels.List(readKernels, func(tier cpu.Tier) func([]uint64) uint64 {
	return func(words []uint64) uint64 { return readAll(tier, words) }
})

func TestReadIsTheExclusiveOrOfAll(t *testing.T) {
	const longest = 512
	atStart, atEnd := guard.Slices[uint64](t, longest)
	r := seeded(t)
	copy(atStart, randomWords(r, longest))
	copy(atEnd, randomWords(r, longest))
	kernels.OnEach(t, "", reads, Read, func(t *testing.T, read func([]uint64) uint64) {
		for n := range longest + 1 {
			for offset := range min(8, longest-n+1) {
				for _, words := range [][]uint64{atStart[offset : offset+n], atEnd[longest-n-offset : longest-offset]} {
					var want uint64
					for _, w := range words {
						want ^= w
					}
					if got := read(words); got != want {
						t.Fatalf("%d words: %#x, want %#x", n, got, want)
					}
				}
			}
		}
	})
}
