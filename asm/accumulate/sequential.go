package accumulate

// The functions of this file are not inlined: in another package, the compiler would take what they
// pass to the generic one for escaping.

// AddF32Sequential adds ±weights[i] to each lane, one feature after the other, in float32.
//
//go:noinline
func AddF32Sequential(lanes *[64]float32, codes []uint64, weights []float32) {
	addSequential(lanes, codes, weights)
}

// SketchF32Sequential returns the signs of lanes that start from +0 and gain ±weights[i], one
// feature after the other, in float32.
//
//go:noinline
func SketchF32Sequential(codes []uint64, weights []float32) Signs {
	var lanes [64]float32
	addSequential(&lanes, codes, weights)
	return SignsF32(&lanes)
}

// AddF64Sequential adds ±weights[i] to each lane, one feature after the other, in float64.
//
//go:noinline
func AddF64Sequential(lanes *[64]float64, codes []uint64, weights []float64) {
	addSequential(lanes, codes, weights)
}

// SketchF64Sequential returns the signs of lanes that start from +0 and gain ±weights[i], one
// feature after the other, in float64.
//
//go:noinline
func SketchF64Sequential(codes []uint64, weights []float64) Signs {
	var lanes [64]float64
	addSequential(&lanes, codes, weights)
	return SignsF64(&lanes)
}

// addSequential adds the features to the lanes one after the other.
func addSequential[T float32 | float64](lanes *[64]T, codes []uint64, weights []T) {
	sameLength(len(codes), len(weights))
	weights = weights[:len(codes)]
	for i, c := range codes {
		signed := [2]T{-weights[i], weights[i]}
		for j := 0; j < 64; j += 4 {
			l := (*[4]T)(lanes[j:])
			l[0] += signed[c&1]
			l[1] += signed[c>>1&1]
			l[2] += signed[c>>2&1]
			l[3] += signed[c>>3&1]
			c >>= 4
		}
	}
}
