//go:build (amd64 || arm64) && !purego

package hamming

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/registers"
)

// If the first screening keeps too many blocks, results are right and only time is lost. A kernel
// returns at every block that it keeps, so these tests compare the kept blocks with the definition
// of the screening.

// block is a block of words that was counted one by one.
type block struct {
	at   int
	hits uint64
}

// keptModel returns the blocks that near must return, call by call.
func keptModel(words []uint64, pattern *[8]uint64, limit uint64) (blocks []block) {
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
		b := block{at: from}
		for i := from; i < min(from+64, len(words)); i++ {
			if within(differ(i)) {
				b.hits |= 1 << (i - from)
			}
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// kept returns the blocks that near returns, call by call.
func kept(tier cpu.Tier, words []uint64, pattern *[8]uint64, limit uint64) (blocks []block) {
	for from := 0; from < len(words); from += 64 {
		registers.Spoil(from%128 == 0)
		at, hits := nearAt(tier, words[from:], pattern, limit)
		from += at
		if at < 0 || from > len(words) || hits != 0 && from == len(words) {
			return append(blocks, block{from, hits}) // keptModel never returns this block
		}
		if from < len(words) {
			blocks = append(blocks, block{from, hits})
		}
	}
	return blocks
}

// pairLimit is the constant of the generator: up to this limit, one count screens two words.
const pairLimit = 5

// beyond fills the words so that every count of the screening is limit+1, and the screening keeps
// nothing. The words of a pair are len(pattern) apart.
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

// falsePair makes word i and its partner, if there is one, differ from the pattern in shared common
// bits and in many other bits that they do not share.
func falsePair(r *rand.Rand, words, pattern []uint64, i, shared int) {
	apart := len(pattern)
	common, own := randomBits(r, shared), r.Uint64()|1|1<<63
	words[i] = pattern[i%apart] ^ (common | own)
	if i+apart < len(words) {
		words[i+apart] = pattern[i%apart] ^ (common | ^own)
	}
}

func TestScreeningKeepsWhatItShould(t *testing.T) {
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		for _, limit := range []int{0, 1, 3, pairLimit, pairLimit + 1, 20, 63} {
			pattern := [8]uint64(randomWords(r, 8))
			for _, n := range []int{8, 56, 64, 72, 128, 136, 192, 320, 328} {
				words := make([]uint64, n)
				beyond(r, words, pattern[:], limit)
				check := func(how string, place int) {
					t.Helper()
					got, want := kept(tier, words, &pattern, uint64(limit)), keptModel(words, &pattern, uint64(limit))
					if !slices.Equal(got, want) {
						t.Fatalf("%v, limit %d, %d words, %s at %d: kept %x, want %x", tier, limit, n, how, place, got, want)
					}
				}
				check("nothing near", 0)
				for i := range words {
					first := i - i/8%2*8 // the first word of the pair
					second := min(first+8, n-1)
					kept := [2]uint64{words[first], words[second]}
					if limit <= pairLimit { // the pair shares few differences, but neither word is near
						falsePair(r, words, pattern[:], first, limit)
						check("a pair that passes the screening", i)
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

// TestScreeningWithoutALimit checks that all words pass if the limit is 64 or more.
func TestScreeningWithoutALimit(t *testing.T) {
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		for _, limit := range []uint64{64, 65, 1 << 31, 1<<62 - 1} {
			pattern := [8]uint64(randomWords(r, 8))
			words := randomWords(r, 128)
			if at, hits := nearAt(tier, words, &pattern, limit); at != 0 || hits != 1<<64-1 {
				t.Errorf("%v, limit %d: hits %#x at %d", tier, limit, hits, at)
			}
		}
	})
}

// Fingerprints of other widths: a word that is near, or a pair that seems so, at every place
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
					if got := nearPeriodicAt(tier, fingerprints, pattern, uint64(limit)); got != want {
						t.Fatalf("%v: words=%d limit=%d, %s at %d: stopped at %d, want %d", tier, words, limit, how, place, got, want)
					}
				}
				check("nothing near", 0, 3*step) // the rest is less than a step
				if got := nearPeriodicAt(tier, fingerprints[:3*step], pattern, uint64(limit)); got != 3*step {
					t.Fatalf("%v: words=%d limit=%d, nothing near in three steps: stopped at %d, want %d", tier, words, limit, got, 3*step)
				}
				for i := range fingerprints {
					first := i - i/len(pattern)%2*len(pattern)
					second := min(first+len(pattern), len(fingerprints)-1)
					kept := [2]uint64{fingerprints[first], fingerprints[second]}
					if limit <= pairLimit {
						falsePair(r, fingerprints, pattern, first, limit)
						check("a pair that passes the screening", i, min(i/step*step, 3*step))
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

// onVectorTiers runs body for every supported tier except the generic one.
func onVectorTiers(t *testing.T, body func(t *testing.T, tier cpu.Tier)) {
	for _, tier := range cpu.Supported() {
		if tier != cpu.Generic {
			t.Run(tier.String(), func(t *testing.T) { body(t, tier) })
		}
	}
}
