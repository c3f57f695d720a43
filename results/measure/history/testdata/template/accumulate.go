// Package near finds near-duplicates among sparse vectors.
package near

// Bits is the width of a fingerprint.
const Bits = 64

// Accumulate adds the weight of each feature to the lanes where its code has a one, and subtracts it from the others.
func Accumulate(lanes *[Bits]int32, codes []uint64, weights []int32) {
	for i, code := range codes {
		w := weights[i]
		for j := range lanes {
			mask := int32(code&1) - 1
			lanes[j] += (w ^ mask) - mask
			code >>= 1
		}
	}
}

// Fingerprint has a one for each lane above zero.
func Fingerprint(lanes *[Bits]int32) (f uint64) {
	for j, sum := range lanes {
		if sum > 0 {
			f |= 1 << j
		}
	}
	return f
}

// Sketch returns the fingerprint of a vector.
func Sketch(codes []uint64, weights []int32) uint64 {
	var lanes [Bits]int32
	Accumulate(&lanes, codes, weights)
	return Fingerprint(&lanes)
}
