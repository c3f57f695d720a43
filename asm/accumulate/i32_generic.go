package accumulate

func addI32Generic(lanes *[64]int64, codes []uint64, weights []int32) {
	addGrouped(lanes, codes, weights)
}

func sketchI32Generic(codes []uint64, weights []int32) Signs {
	var lanes [64]int64
	addGrouped(&lanes, codes, weights)
	return SignsI64(&lanes)
}
