// Package naive has the loops that most programs use, with a branch for each bit of each feature.
// They are baselines for benchmarks: do not improve them. The bits of a hash are random, so half of
// the branches are mispredicted, which takes most of the time.
package naive

// Weight is a type of weights, which is also the type of their sums.
type Weight interface {
	int32 | int64 | float32 | float64
}

// Sketch64 returns the signs of the weighted codes: bit j is 1 if the sum of lane j is positive.
func Sketch64[W Weight](codes []uint64, weights []W) uint64 {
	var v [64]W
	for i, h := range codes {
		for j := 0; j < 64; j++ {
			if h>>j&1 == 1 {
				v[j] += weights[i]
			} else {
				v[j] -= weights[i]
			}
		}
	}
	var fingerprint uint64
	for j := 0; j < 64; j++ {
		if v[j] > 0 {
			fingerprint |= 1 << j
		}
	}
	return fingerprint
}

// SketchUnit64 is Sketch64 with every weight 1.
func SketchUnit64(codes []uint64) uint64 {
	var v [64]int
	for _, h := range codes {
		for j := 0; j < 64; j++ {
			if h>>j&1 == 1 {
				v[j]++
			} else {
				v[j]--
			}
		}
	}
	var fingerprint uint64
	for j := 0; j < 64; j++ {
		if v[j] > 0 {
			fingerprint |= 1 << j
		}
	}
	return fingerprint
}
