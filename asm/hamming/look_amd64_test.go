//go:build !purego

package hamming

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/registers"
)

// The first look of a scan may send any block on to be counted word by word: then the result is
// right and only time is lost. So kernels say how often they have done so, and the tests hold that
// number to the definition of the look.

// nearModel is what near must return; at only counts where there are hits.
func nearModel(words []uint64, pattern *[8]uint64, limit uint64) (at int, hits uint64, counted int) {
	differ := func(i int) uint64 { return words[i] ^ pattern[i%8] }
	within := func(x uint64) bool { return uint64(bits.OnesCount64(x)) <= limit }
	for from := 0; from < len(words); from += 64 {
		if from+64 <= len(words) {
			any := false
			for i := from; i < from+64; i++ {
				if limit > pairLimit {
					any = any || within(differ(i))
				} else if i%16 < 8 {
					any = any || within(differ(i)&differ(i+8))
				}
			}
			if !any {
				continue
			}
		}
		counted++
		for i := from; i < min(from+64, len(words)); i++ {
			if within(differ(i)) {
				hits |= 1 << (i - from)
			}
		}
		if hits != 0 {
			return from, hits, counted
		}
	}
	return 0, 0, counted
}

// pairLimit is the generator's: up to it, one count looks at two words.
const pairLimit = 5

// beyond fills the words so that the look finds nothing by one bit: what it counts is limit+1
// everywhere. A pair lies as far apart as the pattern is long.
func beyond(r *rand.Rand, words, pattern []uint64, limit int) {
	apart := len(pattern)
	for i := range words {
		if limit > pairLimit {
			words[i] = pattern[i%apart] ^ randomBits(r, limit+1)
		} else if i/apart%2 == 0 {
			falsePair(r, words, pattern, i, limit+1)
		}
	}
}

// falsePair makes the word at i and its partner, if there is one, differ from the pattern in as
// many bits that they share, and in many that they do not.
func falsePair(r *rand.Rand, words, pattern []uint64, i, shared int) {
	apart := len(pattern)
	common, own := randomBits(r, shared), r.Uint64()|1|1<<63
	words[i] = pattern[i%apart] ^ (common | own)
	if i+apart < len(words) {
		words[i+apart] = pattern[i%apart] ^ (common | ^own)
	}
}

func TestTheLookSendsOnWhatItShould(t *testing.T) {
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		for _, limit := range []int{0, 1, 3, pairLimit, pairLimit + 1, 20, 63} {
			pattern := [8]uint64(randomWords(r, 8))
			for _, n := range []int{8, 56, 64, 72, 128, 136, 192, 320, 328} {
				words := make([]uint64, n)
				beyond(r, words, pattern[:], limit)
				check := func(how string, place int) {
					t.Helper()
					wantAt, wantHits, wantCounted := nearModel(words, &pattern, uint64(limit))
					registers.Spoil(place%2 == 0)
					at, hits, counted := near(tier, words, &pattern, uint64(limit))
					if hits != wantHits || counted != wantCounted || hits != 0 && at != wantAt {
						t.Fatalf("%v, limit %d, %d words, %s at %d: hits %#x at %d after %d blocks counted, want %#x at %d after %d", tier, limit, n, how, place, hits, at, counted, wantHits, wantAt, wantCounted)
					}
				}
				check("nothing near", 0)
				for i := range words {
					first := i - i/8%2*8 // of the pair
					second := min(first+8, n-1)
					kept := [2]uint64{words[first], words[second]}
					if limit <= pairLimit { // the pair shares few bits, but neither word is near
						falsePair(r, words, pattern[:], first, limit)
						check("a pair that is near", i)
						words[first], words[second] = kept[0], kept[1]
					}
					former := words[i]
					words[i] = pattern[i%8] ^ randomBits(r, limit)
					check("a word that is near", i)
					words[i] = former
				}
			}
		}
	})
}

// A limit of 64 and more lets every word through.
func TestTheLookWithoutALimit(t *testing.T) {
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		for _, limit := range []uint64{64, 65, 1 << 31, 1<<62 - 1} {
			pattern := [8]uint64(randomWords(r, 8))
			words := randomWords(r, 128)
			if at, hits, counted := near(tier, words, &pattern, limit); at != 0 || hits != 1<<64-1 || counted != 1 {
				t.Errorf("%v, limit %d: hits %#x at %d after %d blocks", tier, limit, hits, at, counted)
			}
		}
	})
}

// The lines of which the second quarter is read are those that the first leaves a candidate: in all
// others each first quarter is one bit beyond the limit.
func TestTheFirstQuarterRulesOutWhatItShould(t *testing.T) {
	const lines = 3
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		quarterBits := func(n int) (q uint16) {
			for _, b := range r.Perm(16)[:n] {
				q |= 1 << b
			}
			return q
		}
		for limit := range uint16(16) {
			query := [2]uint16{uint16(r.Uint32()), uint16(r.Uint32())}
			first, second := make([]uint16, lines*quartersOfLine), make([]uint16, lines*quartersOfLine)
			for i := range first {
				first[i], second[i] = query[0]^quarterBits(int(limit)+1), query[1]
			}
			check := func(place int, want []uint64, wantListed int) {
				t.Helper()
				var list [linesOfList]uint64
				registers.Spoil(place%2 == 0)
				n, listed := candidates(tier, &list, first, second, &query, limit)
				if listed != wantListed || !slices.Equal(list[:n], want) {
					t.Fatalf("%v, limit %d, quarter %d: %x, %d lines read in both quarters; want %x and %d", tier, limit, place, list[:n], listed, want, wantListed)
				}
			}
			check(-1, nil, 0)
			for i := range first {
				kept := first[i]
				first[i] = query[0] ^ quarterBits(int(limit))
				check(i, []uint64{uint64(i/quartersOfLine)<<32 | 1<<(i%quartersOfLine)}, 1)
				second[i] ^= 1 << r.IntN(16) // both quarters together are beyond the limit
				check(i, nil, 1)
				first[i], second[i] = kept, query[1]
			}
		}
	})
}

// Fingerprints of other widths: a word that is near, or a pair that looks like it, at every place
// among words that are beyond the limit by one bit.
func TestPeriodicKernelsStopWhereTheyShould(t *testing.T) {
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		for _, words := range []int{3, 5, 6, 16, 64} {
			pattern := make([]uint64, periodOf(words))
			query := randomWords(r, words)
			for i := range pattern {
				pattern[i] = query[i%words]
			}
			step := 2 * len(pattern)
			fingerprints := make([]uint64, 3*step+len(pattern))
			for _, limit := range []int{0, 3, pairLimit, pairLimit + 1, 20, 63} {
				beyond(r, fingerprints, pattern, limit)
				check := func(how string, place, want int) {
					t.Helper()
					registers.Spoil(place%2 == 0)
					if got := nearPeriodic(tier, fingerprints, pattern, uint64(limit)); got != want {
						t.Fatalf("%v: words=%d limit=%d, %s at %d: stopped at %d, want %d", tier, words, limit, how, place, got, want)
					}
				}
				check("nothing near", 0, 3*step) // what is left is less than a step
				if got := nearPeriodic(tier, fingerprints[:3*step], pattern, uint64(limit)); got != 3*step {
					t.Fatalf("%v: words=%d limit=%d, nothing near in three steps: stopped at %d, want %d", tier, words, limit, got, 3*step)
				}
				for i := range fingerprints {
					first := i - i/len(pattern)%2*len(pattern)
					second := min(first+len(pattern), len(fingerprints)-1)
					kept := [2]uint64{fingerprints[first], fingerprints[second]}
					if limit <= pairLimit {
						falsePair(r, fingerprints, pattern, first, limit)
						check("a pair that looks near", i, min(i/step*step, 3*step))
						fingerprints[first], fingerprints[second] = kept[0], kept[1]
					}
					former := fingerprints[i]
					fingerprints[i] = pattern[i%len(pattern)] ^ randomBits(r, limit)
					check("a word that is near", i, min(i/step*step, 3*step))
					fingerprints[i] = former
				}
			}
		}
	})
}
