package hamming

import (
	"slices"
	"testing"

	"simhashkit/asm/internal/guard"
)

// Up to 8 words, more than a register holds, more than a pattern holds (65 words have one of 520).
var widths = []int{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 33, 64, 65}

// Every length from 0 to 512 words at eight alignments, flush against inaccessible pages on both
// sides.
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
		whole := longest / words * words
		// for each width, its own share of the same pages
		first, last := atStart[:whole], atEnd[longest-whole:]
		fill(r, first, query, 30)
		copy(last, first)
		slices.Reverse(last)
		for i := 0; i < whole; i += words {
			slices.Reverse(last[i : i+words])
		}
		k := 3 * words
		firstWant, lastWant := withinOracle(first, query, k), withinOracle(last, query, k)
		cut := func(all []Match, from, to int) (part []Match) {
			for _, m := range all {
				if from <= m.Index && m.Index < to {
					part = append(part, Match{m.Index - from, m.Distance})
				}
			}
			return part
		}
		count := whole / words
		for n := range count + 1 {
			for offset := range min(8, count-n+1) {
				begin, end := count-n-offset, count-offset
				inputs = append(inputs,
					input{first[offset*words : (offset+n)*words], k, cut(firstWant, offset, offset+n)},
					input{last[begin*words : end*words], k, cut(lastWant, begin, end)})
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
		everything := withinOracle(fingerprints, query, 64*words)
		onScans(t, func(t *testing.T, appendWithin scan) {
			for k := -1; k <= 64*words+1; k++ {
				var want []Match
				for _, m := range everything {
					if m.Distance <= k {
						want = append(want, m)
					}
				}
				got, err := appended(func(dst []Match) []Match { return appendWithin(dst, fingerprints, query, k) })
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("words=%d k=%d: %v, want %v (%v)", words, k, got, want, err)
				}
			}
			for _, k := range []int{-1 << 31, 1<<31 - 1} {
				if got, want := len(appendWithin(nil, fingerprints, query, k)), max(0, min(k, 150)); got != want {
					t.Fatalf("words=%d k=%d: %d matches, want %d", words, k, got, want)
				}
			}
		})
	}
}

// A single match at every position of the first blocks, at its greatest distance, among
// fingerprints that are far off or are so only one by one.
func TestScanFindsEveryPosition(t *testing.T) {
	for _, words := range []int{1, 2, 3, 4, 8, 16} {
		r := seeded(t)
		query := randomWords(r, words)
		const n = 133
		fingerprints := make([]uint64, n*words)
		for _, k := range []int{0, 3, 5, 6, 20} {
			// each word is farther off than the limit, and their neighbours differ elsewhere
			far := k*words + words
			for i := range fingerprints {
				mask := uint64(1)<<(far/words) - 1
				fingerprints[i] = query[i%words] ^ mask<<(i/words/(8>>(i/words/64))%2*32)
			}
			onScans(t, func(t *testing.T, appendWithin scan) {
				var got []Match
				for i := range n {
					f := fingerprints[i*words : (i+1)*words]
					saved := slices.Clone(f)
					copy(f, query)
					for b := range k * words {
						f[b%words] ^= 1 << (63 - b/words)
					}
					got = appendWithin(got[:0], fingerprints, query, k*words)
					copy(f, saved)
					if want := []Match{{i, k * words}}; !slices.Equal(got, want) {
						t.Fatalf("words=%d k=%d: %v, want %v", words, k*words, got, want)
					}
				}
			})
		}
	}
}

func TestReadIsTheExclusiveOrOfAll(t *testing.T) {
	const longest = 512
	atStart, atEnd := guard.Slices[uint64](t, longest)
	r := seeded(t)
	copy(atStart, randomWords(r, longest))
	copy(atEnd, randomWords(r, longest))
	body := func(t *testing.T, read func([]uint64) uint64) {
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
	}
	for _, k := range ReadKernels() {
		if k.Available() {
			t.Run(k.Name, func(t *testing.T) { body(t, k.Read) })
		}
	}
	onTiers(t, func(t *testing.T) { body(t, Read) })
}
