package advice

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// Choice is what a user can choose: a hash, an encoding of the index, and a width.
type Choice struct {
	Hash, Widen, Encoding string // Widen is "" where the hash has so many bits itself
	Bits                  int
	// the worst first: weak before undecided before good, and there the fewest effective bits
	Cells []Cell

	// What it costs in the same run, in ns per feature; nil where that was not measured.
	Library *resultfile.Summary // hashing alone by the library, one key at a time
	Best    *resultfile.Summary // hashing alone by the best kernel
	Sketch  *resultfile.Summary // a whole sketch by the best kernel, with f32 weights
}

// Worst is the worst of the cells.
func (c *Choice) Worst() Cell { return c.Cells[0] }

// Verdict is Weak if one cell is, and Good if all are.
func (c *Choice) Verdict() int { return c.Worst().Verdict() }

// Name is that of the hash, and of the way to widen it.
func (c *Choice) Name() string {
	if c.Widen == "" {
		return c.Hash
	}
	return c.Hash + " widen=" + c.Widen
}

// String names the choice.
func (c *Choice) String() string {
	s := c.Name() + " with " + c.Encoding
	if c.Bits != 64 {
		s += " at " + strconv.Itoa(c.Bits) + " bits"
	}
	return s
}

// cost is what to compare choices by, infinite where nothing was measured: whole sketches, and
// without them hashing alone.
func (c *Choice) cost() (sketch, hash float64) {
	of := func(rows ...*resultfile.Summary) float64 {
		least := math.Inf(1)
		for _, r := range rows {
			if r != nil {
				least = min(least, r.Median)
			}
		}
		return least
	}
	return of(c.Sketch), of(c.Best, c.Library)
}

// Choices groups the rows of quality for whose names keep holds, and finds the cost of each choice.
// A case that failed leaves its choice undecided. Good ones come first, then undecided ones, then
// weak ones, each from cheap to dear: by whole sketches, those without by hashing alone, and those
// that were not timed last; what is not good and costs the same with the most bits first.
func Choices(rows []resultfile.Summary, keep func(benchname.Name) bool) []*Choice {
	index := resultfile.NewIndex(rows)
	var list []*Choice
	places, seen, failed := map[string]*Choice{}, map[string]bool{}, map[string]string{}
	for _, r := range rows {
		if r.Name.Base == terms.Quality && r.Err != "" && !r.Skipped {
			failed[r.Name.String()] = r.Err
		}
	}
	for _, r := range rows {
		n := r.Name
		if n.Base != terms.Quality || r.Skipped || seen[n.String()] || !keep(n) {
			continue
		}
		seen[n.String()] = true // a cell has rows of many units
		cell := Cell{n, index, failed[n.String()]}
		key := strings.Join([]string{n.Get("hash"), n.Get("widen"), n.Get("encoding"), n.Get("f")}, " ")
		if places[key] == nil {
			places[key] = &Choice{Hash: n.Get("hash"), Widen: n.Get("widen"), Encoding: n.Get("encoding"), Bits: cell.bits()}
			list = append(list, places[key])
		}
		places[key].Cells = append(places[key].Cells, cell)
	}
	for _, c := range list {
		slices.SortStableFunc(c.Cells, func(a, b Cell) int { return cmp.Or(a.Verdict()-b.Verdict(), cmp.Compare(a.Least(), b.Least())) })
		c.price(rows)
	}
	slices.SortStableFunc(list, func(a, b *Choice) int {
		if a.Verdict() != b.Verdict() {
			return b.Verdict() - a.Verdict()
		}
		as, ah := a.cost()
		bs, bh := b.cost()
		if byCost := cmp.Or(cmp.Compare(as, bs), cmp.Compare(ah, bh)); byCost != 0 || a.Verdict() == terms.Good {
			return byCost // good ones are as good as each other
		}
		return cmp.Compare(b.Worst().known(), a.Worst().known())
	})
	return list
}

// price finds the rows of the choice's cost.
func (c *Choice) price(rows []resultfile.Summary) {
	cheaper := func(old, r *resultfile.Summary) *resultfile.Summary {
		if old == nil || r.Median < old.Median {
			return r
		}
		return old
	}
	var onData bool
	for i := range rows {
		r := &rows[i]
		n, kernel := r.Name, r.Name.Get("kernel")
		if r.Err != "" || n.Get("hash") != c.Hash || encodingOf(n) != c.Encoding || n.Get("widen") != c.Widen {
			continue // widening takes time too, so that hashing without it says nothing
		}
		switch {
		case n.Base == terms.Hash && n.Get("n") == "1024" && kernel == terms.Library:
			c.Library = r
		case n.Base == terms.Hash && n.Get("n") == "1024":
			c.Best = cheaper(c.Best, r)
		case n.Base != terms.Sketch || kernel == terms.Naive || n.Get("weights") != "f32" || n.Get("cpus") != "" || n.Get("f") != strconv.Itoa(c.Bits):
		case n.Get("data") != "":
			if !onData { // which counts more than vectors of a fixed size
				c.Sketch, onData = nil, true
			}
			c.Sketch = cheaper(c.Sketch, r)
		case n.Get("nnz") == "100" && !onData:
			c.Sketch = cheaper(c.Sketch, r)
		}
	}
}

// encodingOf is le64 where a name does not say.
func encodingOf(n benchname.Name) string { return cmp.Or(n.Get("encoding"), "le64") }
