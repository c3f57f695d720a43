package weights

import (
	"math"
	"slices"
)

// TextRank (Mihalcea and Tarau 2004) ranks features by their neighbours. An undirected edge joins
// two distinct features; its weight is the number of times both occur in the same window of the
// text. The rank is defined by
//
//	rank(i) = (1-d) + d · Σ over the neighbours j of i: weight(i,j) / weights(j) · rank(j)
//
// where d = 0.85 and weights(j) is the sum of the weights of all edges of j. Ranks start at 1. The
// computation is repeated until no rank changes by more than 0.0001, as in the paper, or a hundred
// times. Features are processed in the order of their first occurrence, so the result is the same
// on every machine.
const (
	// rankWindow is the number of features in a window, as in jieba and gse.
	rankWindow = 5

	damping    = 0.85
	tolerance  = 1e-4
	iterations = 100
)

// ranker computes ranks and reuses its memory.
type ranker struct {
	sequence    []uint32 // the terms of the document, in text order; taken by rank
	pairs       []uint64
	edges       []edge
	from        []int // index of the first edge of each term, then the number of edges
	total       []float64
	ranks, next []float64
}

// edge is an edge to a term.
type edge struct {
	to     uint32
	weight float64
}

// rank returns the ranks of the terms in r.sequence, and empties it. The ranks are valid until the
// next call.
func (r *ranker) rank(terms, window int) []float64 {
	r.join(terms, window)
	r.sequence = r.sequence[:0]
	r.ranks, r.next = resized(r.ranks, terms), resized(r.next, terms)
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

// join builds the edges between the terms.
func (r *ranker) join(terms, window int) {
	r.pairs = r.pairs[:0]
	for i, a := range r.sequence {
		for _, b := range r.sequence[i+1 : min(i+window, len(r.sequence))] {
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

// step updates all ranks once and returns the largest change.
func (r *ranker) step() float64 {
	change := 0.0
	for i := range r.next {
		sum := 0.0
		for _, e := range r.edges[r.from[i]:r.from[i+1]] {
			// The conversions prevent fused multiply-adds.
			sum += float64(float64(e.weight/r.total[e.to]) * r.ranks[e.to])
		}
		r.next[i] = (1 - damping) + float64(damping*sum)
		change = max(change, math.Abs(r.next[i]-r.ranks[i]))
	}
	r.ranks, r.next = r.next, r.ranks
	return change
}

func resized(list []float64, n int) []float64 { return slices.Grow(list[:0], n)[:n] }
