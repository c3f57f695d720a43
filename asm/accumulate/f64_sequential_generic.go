package accumulate

func addF64SequentialGeneric(lanes *[64]float64, codes []uint64, weights []float64) {
	addSequential(lanes, codes, weights)
}

func sketchF64SequentialGeneric(codes []uint64, weights []float64) Signs {
	var lanes [64]float64
	addSequential(&lanes, codes, weights)
	return SignsF64(&lanes)
}
