// Package sketch is a simple implementation of simhash.
package sketch

// Sketch returns the fingerprint of features with weight 1.
func Sketch(indices []uint64) (fingerprint uint64) {
	var lanes [64]int
	for range rounds {
		for _, i := range indices {
			code := Hash(i)
			for j := range lanes {
				lanes[j] += int(code>>j&1)*2 - 1
			}
		}
	}
	for j, sum := range lanes {
		if sum > 0 {
			fingerprint |= 1 << j
		}
	}
	return fingerprint
}

const rounds = 1
