package main

import (
	"math"
	"slices"
	"strconv"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/internal/binomial"
)

// Way is a way to search: all within K bits of the query, outside the mask of its Ignored least
// sure bits. With Both, the mask of as many of the stored one is added to it.
type Way struct {
	Ignored int
	Both    bool
	K       int
}

// Ways returns the ways that are measured for fingerprints of that width. For 64 bits: plain within
// k = 3; plain within k = 5; k = 3 with the 8 least sure bits ignored, which lets as many strangers
// pass as k = 5 does; and k = 3 with 4 ignored on either side. Other widths have as many in
// proportion.
func Ways(bits int) []Way {
	few, ignored := max(3*bits/64, 1), max(bits/8, 2)
	masked := Way{Ignored: ignored, K: few}
	return []Way{{K: few}, {K: asOpen(bits, masked)}, masked, {Ignored: ignored / 2, Both: true, K: few}}
}

// asOpen returns the least k at which a plain search lets as many strangers pass as the way does,
// of a hash of fair bits.
func asOpen(width int, way Way) int {
	const fair = 0.5
	plain := make([]float64, width+1)
	binomial.AtMost(plain, fair)
	chance := atMost(way.K, width-way.Ignored, fair)
	return slices.IndexFunc(plain, func(p float64) bool { return p >= chance })
}

// atMost is the chance that at most k of n bits differ, of which each differs with chance p.
func atMost(k, n int, p float64) float64 {
	chances := make([]float64, n+1)
	binomial.AtMost(chances, p)
	return chances[k]
}

// mark is what names of rows say of the way.
func (w Way) mark(name benchname.Name) benchname.Name {
	if w.Ignored > 0 {
		name = with(name, "t", strconv.Itoa(w.Ignored))
	}
	if w.Both {
		name = with(name, "masks", "2")
	}
	return with(name, "k", strconv.Itoa(w.K))
}

// with is a name with one more key at its end.
func with(name benchname.Name, key, value string) benchname.Name {
	name.Keys = append(name.Keys[:len(name.Keys):len(name.Keys)], benchname.Key{Key: key, Value: value})
	return name
}

// root is of a mean of squares.
func root(sum float64, n int) float64 { return math.Sqrt(sum / float64(n)) }
