package main

import (
	"math"
	"math/bits"
)

// Accuracy says how well fingerprints estimate angles, over the pairs of one case under several
// keyings. All is in radians.
type Accuracy struct {
	RMSE float64 // root mean square error of the estimate π·distance/f
	Bias float64 // mean error: greater than 0 where angles are overestimated
	// Systematic is the part of RMSE that stays however many bits there are, since bits of this
	// pair differ with another probability than angle/π: RMSE² is the square of it and the variance
	// between keyings. It is 0 where chance alone explains what was found.
	Systematic float64
	// what RMSE would be in the mean if bits were independent and differed with probability angle/π
	IdealRMSE float64
}

// tally gathers the errors of a case, keying by keying.
type tally struct {
	*pairs
	bits          int
	sums, squares []float64 // of the errors under each keying
	ofPair        []float64 // sum of the errors of each pair
}

// add estimates the angles of all pairs by the method as it is prepared.
func (t *tally) add(m Method) {
	if t.ofPair == nil {
		t.ofPair = make([]float64, len(t.angles))
	}
	var x, y []uint64
	sum, square := 0.0, 0.0
	for i, angle := range t.angles {
		indices, weights := t.x.at(i)
		x = m.Append(x[:0], indices, weights)
		indices, weights = t.y.at(i)
		y = m.Append(y[:0], indices, weights)
		distance := 0
		for w := range x {
			distance += bits.OnesCount64(x[w] ^ y[w])
		}
		e := float64(math.Pi*float64(distance)/float64(t.bits)) - angle
		t.ofPair[i] += e
		sum += e
		square += float64(e * e)
	}
	t.sums, t.squares = append(t.sums, sum), append(t.squares, square)
}

func (t *tally) accuracy() Accuracy {
	n, k := float64(len(t.angles)), float64(len(t.sums)) // pairs and keyings
	bias, mse := 0.0, 0.0
	for i := range t.sums {
		bias += t.sums[i] / n / k
		mse += t.squares[i] / n / k
	}
	ideal, means := 0.0, 0.0 // means: of the squares of the pairs' mean errors
	for i, angle := range t.angles {
		ideal += float64(angle * (math.Pi - angle))
		mean := t.ofPair[i] / k
		means += float64(mean*mean) / n
	}
	// In the mean over keyings, means is systematic² + variance/k and mse is systematic² +
	// variance.
	systematic := math.Sqrt(max(0, float64(k*means)-mse) / (k - 1))
	return Accuracy{RMSE: math.Sqrt(mse), Bias: bias, Systematic: systematic, IdealRMSE: math.Sqrt(ideal / (n * float64(t.bits)))}
}
