//go:build !purego

package accumulate

// addF32NEON adds ±weights[i] to each lane. It works like addF32Generic.
//
//go:noescape
func addF32NEON(lanes *[64]float32, codes []uint64, weights []float32)

// countUnitNEON counts the ones of at most 2016 codes into the binary digits of 64 counters, as
// (*counts).add does. It writes the lowest 11 digits.
//
//go:noescape
func countUnitNEON(planes *[64]uint64, codes []uint64)

// addF64NEON adds ±weights[i] to each lane. It works like addF64Generic.
//
//go:noescape
func addF64NEON(lanes *[64]float64, codes []uint64, weights []float64)

// addI64NEON adds ±weights[i] to each lane. It works like addI64Generic.
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
