package accumulate

func addF32SequentialGeneric(lanes *[64]float32, codes []uint64, weights []float32) {
	addSequential(lanes, codes, weights)
}

func sketchF32SequentialGeneric(codes []uint64, weights []float32) Signs {
	var lanes [64]float32
	addSequential(&lanes, codes, weights)
	return SignsF32(&lanes)
}
