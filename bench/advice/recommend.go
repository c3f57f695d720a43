package advice

import (
	"cmp"
	"slices"

	"simhashkit/bench/terms"
)

// Recommendation is which hash to use, the verdicts on the others, and the reasons.
type Recommendation struct {
	Data string // the data set that it is for; "" where it is for vectors of all kinds
	Bits int    // the width of all choices

	Cases int // different cases, by their names
	Usual int // of those: that at least half of the choices were measured in

	Choices []*Choice // all of them, in order of hash and encoding
	Default *Choice   // nil where it is not among them
	Good    []*Choice // in all usual cases
	Fewer   []*Choice // good where they were measured, which was not in all usual cases
	// good on the vectors that were asked about, but weak on others, such as may come tomorrow
	HereOnly []*Choice
	// the worst first, by the case that earned the verdict
	Undecided, Weak []*Choice

	Machines []Ranking
}

// Recommend returns which hash to use on the data set of the quality rows. If there is none, or
// several, it judges by the patterns of indices.
func Recommend(set *Set) *Recommendation {
	data := set.data()
	asked := func(k Case) bool { return data == "" || k.Row.Name.Get("data") == data }
	all := Choices(set, asked)
	r := &Recommendation{Data: data, Bits: commonestWidth(all)}
	for _, c := range all {
		if c.Bits == r.Bits {
			r.Choices = append(r.Choices, c)
		}
	}
	usual := r.usualCases()
	r.Usual = len(usual)
	if data != "" {
		r.compareWith(Choices(set, func(k Case) bool { return k.Row.Name.Get("data") == "" }))
	}
	for _, c := range r.Choices {
		switch v := c.Verdict(); {
		case v == terms.Good && c.Elsewhere != nil:
			r.HereOnly = append(r.HereOnly, c)
		case v == terms.Good && c.measuredIn(usual):
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

// data returns the only data set with rows of quality; "" if there is none, or several.
func (s *Set) data() (name string) {
	for _, c := range s.Exact(terms.Quality) {
		if data := c.Name.Get("data"); data != "" {
			if name != "" && data != name {
				return ""
			}
			name = data
		}
	}
	return name
}

// Verdict is good where a hash can be recommended, and weak where all are.
func (r *Recommendation) Verdict() terms.Judgement {
	switch {
	case slices.ContainsFunc(r.Machines, func(m Ranking) bool { return m.Best != nil }):
		return terms.Good
	case len(r.Weak) > 0 && len(r.Weak) == len(r.Choices):
		return terms.Weak
	}
	return terms.Undecided
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

// usualCases names the cases that at least half of the choices were measured in: files of several
// commands have cases that only some hashes were given, and those cannot be asked of all.
func (r *Recommendation) usualCases() (names []string) {
	count := map[string]int{}
	for _, c := range r.Choices {
		for _, k := range c.Cases {
			count[Name(k.Row)]++
		}
	}
	r.Cases = len(count)
	for name, n := range count {
		if 2*n >= len(r.Choices) {
			names = append(names, name)
		}
	}
	return names
}

// measuredIn reports whether the choice was measured in all cases of those names.
func (c *Choice) measuredIn(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(c.Cases, func(k Case) bool { return Name(k.Row) == name })
	})
}

// compareWith adds the effective bits of the choices on other vectors.
func (r *Recommendation) compareWith(others []*Choice) {
	for _, o := range others {
		i := slices.IndexFunc(r.Choices, func(c *Choice) bool { return c.String() == o.String() })
		if i < 0 {
			continue
		}
		r.Choices[i].others = o.Cases
		if worst := o.Worst(); worst.Verdict == terms.Weak {
			r.Choices[i].Elsewhere = &worst
		}
	}
}
