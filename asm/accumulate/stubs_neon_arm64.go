//go:build !purego

package accumulate

// addF32NEON adds ±weights[i] to each lane. It works like addF32Generic.
//
//go:noescape
func addF32NEON(lanes *[64]float32, codes []uint64, weights []float32)

// countUnitNEON counts the ones of the codes into the binary digits of 64 counters: as
// (*counts).add does, for at most 2016 codes. It writes the lowest 11 digits.
//
//go:noescape
func countUnitNEON(planes *[64]uint64, codes []uint64)
