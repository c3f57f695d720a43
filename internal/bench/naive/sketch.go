// Package naive has the loops that most programs use, with a branch for each bit of each feature.
// They are baselines for benchmarks: do not improve them. The bits of a hash are random, so half of
// the branches are mispredicted, which takes most of the time.
package naive

import (
	"math/bits"
	"math/rand/v2"
)

// Weight is a type of weights, which is also the type of their sums.
type Weight interface {
	int32 | int64 | float32 | float64
}

// Sketch64 returns the signs of the weighted codes: bit j is 1 if the sum of lane j is positive.
func Sketch64[W Weight](codes []uint64, weights []W) uint64 {
	var v [64]W
	for i, h := range codes {
		for j := 0; j < 64; j++ {
			if h>>j&1 == 1 {
				v[j] += weights[i]
			} else {
				v[j] -= weights[i]
			}
		}
	}
	return signs(&v)
}

func signs[W Weight](sums *[64]W) (fingerprint uint64) {
	for j := 0; j < 64; j++ {
		if sums[j] > 0 {
			fingerprint |= 1 << j
		}
	}
	return fingerprint
}

// SketchUnit64 is Sketch64 with every weight 1.
func SketchUnit64(codes []uint64) uint64 {
	var v [64]int64
	for _, h := range codes {
		for j := 0; j < 64; j++ {
			if h>>j&1 == 1 {
				v[j]++
			} else {
				v[j]--
			}
		}
	}
	return signs(&v)
}

// A Projection computes fingerprints of 64 bits. Bit j is the sign of the dot product of a vector
// with hyperplane j. Indices must be below the number of dimensions.
type Projection interface {
	Sketch64(indices []uint64, weights []float32) uint64
	// Entry returns entry i of hyperplane j.
	Entry(i uint64, j int) float64
}

// Gaussian stores 64 random hyperplanes with normally distributed entries, 256 bytes for each
// dimension (Charikar 2002).
type Gaussian struct {
	Rows [][64]float32 // Rows[i][j] is entry i of hyperplane j
}

// GaussianBytes is the size of a row of Gaussian.
const GaussianBytes = 64 * 4

// NewGaussian draws the entries of all dimensions.
func NewGaussian(dimensions int, seed uint64) *Gaussian {
	g := &Gaussian{make([][64]float32, dimensions)}
	random := rand.New(rand.NewPCG(seed, 1))
	for i := range g.Rows {
		for j := range g.Rows[i] {
			g.Rows[i][j] = float32(random.NormFloat64())
		}
	}
	return g
}

func (g *Gaussian) Entry(i uint64, j int) float64 { return float64(g.Rows[i][j]) }

func (g *Gaussian) Sketch64(indices []uint64, weights []float32) uint64 {
	var v [64]float32
	for i, index := range indices {
		row := &g.Rows[index]
		for j := range v {
			v[j] += weights[i] * row[j]
		}
	}
	return signs(&v)
}

// Signs stores 64 random hyperplanes with entries of ±1 as bits, 8 bytes for each dimension
// (Achlioptas 2003).
type Signs struct {
	Rows []uint64 // bit j of Rows[i] is 1 if entry i of hyperplane j is +1
}

// SignsBytes is the size of a row of Signs.
const SignsBytes = 8

// NewSigns draws the entries of all dimensions.
func NewSigns(dimensions int, seed uint64) *Signs {
	s := &Signs{make([]uint64, dimensions)}
	random := rand.New(rand.NewPCG(seed, 2))
	for i := range s.Rows {
		s.Rows[i] = random.Uint64()
	}
	return s
}

// Code returns the 64 entries of a dimension.
func (s *Signs) Code(index uint64) uint64 { return s.Rows[index] }

// FunctionsCode returns the 64 entries of a dimension from 64 hash functions: entry j is the lowest
// bit of Hash(index, j). It stores nothing, and computes 64 hashes for each feature.
func FunctionsCode(index uint64) (code uint64) {
	for j := range uint64(64) {
		code |= Hash(index, j) & 1 << j
	}
	return code
}

// HashCode returns the 64 entries of a dimension from one hash function: entry j is bit j of
// Hash(index, 0) (Manku, Jain, Das Sarma 2007).
func HashCode(index uint64) uint64 { return Hash(index, 0) }

// Hash is SplitMix64 of the index with a seed.
func Hash(index, seed uint64) uint64 {
	z := bits.RotateLeft64(index, 32)*0x9E3779B97F4A7C15 + (seed+1)*0xD1342543DE82EF95
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Codes are entries of ±1: bit j of the code of a dimension is 1 for +1.
type Codes func(index uint64) uint64

func (code Codes) Entry(i uint64, j int) float64 { return float64(int(code(i)>>j&1)*2 - 1) }

func (code Codes) Sketch64(indices []uint64, weights []float32) uint64 {
	var v [64]float32
	for i, index := range indices {
		h := code(index)
		for j := range v {
			if h>>j&1 == 1 {
				v[j] += weights[i]
			} else {
				v[j] -= weights[i]
			}
		}
	}
	return signs(&v)
}

// DistanceOfStrings counts the places in which two strings of "0" and "1" differ. The strings must
// have the same length.
func DistanceOfStrings(a, b string) (distance int) {
	for i := range len(a) {
		if a[i] != b[i] {
			distance++
		}
	}
	return distance
}

// DistanceByClearing counts the differing bits by clearing the lowest one until none is left.
func DistanceByClearing(a, b uint64) (distance int) {
	for p := a ^ b; p != 0; p &= p - 1 {
		distance++
	}
	return distance
}
