package accumulate

func addI64Generic(lanes *[64]int64, codes []uint64, weights []int64) {
	addGrouped(lanes, codes, weights)
}

func sketchI64Generic(codes []uint64, weights []int64) Signs {
	var lanes [64]int64
	addGrouped(&lanes, codes, weights)
	return SignsI64(&lanes)
}
