package explain

import (
	"cmp"
	"math"
	"slices"

	"simhashkit/datasets/text/weights"
)

// words returns the n words that weigh most and the n that differ most, both by what they are of
// vectors of length 1: so a long document and a short one are alike.
func words(a, b weights.Vector, n int) (heaviest, differing []Word) {
	inverseA, inverseB := inverse(a), inverse(b)
	all, differences := 0.0, 0.0
	weights.Align(a, b, func(feature []byte, inA, inB int) {
		w := Word{Feature: slices.Clone(feature)}
		if inA >= 0 {
			w.A = a.Weights[inA]
		}
		if inB >= 0 {
			w.B = b.Weights[inB]
		}
		x, y := float64(w.A*inverseA), float64(w.B*inverseB)
		weight, difference := float64(x*x)+float64(y*y), float64((x-y)*(x-y))
		all, differences = all+weight, differences+difference
		w.Part = weight
		heaviest = append(heaviest, w)
		// less is a rounding error of equal vectors
		if math.Abs(x-y) > 1e-9 {
			w.Part = difference
			differing = append(differing, w)
		}
	})
	return first(heaviest, n, all), first(differing, n, differences)
}

// inverse returns 1 divided by the vector's length.
func inverse(v weights.Vector) float64 {
	squares := 0.0
	for _, w := range v.Weights {
		squares += float64(w * w)
	}
	return 1 / math.Sqrt(max(squares, math.SmallestNonzeroFloat64))
}

// first returns the n words of the largest parts, as parts of the total; of equal ones those whose
// bytes come first, which is the order they are in.
func first(list []Word, n int, total float64) []Word {
	slices.SortStableFunc(list, func(a, b Word) int { return cmp.Compare(b.Part, a.Part) })
	list = list[:min(n, len(list))]
	for i := range list {
		list[i].Part /= max(total, math.SmallestNonzeroFloat64) // no words, or next to none
	}
	return list
}
