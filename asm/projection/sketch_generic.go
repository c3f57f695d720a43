package projection

func sketchGeneric(table []float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool) {
	var sums [64]float32
	for i, index := range indices {
		if index >= uint64(dimensions) {
			return 0, false
		}
		row, w := (*[64]float32)(table[int(index)*stride:]), weights[i]
		for j := range sums {
			sums[j] += float32(w * row[j])
		}
	}
	for j, sum := range sums {
		bit := uint64(0)
		if sum > 0 {
			bit = 1
		}
		positive |= bit << j
	}
	return positive, true
}
