package accumulate

func addF64Generic(lanes *[64]float64, codes []uint64, weights []float64) {
	addGrouped(lanes, codes, weights)
}

func sketchF64Generic(codes []uint64, weights []float64) Signs {
	var lanes [64]float64
	addGrouped(&lanes, codes, weights)
	return SignsF64(&lanes)
}
