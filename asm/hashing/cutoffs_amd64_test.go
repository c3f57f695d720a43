//go:build !purego

package hashing

var cutoffs = []int{leastSplitMix64AVX512, leastSplitMix64AVX2, leastXXH64AVX512, leastXXH64AVX2, leastFmix64AVX512, leastFmix64AVX2,
	leastXXH3AVX512, leastXXH3AVX2, leastMurmur3AVX512, leastMurmur3AVX2, leastSipHashAVX512, leastSipHashAVX2, leastLookup3AVX512, leastLookup3AVX2,
	leastRapidHashAVX512, leastRapidHashAVX2, leastWyHashAVX512, leastWyHashAVX2, leastFNVAVX512, leastFNVAVX2, leastMD5AVX2,
	leastMD5CounterAVX512, leastMD5CounterAVX2, leastSHA1AVX512, leastSHA1AVX2, leastSHA1CounterAVX512, leastSHA1CounterAVX2,
	leastSHA256AVX512, leastSHA256AVX2, leastSHA256CounterAVX512, leastSHA256CounterAVX2}
