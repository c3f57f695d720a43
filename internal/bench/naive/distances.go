package naive

import "math/bits"

// DistanceOfStrings counts the places in which two strings of "0" and "1" differ. The strings must
// have the same length.
func DistanceOfStrings(a, b string) (distance int) {
	for i := range len(a) {
		if a[i] != b[i] {
			distance++
		}
	}
	return distance
}

// DistanceByClearing counts the differing bits by clearing the lowest one until none is left.
func DistanceByClearing(a, b uint64) (distance int) {
	for p := a ^ b; p != 0; p &= p - 1 {
		distance++
	}
	return distance
}

// DistanceByCount counts the differing bits with the instruction of the processor, if there is one.
func DistanceByCount(a, b uint64) int { return bits.OnesCount64(a ^ b) }
