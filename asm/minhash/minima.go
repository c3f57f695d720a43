// Package minhash keeps the minima of random functions over a set of features and takes one bit of
// each, 64 lanes at a time.
//
// The key of a feature with the code c is the low 32 bits of mix(c + γ), where mix and γ are those
// of SplitMix64. Lane j of a fingerprint keeps the minimum of a·key + b, modulo 2^32, over the set,
// where a and b belong to that lane (see Functions). The probability that two sets have the same
// minimum is their Jaccard similarity J (Broder 1997). One bit of each minimum is enough to
// estimate it (Li, König 2010): the bits of two sets differ with a probability of (1-J)/2. The
// minima of a union are the smaller ones of both sets. Features cannot be removed.
//
// All kernels give the same minima and bits. Minima of different sets of n features are equal by
// chance with a probability of about n/2^32, so sets of hundreds of millions of features can no
// longer be told apart.
package minhash

import (
	"fmt"
	"slices"
	"sync"

	"simhashkit/asm/cpu"
	"simhashkit/asm/hashing"
)

// Words is the number of 64-lane words for which there are functions.
const Words = 64

// Empty is the minimum of a lane over no features.
const Empty = ^uint32(0)

// Kernels returns the kernels of Add and Bits, fastest first, generic last.
func Kernels() []cpu.Kernel { return slices.Clone(minimaKernels) }

// Keys fills dst with the keys of the codes. Add reads the low 32 bits of a key. Codes are mixed,
// because linear functions would give neighbouring codes neighbouring values. dst may be codes.
func Keys(dst, codes []uint64) { hashing.SplitMix64(dst, codes, 0) }

// Functions returns a and b of the lanes 64·word to 64·word+63. For lane j, a is the low half of
// mix(j + γ), made odd, and b is the high half. It panics if word is not below Words.
func Functions(word int) *[2][64]uint32 {
	if uint(word) >= Words {
		panic(fmt.Sprintf("minhash: word %d, expected 0 to %d", word, Words-1))
	}
	return &functions()[word]
}

var functions = sync.OnceValue(func() *[Words][2][64]uint32 {
	var all [Words][2][64]uint32
	var lanes [64]uint64
	for word := range all {
		for j := range lanes {
			lanes[j] = uint64(64*word + j)
		}
		hashing.SplitMix64(lanes[:], lanes[:], 0)
		for j, x := range lanes {
			all[word][0][j], all[word][1][j] = uint32(x)|1, uint32(x>>32)
		}
	}
	return &all
})

// Add updates the minima of the lanes of a word with the features that have these keys.
func Add(minima *[64]uint32, word int, keys []uint64) {
	addAt(cpu.Active(), minima, Functions(word), keys)
}

// Bits returns one bit of each minimum: bit j is the highest bit of (m ^ m>>15)·0x9E3779B1, where m
// is the minimum of lane j.
func Bits(minima *[64]uint32) uint64 { return bitsAt(cpu.Active(), minima) }

// addGeneric passes over all keys with four lanes at a time, so that minima and constants stay in
// registers.
func addGeneric(minima *[64]uint32, functions *[2][64]uint32, keys []uint64) {
	multiply, add := &functions[0], &functions[1]
	for j := 0; j < len(minima); j += 4 {
		a0, a1, a2, a3 := multiply[j], multiply[j+1], multiply[j+2], multiply[j+3]
		b0, b1, b2, b3 := add[j], add[j+1], add[j+2], add[j+3]
		m0, m1, m2, m3 := minima[j], minima[j+1], minima[j+2], minima[j+3]
		for _, key := range keys {
			k := uint32(key)
			m0 = min(m0, a0*k+b0)
			m1 = min(m1, a1*k+b1)
			m2 = min(m2, a2*k+b2)
			m3 = min(m3, a3*k+b3)
		}
		minima[j], minima[j+1], minima[j+2], minima[j+3] = m0, m1, m2, m3
	}
}

func bitsGeneric(minima *[64]uint32) (bits uint64) {
	for j, m := range minima {
		bits |= uint64((m^m>>15)*0x9E3779B1>>31) << j
	}
	return bits
}
