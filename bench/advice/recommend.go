package advice

import (
	"cmp"
	"slices"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// Recommendation says which hash to use, what to think of the others, and why.
type Recommendation struct {
	Data string // the data set that it is for; "" where it is for vectors of all kinds
	Bits int    // the width of all choices

	OtherWidths int // rows of quality at other widths, by which no choice is judged
	Cases       int // that there are, each by its name
	// the names of those that at least half of the choices were measured in, sorted
	Usual []string

	Choices []*Choice // all of them, in order of hash and encoding
	Default *Choice   // nil where it is not among them
	Good    []*Choice // in all usual cases
	Fewer   []*Choice // good where they were measured, which was not in all usual cases
	// good on the vectors that were asked about, but weak on others: a trap for what comes tomorrow
	HereOnly []*Choice
	// the worst first, by the case that earned the verdict
	Undecided, Weak []*Choice

	Machines []Ranking
}

// Ranking is what can be recommended on one machine, by cost: the good choices or, where there is
// none, those that are good in fewer cases or, at last, on the vectors at hand only.
type Ranking struct {
	Machine string
	Times   Times
	Best    *Priced   // the cheapest; nil where none was timed
	Alike   []Priced  // as cheap, within the noise of the run
	Dearer  []Priced  // the others
	Unclear int       // how many of those noise cannot tell from the best, far though they are
	Untimed []*Choice // what was not timed in that run
	Cheaper []Priced  // cheaper than all that are recommended, but measured in fewer cases
	// cheaper than all that are recommended, but weak on other vectors
	CheaperHere []Priced
	// Saves is the part of the default's time that changing to the best saves; 0 where the run does
	// not show any.
	Saves float64
}

// Priced is a choice with what it costs.
type Priced struct {
	*Choice
	Time Time
}

// FarApart is how many times the best median another one must be to be called dearer however wide
// the intervals are: beyond that it is the run that says little.
const FarApart = 1.5

// Recommend says which hash to use on the data set of that name or, with "", on vectors of all
// kinds that the set has rows of.
func Recommend(set *Set, data string) *Recommendation {
	asked := func(k Case) bool { return data == "" || k.Row.Name.Get("data") == data }
	all := Choices(set, asked)
	r := &Recommendation{Data: data, Bits: commonestWidth(all)}
	for _, c := range all {
		if c.Bits == r.Bits {
			r.Choices = append(r.Choices, c)
		} else {
			r.OtherWidths += len(c.Cases)
		}
	}
	r.findUsual()
	if data != "" {
		r.compareWith(Choices(set, func(k Case) bool { return k.Row.Name.Get("data") == "" }))
	}
	for _, c := range r.Choices {
		switch v := c.Verdict(); {
		case v == terms.Good && c.Elsewhere != nil:
			r.HereOnly = append(r.HereOnly, c)
		case v == terms.Good && len(c.Missing) == 0:
			r.Good = append(r.Good, c)
		case v == terms.Good:
			r.Fewer = append(r.Fewer, c)
		case v == terms.Weak:
			r.Weak = append(r.Weak, c)
		default:
			r.Undecided = append(r.Undecided, c)
		}
		if c.IsDefault() {
			r.Default = c
		}
	}
	worstFirst := func(a, b *Choice) int { return cmp.Compare(a.Worst().least(), b.Worst().least()) }
	slices.SortStableFunc(r.Weak, worstFirst)
	slices.SortStableFunc(r.Undecided, worstFirst)
	for _, m := range set.Machines() {
		r.Machines = append(r.Machines, r.rank(m))
	}
	return r
}

// commonestWidth returns the width that most cases have; the lesser of two as common.
func commonestWidth(choices []*Choice) int {
	count := map[int]int{}
	for _, c := range choices {
		count[c.Bits] += len(c.Cases)
	}
	width := 0
	for bits, n := range count {
		if n > count[width] || n == count[width] && bits < width {
			width = bits
		}
	}
	return width
}

// findUsual finds the usual cases, and which of them each choice lacks: files of several commands
// have cases that only some hashes were given, and those cannot be asked of all.
func (r *Recommendation) findUsual() {
	count := map[string]int{}
	for _, c := range r.Choices {
		for _, k := range c.Cases {
			count[Name(k.Row)]++
		}
	}
	r.Cases = len(count)
	for name, n := range count {
		if 2*n >= len(r.Choices) {
			r.Usual = append(r.Usual, name)
		}
	}
	slices.Sort(r.Usual)
	for _, c := range r.Choices {
		c.Missing = slices.DeleteFunc(slices.Clone(r.Usual), func(name string) bool {
			return slices.ContainsFunc(c.Cases, func(k Case) bool { return Name(k.Row) == name })
		})
	}
}

// compareWith notes what is weak on other vectors.
func (r *Recommendation) compareWith(others []*Choice) {
	for _, o := range others {
		i := slices.IndexFunc(r.Choices, func(c *Choice) bool { return c.String() == o.String() })
		if worst := o.Worst(); i >= 0 && worst.Verdict == terms.Weak {
			r.Choices[i].Elsewhere = &worst
		}
	}
}

// rank orders what can be recommended by its cost on a machine.
func (r *Recommendation) rank(m Machine) Ranking {
	anyKernel := func(string) bool { return true }
	list := Ranking{Machine: m.Name, Times: Timed(m, terms.Sketch, r.Choices, r.Data, anyKernel)}
	if hashing := Timed(m, terms.Hash, r.Choices, r.Data, anyKernel); hashing.before(list.Times) {
		list.Times = hashing
	}
	candidates := r.Good
	for _, others := range [][]*Choice{r.Fewer, r.HereOnly} {
		if len(candidates) == 0 { // better than nothing, if it is said
			candidates = others
		}
	}
	timed, untimed := list.Times.sorted(candidates)
	list.Untimed = untimed
	if len(timed) == 0 {
		return list
	}
	best := timed[0]
	list.Best = &best
	for _, p := range timed[1:] {
		switch {
		case surelyLess(best.Time.Figure, p.Time.Figure):
			list.Dearer = append(list.Dearer, p)
		case p.Time.Median > FarApart*best.Time.Median:
			list.Dearer = append(list.Dearer, p)
			list.Unclear++
		default:
			list.Alike = append(list.Alike, p)
		}
	}
	list.Cheaper = list.Times.cheaperThan(best, r.Fewer)
	list.CheaperHere = list.Times.cheaperThan(best, r.HereOnly)
	if r.Default != nil {
		if t, ok := list.Times.Get(r.Default); ok && surelyLess(best.Time.Figure, t.Figure) {
			list.Saves = (t.Median - best.Time.Median) / t.Median
		}
	}
	return list
}

// sorted returns the choices that were timed, the cheapest first, and the others.
func (t Times) sorted(choices []*Choice) (timed []Priced, untimed []*Choice) {
	for _, c := range choices {
		if time, ok := t.Get(c); ok {
			timed = append(timed, Priced{c, time})
		} else {
			untimed = append(untimed, c)
		}
	}
	slices.SortStableFunc(timed, func(a, b Priced) int { return cmp.Compare(a.Time.Median, b.Time.Median) })
	return timed, untimed
}

// cheaperThan returns the choices whose median is below that of the best, the cheapest first.
func (t Times) cheaperThan(best Priced, choices []*Choice) []Priced {
	timed, _ := t.sorted(choices)
	return slices.DeleteFunc(timed, func(p Priced) bool { return p.Time.Median >= best.Time.Median })
}

// surelyLess reports whether the intervals of two medians lie apart, and the first is the lower
// one. Too few samples bound nothing.
func surelyLess(a, b resultfile.Figure) bool { return a.Hi < b.Lo }
