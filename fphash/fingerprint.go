package fphash

import (
	"fmt"
	"math"
	"math/bits"
)

// Fingerprint is a simhash: bit j is bit j%64, least significant first, of word j/64. Its width is
// not stored; bits from the width up are zero.
type Fingerprint []uint64

// Bit reports whether bit j is 1. It panics if j is not 0 to 64·len(f)-1.
func (f Fingerprint) Bit(j int) bool {
	if j < 0 || j >= 64*len(f) {
		panic(fmt.Sprintf("fphash: bit %d of a fingerprint of %d bits", j, 64*len(f)))
	}
	return f[j/64]>>(uint(j)%64)&1 != 0
}

// Hex returns the fingerprint as AppendHex writes it.
func (f Fingerprint) Hex(bits int) string { return string(f.AppendHex(nil, bits)) }

// Distance returns the Hamming distance: the number of bits in which a and b differ. It panics if
// they have different numbers of words.
func Distance(a, b []uint64) int {
	if len(a) != len(b) {
		panic(fmt.Sprintf("fphash: %d words, expected %d", len(b), len(a)))
	}
	d := 0
	for word := range a {
		d += bits.OnesCount64(a[word] ^ b[word])
	}
	return d
}

// Distance64 returns the Hamming distance of two fingerprints of up to 64 bits.
func Distance64(a, b uint64) int { return bits.OnesCount64(a ^ b) }

// Cosine estimates the cosine similarity of two vectors, from 1 to -1, from the distance of their
// fingerprints and the width: the cosine of the angle π·distance/bits.
//
// The standard error of the angle is π·sqrt(p(1-p)/bits) with p = angle/π, at most 0.2 for 64 bits,
// if the hash is good and the vectors have many features of which none dominates. It panics if bits
// is less than 1 or distance is not 0 to bits.
func Cosine(distance, bits int) float64 {
	if bits < 1 || distance < 0 || distance > bits {
		panic(fmt.Sprintf("fphash: distance %d of fingerprints of %d bits", distance, bits))
	}
	return math.Cos(math.Pi * float64(distance) / float64(bits))
}
