//go:build !purego

package accumulate

// addF32NEON adds ±weights[i] to each lane. It works like addF32Generic.
//
//go:noescape
func addF32NEON(lanes *[64]float32, codes []uint64, weights []float32)
