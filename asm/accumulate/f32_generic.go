package accumulate

func addF32Generic(lanes *[64]float32, codes []uint64, weights []float32) {
	addGrouped(lanes, codes, weights)
}

func sketchF32Generic(codes []uint64, weights []float32) Signs {
	var lanes [64]float32
	addGrouped(&lanes, codes, weights)
	return SignsF32(&lanes)
}
