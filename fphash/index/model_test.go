package index

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// distanceOracle is the definition of the distance, bit by bit. It is an oracle: do not change it.
func distanceOracle(width int, a, b []uint64) (n int) {
	bit := func(words []uint64, j int) bool { return words[j/64]>>(j%64)&1 != 0 }
	for j := range width {
		if bit(a, j) != bit(b, j) {
			n++
		}
	}
	return n
}

// within returns the matches within k.
func within(matches []Match, k int) (near []Match) {
	for _, m := range matches {
		if m.Distance <= k {
			near = append(near, m)
		}
	}
	return near
}

// A shape is a kind of set for testing an index.
type shape struct {
	name string
	fill func(r *rand.Rand, set *Set, n int)
}

// shapes lists kinds of sets for which searches differ: most have pairs at every small distance.
var shapes = []shape{
	{"random", func(r *rand.Rand, set *Set, n int) {
		for range n {
			set.Words = append(set.Words, randomWords(r, set.Bits)...)
		}
	}},
	{"planted", func(r *rand.Rand, set *Set, n int) {
		for i := range n {
			if i%3 == 0 || i == 0 {
				set.Words = append(set.Words, randomWords(r, set.Bits)...)
			} else {
				set.Words = append(set.Words, changed(r, set.Bits, set.At(r.IntN(i)), r.IntN(6))...)
			}
		}
	}},
	{"clustered", func(r *rand.Rand, set *Set, n int) {
		centre := randomWords(r, set.Bits)
		for range n {
			set.Words = append(set.Words, changed(r, set.Bits, centre, r.IntN(5))...)
		}
	}},
	{"all equal", func(r *rand.Rand, set *Set, n int) {
		centre := randomWords(r, set.Bits)
		for range n {
			set.Words = append(set.Words, centre...)
		}
	}},
	{"half equal", func(r *rand.Rand, set *Set, n int) {
		centre := randomWords(r, set.Bits)
		for i := range n {
			if i%2 == 0 {
				set.Words = append(set.Words, centre...)
			} else {
				set.Words = append(set.Words, randomWords(r, set.Bits)...)
			}
		}
	}},
	{"one block shared", func(r *rand.Rand, set *Set, n int) {
		centre := randomWords(r, set.Bits)
		from, to := set.Bits/4, set.Bits/2
		for range n {
			words := randomWords(r, set.Bits)
			for j := from; j < to; j++ {
				words[j/64] ^= (words[j/64] ^ centre[j/64]) & (1 << (j % 64))
			}
			set.Words = append(set.Words, words...)
		}
	}},
}

func randomWords(r *rand.Rand, width int) []uint64 {
	words := make([]uint64, (width+63)/64)
	for i := range words {
		words[i] = r.Uint64()
	}
	words[len(words)-1] &= lastWord(width)
	return words
}

// changed returns a copy of words in which n bits are flipped.
func changed(r *rand.Rand, width int, words []uint64, n int) []uint64 {
	words = slices.Clone(words)
	for _, j := range r.Perm(width)[:min(n, width)] {
		words[j/64] ^= 1 << (j % 64)
	}
	return words
}

// newShape returns a set of the given shape. Its ids are neither positions nor ascending.
func newShape(r *rand.Rand, s shape, width, n int) *Set {
	set := &Set{Bits: width}
	s.fill(r, set, n)
	for _, i := range r.Perm(n) {
		set.IDs = append(set.IDs, uint64(i)*7+3)
	}
	return set
}

// queriesFor returns queries with matches in the set, and some without.
func queriesFor(r *rand.Rand, set *Set, n, k int) (queries []Query) {
	for i := range n {
		var q Query
		if i%5 == 4 || set.Len() == 0 {
			q.Words = randomWords(r, set.Bits)
		} else {
			q.Words = changed(r, set.Bits, set.At(r.IntN(set.Len())), min(r.IntN(k+2), set.Bits))
		}
		if i%6 == 2 {
			q.Allow = func(id uint64) bool { return bits.OnesCount64(id)%2 == 0 }
		}
		queries = append(queries, q)
	}
	return queries
}

func show(matches []Match) string {
	if len(matches) > 10 {
		return fmt.Sprint(len(matches), " matches, the first ", matches[:10])
	}
	return fmt.Sprint(len(matches), " matches ", matches)
}
