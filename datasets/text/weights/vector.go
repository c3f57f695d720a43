package weights

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"simhashkit/datasets"
)

// Vector is a sparse vector whose dimensions are byte strings: in strictly ascending order of the
// bytes, each with its weight, none of which is zero.
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

// AppendIndexed appends the vector with numbers in place of features, such as their hashes. They
// are in ascending order; the weights of features with the same number are summed, and sums that
// are zero left out. A feature for which index returns false is left out too.
func (v Vector) AppendIndexed(indices []uint64, weights []float64, index func(feature []byte) (uint64, bool)) ([]uint64, []float64) {
	type numbered struct {
		index  uint64
		weight float64
	}
	list := make([]numbered, 0, len(v.Features))
	for i, feature := range v.Features {
		if number, ok := index(feature); ok {
			list = append(list, numbered{number, v.Weights[i]})
		}
	}
	// stable, so that equal values are summed in the order of the bytes of their features
	slices.SortStableFunc(list, func(a, b numbered) int { return cmp.Compare(a.index, b.index) })
	for at := 0; at < len(list); {
		number, sum := list[at].index, list[at].weight
		for at++; at < len(list) && list[at].index == number; at++ {
			sum += list[at].weight
		}
		if sum != 0 {
			indices, weights = append(indices, number), append(weights, sum)
		}
	}
	return indices, weights
}

// Cosine returns the cosine of the angle between two vectors, as datasets.Cosine does: equal on
// every machine, and 0 with an empty vector.
func Cosine(a, b Vector) float64 {
	aNumbers, bNumbers := make([]uint64, 0, a.Len()), make([]uint64, 0, b.Len())
	Align(a, b, func(feature []byte, inA, inB int) {
		number := uint64(len(aNumbers) + len(bNumbers)) // no feature before it has had this one
		if inA >= 0 {
			aNumbers = append(aNumbers, number)
		}
		if inB >= 0 {
			bNumbers = append(bNumbers, number)
		}
	})
	return datasets.Cosine(aNumbers, a.Weights, bNumbers, b.Weights)
}

// Align calls each for every feature of two vectors, in ascending order, with its places in both;
// -1 where it is in one only.
func Align(a, b Vector, each func(feature []byte, inA, inB int)) {
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
		switch {
		case order < 0:
			each(a.Features[i], i, -1)
			i++
		case order > 0:
			each(b.Features[j], -1, j)
			j++
		default:
			each(a.Features[i], i, j)
			i++
			j++
		}
	}
}

// TextRank (Mihalcea and Tarau 2004) ranks features by their neighbours. Two features are joined by
// an edge, undirected, that weighs as much as the number of times they stand within the same window
// of the text; a feature is not joined to itself. Then
//
//	rank(i) = (1-d) + d · Σ over the neighbours j of i: weight(i,j) / weights(j) · rank(j)
//
// with d = 0.85 and weights(j) the sum of the weights of all edges of j, is computed again and
// again from ranks of 1 until none changes by more than a ten-thousandth, as in the paper, or a
// hundred times. The features are taken in the order of their first occurrence, so the result is
// the same on every machine.
const (
	// rankWindow is the number of features that stand together, as in jieba and gse.
	rankWindow = 5

	damping    = 0.85
	tolerance  = 1e-4
	iterations = 100
)

// ranker computes ranks with memory of its own.
type ranker struct {
	numbers     []uint32
	pairs       []uint64
	edges       []edge
	from        []int // of each term, its first edge; one more at the end
	total       []float64
	ranks, next []float64
}

// edge leads to a term.
type edge struct {
	to     uint32
	weight float64
}

// rank counts the features and returns the ranks of the counter's terms, valid until the next call.
func (r *ranker) rank(c *counter, features [][]byte, window int) []float64 {
	c.reset(len(features))
	r.numbers = r.numbers[:0]
	for _, feature := range features {
		r.numbers = append(r.numbers, c.number(feature))
	}
	r.join(len(c.terms), window)
	r.ranks, r.next = resized(r.ranks, len(c.terms)), resized(r.next, len(c.terms))
	for i := range r.ranks {
		r.ranks[i] = 1
	}
	for range iterations {
		if r.step() <= tolerance {
			break
		}
	}
	return r.ranks
}

func resized(list []float64, n int) []float64 { return slices.Grow(list[:0], n)[:n] }

// join makes the edges of so many terms.
func (r *ranker) join(terms, window int) {
	r.pairs = r.pairs[:0]
	for i, a := range r.numbers {
		for _, b := range r.numbers[i+1 : min(i+window, len(r.numbers))] {
			if a != b {
				r.pairs = append(r.pairs, uint64(a)<<32|uint64(b), uint64(b)<<32|uint64(a))
			}
		}
	}
	slices.Sort(r.pairs)
	r.edges, r.from, r.total = r.edges[:0], r.from[:0], resized(r.total, terms)
	clear(r.total)
	for at := 0; at < len(r.pairs); {
		pair, first := r.pairs[at], at
		for at < len(r.pairs) && r.pairs[at] == pair {
			at++
		}
		for len(r.from) <= int(pair>>32) {
			r.from = append(r.from, len(r.edges))
		}
		r.edges = append(r.edges, edge{uint32(pair), float64(at - first)})
		r.total[pair>>32] += float64(at - first)
	}
	for len(r.from) <= terms {
		r.from = append(r.from, len(r.edges))
	}
}

// step computes all ranks once more and returns the greatest change.
func (r *ranker) step() float64 {
	change := 0.0
	for i := range r.next {
		sum := 0.0
		for _, e := range r.edges[r.from[i]:r.from[i+1]] {
			// the conversions forbid a fused multiply-add
			sum += float64(float64(e.weight/r.total[e.to]) * r.ranks[e.to])
		}
		r.next[i] = (1 - damping) + float64(damping*sum)
		change = max(change, math.Abs(r.next[i]-r.ranks[i]))
	}
	r.ranks, r.next = r.next, r.ranks
	return change
}
