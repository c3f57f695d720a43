package naive

import (
	"math/bits"
	"math/rand/v2"
)

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

// Sketch64 returns the signs of 64 dot products. Indices must be below the number of dimensions.
func (g *Gaussian) Sketch64(indices []uint64, weights []float32) uint64 {
	var v [64]float32
	for i, index := range indices {
		row := &g.Rows[index]
		for j := range v {
			v[j] += weights[i] * row[j]
		}
	}
	var fingerprint uint64
	for j := range v {
		if v[j] > 0 {
			fingerprint |= 1 << j
		}
	}
	return fingerprint
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

// Sketch64 returns the signs of 64 dot products. Indices must be below the number of dimensions.
func (s *Signs) Sketch64(indices []uint64, weights []float32) uint64 {
	return sketchCodes(indices, weights, func(index uint64) uint64 { return s.Rows[index] })
}

// SketchFunctions is simhash with 64 hash functions: entry j of dimension i is the lowest bit of
// Hash(i, j). It stores nothing, and computes 64 hashes for each feature.
func SketchFunctions(indices []uint64, weights []float32) uint64 {
	return sketchCodes(indices, weights, FunctionsCode)
}

// FunctionsCode returns the 64 entries of a dimension from 64 hash functions.
func FunctionsCode(index uint64) (code uint64) {
	for j := range uint64(64) {
		code |= Hash(index, j) & 1 << j
	}
	return code
}

// SketchHash is simhash with one hash function: entry j of dimension i is bit j of Hash(i, 0)
// (Manku, Jain, Das Sarma 2007).
func SketchHash(indices []uint64, weights []float32) uint64 {
	return sketchCodes(indices, weights, func(index uint64) uint64 { return Hash(index, 0) })
}

// Hash is SplitMix64 of the index with a seed.
func Hash(index, seed uint64) uint64 {
	z := bits.RotateLeft64(index, 32)*0x9E3779B97F4A7C15 + (seed+1)*0xD1342543DE82EF95
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func sketchCodes(indices []uint64, weights []float32, code func(index uint64) uint64) uint64 {
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
	var fingerprint uint64
	for j := range v {
		if v[j] > 0 {
			fingerprint |= 1 << j
		}
	}
	return fingerprint
}
