package quality

import (
	"math"

	"simhashkit/internal/portable"
)

// dot returns the scalar product of two vectors of the set, whose positions ascend. With the
// weights that Generate makes every step is exact.
func (v *vectors) dot(a, b int) float64 {
	sum := 0.0
	i, iEnd, j, jEnd := v.offsets[a], v.offsets[a+1], v.offsets[b], v.offsets[b+1]
	for i < iEnd && j < jEnd {
		switch p, q := v.positions[i], v.positions[j]; {
		case p < q:
			i++
		case p > q:
			j++
		default:
			// the conversion forbids a fused multiply-add, which some machines lack
			sum += float64(v.weights[i] * v.weights[j])
			i++
			j++
		}
	}
	return sum
}

// angle returns the angle between two vectors in radians, also where it is small to all digits, and
// false where one of them has no length. It is the same on every machine to the last bit: which
// pair comes first, and to which bin it belongs, is decided by it.
func (v *vectors) angle(a, b int) (radians, cosine float64, ok bool) {
	return angleOf(v.dot(a, b), v.dot(a, a), v.dot(b, b))
}

func angleOf(dot, aSquare, bSquare float64) (radians, cosine float64, ok bool) {
	product := float64(aSquare * bSquare)
	if !(product > 0) || math.IsInf(product, 1) {
		return 0, 0, false
	}
	radians = portable.Atan2(math.Sqrt(max(0, product-float64(dot*dot))), dot)
	return radians, max(-1, min(1, dot/math.Sqrt(product))), true
}
