package fphash

import (
	"errors"
	"fmt"
	"math"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/minhash"
)

// Kind is the kind of sketch. It determines which similarity the distance of two fingerprints
// estimates.
type Kind uint8

// The kinds of sketches.
const (
	// SimHash sums weights, as the package documentation describes.
	// Distances estimate the angle; see Cosine. It is the default.
	SimHash Kind = iota
	// MinHash is 1-bit MinHash. Features are a set, and bit j of the
	// fingerprint is one bit of the minimum of function j over the set.
	// The functions depend on the number of words, so a fingerprint is no
	// part of a wider one unless both have as many words.
	// Distances estimate the Jaccard similarity; see Jaccard. It uses 64
	// bits of the hash for any width, so there is no widening, and also no
	// tie rule and no order of summation. Weights are an error, repeated
	// features count once, and an accumulator can merge but not subtract.
	// METHODOLOGY.md describes and explains the functions.
	MinHash
)

var kindNames = [...]string{SimHash: "simhash", MinHash: "minhash"}

// String returns the kind's name: simhash or minhash.
func (k Kind) String() string { return nameOf(k, kindNames[:], "Kind") }

// keyBits is the number of bits of a hash that MinHash uses.
const keyBits = 64

var (
	errWeights  = errors.New("fphash: MinHash takes sets: weights must be 1 or absent")
	errSubtract = errors.New("fphash: MinHash cannot subtract, because minima do not record earlier values")
)

// checkMinHash returns an error for choices that do not apply to MinHash.
func checkMinHash(tie Tie, order Order, single bool, widen Widen) error {
	switch {
	case tie != TieZero:
		return fmt.Errorf("fphash: tie rule %v cannot be combined with MinHash, which has no sums", tie)
	case order != Grouped:
		return fmt.Errorf("fphash: order of summation %v cannot be combined with MinHash, which has no sums", order)
	case single:
		return errors.New("fphash: lanes of float32 cannot be combined with MinHash, which has no sums")
	case widen != WidenNone:
		return fmt.Errorf("fphash: widening %v cannot be combined with MinHash, which uses %d bits of the hash for any width", widen, keyBits)
	}
	return nil
}

func (d *definition) kind() Kind {
	if d.minhash {
		return MinHash
	}
	return SimHash
}

// usedCodeWords returns the number of words of a code that the lanes depend on.
func (d *definition) usedCodeWords() int {
	if d.minhash {
		return 1
	}
	return d.words
}

// signsOfMinima returns the bits of the minima as signs of lanes. For an empty set, all lanes are
// ties. An empty set is recognised by the first two lanes: no feature has the largest value in
// both.
func signsOfMinima(minima *[64]uint32) accumulate.Signs {
	if minima[0] == math.MaxUint32 && minima[1] == math.MaxUint32 {
		return accumulate.Signs{Zero: ^uint64(0)}
	}
	return accumulate.Signs{Positive: minhash.Bits(minima)}
}

// Jaccard estimates the Jaccard similarity of two sets, the size of their intersection divided by
// the size of their union, from the distance and width of their MinHash fingerprints: 1 -
// 2·distance/bits, but at least 0. low and high are its 95% interval (Wilson 1927).
//
// It panics if bits is less than 1, or if distance is not in the range 0 to bits.
func Jaccard(distance, bits int) (estimate, low, high float64) {
	if bits < 1 || distance < 0 || distance > bits {
		panic(fmt.Sprintf("fphash: distance %d of fingerprints of %d bits", distance, bits))
	}
	const z = 1.959963984540054 // the 97.5% quantile of the normal distribution
	n, p := float64(bits), float64(distance)/float64(bits)
	center := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(float64(p*(1-p))/n+z*z/(4*n*n))
	similarity := func(p float64) float64 { return min(max(1-2*p, 0), 1) }
	return similarity(p), similarity(center + half), similarity(center - half)
}
