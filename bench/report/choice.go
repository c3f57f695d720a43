package report

import (
	"cmp"
	"slices"
	"strings"

	"simhashkit/bench/report/rows"
	"simhashkit/bench/terms"
)

// maxBits is the width of the widest fingerprint.
const maxBits = 4096

// choice is what a user can choose: a hash under an encoding, with its cases, each a pattern of
// indices with a kind of weights.
type choice struct {
	number         int
	hash, encoding string
	cases          []rows.Cell // sorted by pattern and weights
	missing        []string    // the usual cases that it was not measured in, sorted
}

// choicesOf sorts the cells of one width by choice and returns the cases that there are, and the
// usual ones among them, which at least half of the choices were measured in: files of several
// commands have cases that only some hashes were given, and those cannot be asked of all.
func choicesOf(cells []rows.Cell, bits string) (list []*choice, cases, usual []string) {
	places := map[[2]string]*choice{}
	count := map[string]int{}
	for _, c := range cells {
		if c.Name.Get("f") != bits {
			continue
		}
		key := [2]string{hashOf(c), c.Encoding()}
		if places[key] == nil {
			places[key] = &choice{hash: key[0], encoding: key[1]}
			list = append(list, places[key])
		}
		places[key].cases = append(places[key].cases, c)
		count[caseOf(c)]++
	}
	for name, n := range count {
		cases = append(cases, name)
		if 2*n >= len(list) {
			usual = append(usual, name)
		}
	}
	slices.Sort(cases)
	slices.Sort(usual)
	slices.SortFunc(list, func(a, b *choice) int { return cmp.Or(byKey(a.hash, b.hash), byKey(a.encoding, b.encoding)) })
	for i, c := range list {
		c.number = i + 1
		c.missing = slices.DeleteFunc(slices.Clone(usual), c.measured)
		slices.SortStableFunc(c.cases, func(a, b rows.Cell) int { return cmp.Compare(caseOf(a), caseOf(b)) })
	}
	return list, cases, usual
}

// measured reports whether the choice was measured in that case.
func (c *choice) measured(name string) bool {
	return slices.ContainsFunc(c.cases, func(cell rows.Cell) bool { return caseOf(cell) == name })
}

// hashOf names the hash, with whatever its name says beyond what all names say: "fnv1a64
// widen=mix".
func hashOf(c rows.Cell) string {
	parts := []string{c.Name.Get("hash")}
	for _, k := range c.Name.Keys {
		if !slices.Contains(usualKeys, k.Key) {
			parts = append(parts, k.Key+"="+k.Value)
		}
	}
	return strings.Join(parts, " ")
}

// usualKeys are those of the deterministic rows, which say what was measured rather than with what.
var usualKeys = []string{"hash", "encoding", "pattern", "weights", "f", "data", "angle", "k", "in"}

// caseOf names the pattern and the weights of a cell, and the data set where the pattern is that of
// one.
func caseOf(c rows.Cell) string {
	return joined(c.Name.Get("pattern")+" indices", c.Name.Get("weights")+" weights", c.Name.Get("data"))
}

// shortCase is caseOf in a column.
func shortCase(c rows.Cell) string {
	return joined(c.Name.Get("pattern"), c.Name.Get("weights"), c.Name.Get("data"))
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

func (c *choice) String() string { return c.hash + " · " + c.encoding }

// nearUnit is that of the effective bits at cosine 0.9 and above, where near-duplicates are.
const nearUnit = "effective-bits-cos90"

// least returns the smaller of a case's two figures of effective bits, over all angles and at
// cosine 0.9 and above, with its unit; false where there is neither.
func least(c rows.Cell) (bits float64, unit string, ok bool) {
	for _, u := range []string{"effective-bits", nearUnit} {
		if v, known := c.Value(u); known && (!ok || v < bits) {
			bits, unit, ok = v, u, true
		}
	}
	return bits, unit, ok
}

// worst returns the case with the fewest effective bits in either band, false where none has any.
func (c *choice) worst() (rows.Cell, bool) {
	var worst rows.Cell
	fewest, found := 0.0, false
	for _, cell := range c.cases {
		if bits, _, ok := least(cell); ok && (!found || bits < fewest) {
			worst, fewest, found = cell, bits, true
		}
	}
	return worst, found
}

// median returns the median over the cases of the effective bits in the worse band of each; there
// must be some.
func (c *choice) median() float64 {
	var all []float64
	for _, cell := range c.cases {
		if bits, _, ok := least(cell); ok {
			all = append(all, bits)
		}
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// judged returns the cases with that verdict, those with the fewest effective bits first.
func (c *choice) judged(verdict float64) []rows.Cell {
	list := slices.DeleteFunc(slices.Clone(c.cases), func(cell rows.Cell) bool { return verdictOf(cell) != verdict })
	slices.SortStableFunc(list, func(a, b rows.Cell) int {
		x, _, _ := least(a)
		y, _, _ := least(b)
		return cmp.Compare(x, y)
	})
	return list
}

// verdictOf returns the verdict of a row: undecided where it has none, or one that is not known.
func verdictOf(c rows.Cell) float64 {
	if v, ok := c.Value("verdict"); ok && (v == terms.Good || v == terms.Weak) {
		return v
	}
	return terms.Undecided
}

// verdict is that of all cases that were measured: weak if one is, good only if all are. A case
// that was not measured is no fault; missing has the usual ones.
func (c *choice) verdict() float64 {
	switch {
	case len(c.judged(terms.Weak)) > 0:
		return terms.Weak
	case len(c.judged(terms.Undecided)) > 0:
		return terms.Undecided
	}
	return terms.Good
}

// verdictWord is what a verdict is called, in words and in the page's style.
func verdictWord(verdict float64) string {
	switch verdict {
	case terms.Good:
		return "good"
	case terms.Weak:
		return "weak"
	}
	return "undecided"
}
