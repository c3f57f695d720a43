package main

import "math"

// pairs are pairs of vectors of known angles.
type pairs struct {
	x, y   vectors
	angles []float64 // in radians
}

// newPairs returns n pairs for the case, of angles spread over 0 to π/2: the features that y shares
// with x decide. y has other features in place of the rest; where there are too few dimensions for
// that, it has other weights of either sign there.
func newPairs(c Case, n int) *pairs {
	p, d := &pairs{x: vectors{nnz: c.NNZ}, y: vectors{nnz: c.NNZ}}, newDrawer(c, 2)
	for i := range n {
		d.append(&p.x)
		indices, weights := p.x.at(i)
		p.y.indices, p.y.weights = append(p.y.indices, indices...), append(p.y.weights, weights...)
		other, otherWeights := p.y.at(i)
		// of the features: the cosine, but for the weights
		share := math.Cos(math.Pi / 2 * (float64(i) + 0.5) / float64(n))
		replaced := max(1, int(math.Round(float64((1-share)*float64(c.NNZ)))))
		for _, k := range d.Perm(c.NNZ)[:replaced] {
			otherWeights[k] = d.weight()
			if c.Dimensions >= 2*leastSpace[c.Pattern]*uint64(c.NNZ) {
				other[k] = d.newIndex()
			} else if d.IntN(2) == 0 {
				otherWeights[k] = -otherWeights[k]
			}
		}
		p.angles = append(p.angles, angle(indices, weights, other, otherWeights))
	}
	return p
}

// angle returns the angle between two vectors whose features of the same index are at the same
// place. Scalar products are exact.
func angle(xIndices []uint64, x []float32, yIndices []uint64, y []float32) float64 {
	var xx, yy, xy int64 // in squares of the unit
	for k := range x {
		a, b := int64(x[k]*weightUnits), int64(y[k]*weightUnits)
		xx += a * a
		yy += b * b
		if xIndices[k] == yIndices[k] {
			xy += a * b
		}
	}
	cosine := float64(xy) / math.Sqrt(float64(float64(xx)*float64(yy)))
	return math.Acos(min(max(cosine, -1), 1))
}
