//go:build !purego

package hashing

import "testing"

// The lengths at which the dispatch changes kernels are among those that TestBetweenGuardPages
// takes, one below and one above included.
func TestCutoffsAreCovered(t *testing.T) {
	for _, cutoff := range []int{leastSplitMix64AVX512, leastSplitMix64AVX2, leastXXH64AVX512, leastXXH64AVX2, leastFmix64AVX512, leastFmix64AVX2,
		leastXXH3AVX512, leastXXH3AVX2, leastMurmur3AVX512, leastMurmur3AVX2, leastSipHashAVX512, leastSipHashAVX2, leastLookup3AVX512, leastLookup3AVX2,
		leastRapidHashAVX512, leastRapidHashAVX2, leastWyHashAVX512, leastWyHashAVX2, leastFNVAVX512, leastFNVAVX2, leastMD5AVX2,
		leastMD5CounterAVX512, leastMD5CounterAVX2, leastSHA1AVX512, leastSHA1AVX2, leastSHA1CounterAVX512, leastSHA1CounterAVX2,
		leastSHA256AVX512, leastSHA256AVX2, leastSHA256CounterAVX512, leastSHA256CounterAVX2} {
		if cutoff < 1 || cutoff+1 > 140 {
			t.Errorf("a cut-off at %d keys is outside the lengths that are always tested", cutoff)
		}
	}
}
