//go:build !purego

package accumulate

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// addF32NEON adds ±weights[i] to each lane. It works like addGrouped.
//
//go:noescape
func addF32NEON(lanes *[64]float32, codes []uint64, weights []float32)

// countUnitNEON counts the ones of at most 2016 codes into the binary digits of 64 counters, as
// (*counts).add does. It writes the lowest 11 digits.
//
//go:noescape
func countUnitNEON(planes *[64]uint64, codes []uint64)

// addF64NEON adds ±weights[i] to each lane. It works like addGrouped.
//
//go:noescape
func addF64NEON(lanes *[64]float64, codes []uint64, weights []float64)

// addI64NEON adds ±weights[i] to each lane. It works like addGrouped.
//
//go:noescape
func addI64NEON(lanes *[64]int64, codes []uint64, weights []int64)

// addI32NarrowNEON adds ±weights[i] to sums of 32 bits, which wrap.
//
//go:noescape
func addI32NarrowNEON(sums *[64]int32, codes []uint64, weights []int32)

// magnitudesI32NEON returns the bitwise OR of all weights, where a negative weight counts as its
// complement.
//
//go:noescape
func magnitudesI32NEON(weights []int32) uint32

func sketchF32NEON(codes []uint64, weights []float32) Signs {
	var lanes [64]float32
	addF32NEON(&lanes, codes, weights)
	return signsF32(&lanes)
}

func sketchF64NEON(codes []uint64, weights []float64) Signs {
	var lanes [64]float64
	addF64NEON(&lanes, codes, weights)
	return signsF64(&lanes)
}

func sketchI64NEON(codes []uint64, weights []int64) Signs {
	var lanes [64]int64
	addI64NEON(&lanes, codes, weights)
	return signsI64(&lanes)
}

func sketchI32NEON(codes []uint64, weights []int32) Signs {
	var lanes [64]int64
	addI32NEON(&lanes, codes, weights)
	return signsI64(&lanes)
}

func addI32NEON(lanes *[64]int64, codes []uint64, weights []int32) {
	if fitsNarrow(weights) {
		var sums [64]int32
		addI32NarrowNEON(&sums, codes, weights)
		for j, sum := range sums {
			lanes[j] += int64(sum)
		}
		return
	}
	// Convert the weights to int64, a piece at a time.
	var wide [128]int64
	for len(weights) > 0 {
		n := min(len(weights), len(wide))
		for i, w := range weights[:n] {
			wide[i] = int64(w)
		}
		addI64NEON(lanes, codes[:n], wide[:n])
		codes, weights = codes[n:], weights[n:]
	}
}

// fitsNarrow reports whether the sum of the magnitudes of the weights certainly fits in 32 bits.
func fitsNarrow(weights []int32) bool {
	return bits.Len(uint(len(weights)))+bits.Len32(magnitudesI32NEON(weights)) <= 31
}

func sketchUnitNEON(codes []uint64) Signs { return sketchUnitInPieces(cpu.NEON, codes) }
