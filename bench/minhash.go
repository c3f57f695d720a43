package bench

import (
	"fmt"

	"simhashkit/asm/minhash"
)

// set is the value of the key weights= for MinHash, which takes features as a set.
const set = "set"

// minimaTrial takes the bits of the minima of as many features as the case has, from their keys.
// All words of lanes read the same keys.
func minimaTrial(bits func(word int, keys []uint64) uint64, a accumulateCase) *trial {
	words, n := wordsOf(a.f), max(features, a.nnz)
	keys := randomWords(2, n)
	w := windows{n: n, length: a.nnz}
	return &trial{
		per: a.nnz,
		loop: func(times int) {
			for range times {
				from, to := w.next()
				for t := range words {
					sink ^= bits(t, keys[from:to])
				}
			}
		},
		verify: func() error {
			check := windows{n: n, length: a.nnz}
			for i := range 100 {
				from, to := check.next()
				for t := range words {
					if got, want := bits(t, keys[from:to]), minHashOracle(t, keys[from:to]); got != want {
						return wrongAnswer{fmt.Sprintf("set %d word %d", i, t), got, want}
					}
				}
			}
			return nil
		},
	}
}

func bitsOfMinima(word int, keys []uint64) uint64 {
	var minima [64]uint32
	for j := range minima {
		minima[j] = minhash.Empty
	}
	minhash.Add(&minima, word, keys)
	return minhash.Bits(&minima)
}

// expectedMinima returns the MinHash fingerprints by the definition, computed with the hash of the
// library and the oracle.
func expectedMinima[W weight](s sketchCase, v *vectors[W]) ([]uint64, error) {
	bits := s.bits
	s.bits = 64 // of the hash, whatever the width
	code, err := s.coder()
	if err != nil {
		return nil, err
	}
	var want []uint64
	for i := range v.distinct {
		indices, _ := v.at(i)
		keys := code(indices)[0]
		for k, c := range keys {
			keys[k] = splitMix64(c)
		}
		for t := range wordsOf(bits) {
			want = append(want, minHashOracle(t, keys))
		}
		want[len(want)-1] &= lastWordMask(bits)
	}
	return want, nil
}

// minHashOracle computes a word of a fingerprint by MinHash as the definition says, one lane and
// one key after the other.
func minHashOracle(word int, keys []uint64) (fingerprint uint64) {
	for j := range 64 {
		constants, least := splitMix64(uint64(64*word+j)), minhash.Empty
		for _, key := range keys {
			least = min(least, (uint32(constants)|1)*uint32(key)+uint32(constants>>32))
		}
		fingerprint |= uint64((least^least>>15)*0x9E3779B1>>31) << j
	}
	return fingerprint
}

func splitMix64(state uint64) uint64 {
	z := state + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
