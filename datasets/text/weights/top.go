package weights

import (
	"math"
	"slices"
)

// Keyword is a feature and its weight.
type Keyword struct {
	Feature []byte
	Weight  float64
}

// Top returns the k features of the greatest weight, be it negative, in this order; of equal ones,
// that whose bytes come first. They refer to the vector's memory.
func (v Vector) Top(k int) []Keyword {
	var keywords []Keyword
	for _, i := range v.heaviest(k) {
		keywords = append(keywords, Keyword{v.Features[i], v.Weights[i]})
	}
	return keywords
}

// keep leaves the k features that weigh most, in ascending order of their bytes.
func (v *Vector) keep(k int) {
	places := v.heaviest(k)
	slices.Sort(places)
	for to, from := range places {
		v.Features[to], v.Weights[to] = v.Features[from], v.Weights[from]
	}
	v.Features, v.Weights = v.Features[:k], v.Weights[:k]
}

// heaviest returns the places of the k features of the greatest weight, be it negative, in this
// order; of equal ones, that whose bytes come first.
func (v *Vector) heaviest(k int) []int {
	places := make([]int, v.Len())
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int {
		switch heavy, light := math.Abs(v.Weights[a]), math.Abs(v.Weights[b]); {
		case heavy > light:
			return -1
		case heavy < light:
			return 1
		}
		return a - b
	})
	return places[:min(k, len(places))]
}
