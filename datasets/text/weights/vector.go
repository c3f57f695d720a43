package weights

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"simhashkit/datasets/internal/cosine"
)

// Vector is a sparse vector whose dimensions are byte strings, in strictly ascending order, each
// with its weight, which is not zero.
type Vector struct {
	Features [][]byte
	Weights  []float64
}

// Len returns the number of features.
func (v Vector) Len() int { return len(v.Features) }

// Clone returns a copy that shares no memory with v.
func (v Vector) Clone() Vector {
	total := 0
	for _, feature := range v.Features {
		total += len(feature)
	}
	memory := make([]byte, 0, total)
	c := Vector{make([][]byte, 0, len(v.Features)), slices.Clone(v.Weights)}
	for _, feature := range v.Features {
		from := len(memory)
		memory = append(memory, feature...)
		c.Features = append(c.Features, memory[from:len(memory):len(memory)])
	}
	return c
}

// Cosine returns the cosine of the angle between two vectors, as datasets.Cosine does: the same on
// every machine, and 0 for an empty vector.
func Cosine(a, b Vector) float64 {
	// Features are numbered in ascending order, those of both vectors with the same number.
	aNumbers, bNumbers := make([]uint64, 0, a.Len()), make([]uint64, 0, b.Len())
	for i, j := 0, 0; i < a.Len() || j < b.Len(); {
		order := 0
		switch {
		case j == b.Len():
			order = -1
		case i == a.Len():
			order = 1
		default:
			order = bytes.Compare(a.Features[i], b.Features[j])
		}
		number := uint64(i + j)
		if order <= 0 {
			aNumbers = append(aNumbers, number)
			i++
		}
		if order >= 0 {
			bNumbers = append(bNumbers, number)
			j++
		}
	}
	return cosine.Of(aNumbers, a.Weights, bNumbers, b.Weights)
}

// Keyword is a feature and its weight.
type Keyword struct {
	Feature []byte
	Weight  float64
}

// Top returns the k features with the greatest absolute weights, the greatest first. Features of
// equal weight are in the order of their bytes. They refer to the vector's memory.
func (v Vector) Top(k int) []Keyword {
	var keywords []Keyword
	for _, i := range v.heaviest(k) {
		keywords = append(keywords, Keyword{v.Features[i], v.Weights[i]})
	}
	return keywords
}

// keep keeps only the features of Top, in ascending order of their bytes.
func (v *Vector) keep(k int) {
	places := v.heaviest(k)
	slices.Sort(places)
	for to, from := range places {
		v.Features[to], v.Weights[to] = v.Features[from], v.Weights[from]
	}
	v.Features, v.Weights = v.Features[:k], v.Weights[:k]
}

// heaviest returns the indices of the features of Top.
func (v *Vector) heaviest(k int) []int {
	places := make([]int, v.Len())
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(cmp.Compare(math.Abs(v.Weights[b]), math.Abs(v.Weights[a])), a-b)
	})
	return places[:min(k, len(places))]
}
