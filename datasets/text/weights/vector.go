package weights

import (
	"cmp"
	"math"
	"slices"
)

// Vector is a sparse vector whose dimensions are byte strings, in strictly ascending order. All
// weights are nonzero.
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

// Keyword is a feature and its weight.
type Keyword struct {
	Feature []byte
	Weight  float64
}

// Top returns the k features with the largest absolute weights, in descending order. Features of
// equal weight are in byte order. Features share the memory of the vector.
func (v Vector) Top(k int) []Keyword {
	var keywords []Keyword
	for _, i := range v.heaviest(k) {
		keywords = append(keywords, Keyword{v.Features[i], v.Weights[i]})
	}
	return keywords
}

// keep removes all features except those of Top. The order stays ascending.
func (v *Vector) keep(k int) {
	places := v.heaviest(k)
	slices.Sort(places)
	for to, from := range places {
		v.Features[to], v.Weights[to] = v.Features[from], v.Weights[from]
	}
	v.Features, v.Weights = v.Features[:k], v.Weights[:k]
}

// heaviest returns the indices of the features that Top returns.
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
