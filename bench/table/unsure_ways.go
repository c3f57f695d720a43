package table

import (
	"slices"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
)

// unsureRows is what was measured of unsure bits on vectors of one kind.
type unsureRows struct {
	Hash, Weights, Bits, Features string
	Cosines                       []string // in descending order

	// the ways to search: plain within few bits, plain within as many as let as many strangers pass
	// as the masks do, with the least sure bits of the query ignored, and with some of either side
	Few, Plain, Masked, Both unsureWay

	cells map[string]advice.Cell
}

// unsureWay is a way to search, by the keys of names; all are "" of one that was not measured.
type unsureWay struct{ Ignored, Masks, K string }

// There reports whether the way was measured.
func (w unsureWay) There() bool { return w.K != "" }

// unsures returns what cells of Unsure say of each kind of vectors, in order of appearance. Those
// of names that this kit does not give are left out.
func unsures(cells []advice.Cell) (list []*unsureRows) {
	for _, same := range advice.GroupBy(cells, func(c advice.Cell) string { return unsureName(c.Name).String() }) {
		n := same[0].Name
		u := &unsureRows{Hash: n.Get("hash"), Weights: n.Get("weights"), Bits: n.Get("f"), Features: n.Get("nnz"), cells: map[string]advice.Cell{}}
		for _, c := range same {
			u.add(c)
		}
		slices.SortFunc(u.Cosines, func(a, b string) int { return advice.CompareValues(b, a) })
		if u.Hash != "" && u.Masked.There() && u.Plain.There() && len(u.Cosines) > 0 {
			list = append(list, u)
		}
	}
	return list
}

// unsureName is the name without what differs between the rows of one kind of vectors.
func unsureName(n benchname.Name) benchname.Name {
	return benchname.New(n.Base, "hash", n.Get("hash"), "weights", n.Get("weights"), "f", n.Get("f"), "nnz", n.Get("nnz"))
}

func (u *unsureRows) add(c advice.Cell) {
	u.cells[c.Name.String()] = c
	if cosine := c.Name.Get("cosine"); cosine != "" && !slices.Contains(u.Cosines, cosine) {
		u.Cosines = append(u.Cosines, cosine)
	}
	way := unsureWay{c.Name.Get("t"), c.Name.Get("masks"), c.Name.Get("k")}
	switch {
	case !way.There():
	case way.Masks != "":
		u.Both = way
	case way.Ignored != "":
		u.Masked = way
	case !u.Few.There():
		u.Few = way
	case advice.CompareValues(way.K, u.Few.K) < 0:
		u.Few, u.Plain = way, u.Few
	case way != u.Few:
		u.Plain = way
	}
}

// Found returns the part of the pairs of a cosine that a way finds, and the row that says so.
func (u *unsureRows) Found(way unsureWay, cosine string) (float64, advice.Cell, bool) {
	return u.value(terms.Recall, "cosine", cosine, "t", way.Ignored, "masks", way.Masks, "k", way.K)
}

// Strangers returns the chance that a way finds a vector that is unrelated to the query.
func (u *unsureRows) Strangers(way unsureWay) (float64, advice.Cell, bool) {
	return u.value(terms.Strangers, "t", way.Ignored, "masks", way.Masks, "k", way.K)
}

// Error returns the error of estimates of a cosine, terms.ByDistance or terms.BySums, in the unit.
func (u *unsureRows) Error(unit, by, cosine string) (float64, advice.Cell, bool) {
	return u.value(unit, "cosine", cosine, "by", by)
}

func (u *unsureRows) value(unit string, keys ...string) (float64, advice.Cell, bool) {
	c, ok := u.cells[benchname.New(terms.Unsure, slices.Concat([]string{"hash", u.Hash, "weights", u.Weights, "f", u.Bits, "nnz", u.Features}, keys)...).String()]
	if !ok {
		return 0, c, false
	}
	v, ok := c.Value(unit)
	return v, c, ok
}
