// Package advice turns benchmark results into advice: which hash to use, and what is wrong with the
// others.
//
// It measures nothing: every figure is that of a row, and says which. [Recommend] decides by rules
// that are the same wherever the answer is shown:
//
//   - Choices, each a hash with an encoding and a width, are compared at the width that most rows
//     of quality have.
//   - A choice is weak if one of its cases is, and good if all are. A case that failed is
//     undecided. A good one is recommended only if it was measured in all usual cases, those that
//     at least half of the choices were measured in; if there is none, those that lack some are.
//   - Good on the vectors that are asked about but weak on others is recommended only where nothing
//     else is.
//   - The default is kept unless it is weak, or another good one is clearly cheaper: it saves a
//     fifth of the time and more, in samples that were taken in turn, and its bits are not surely
//     worth fewer. Of several that are as cheap, the first by the number of instructions a key is
//     recommended.
//   - Where the default is undecided, another one takes its place only if its bits are surely worth
//     more, by intervals that are wider the more choices there are.
//   - Costs are times of the same thing in one run on one machine, each with its best kernel: of
//     whole sketches with f32 weights, or of hashing alone where that was timed for more choices.
//     Times on the vectors of the question take precedence over all others.
package advice

import (
	"cmp"
	"math"
	"slices"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// Recommendation is which hash to use, the verdicts on the others, and the reasons.
type Recommendation struct {
	Data string // the data set that it is for; "" where it is for vectors of all kinds
	Bits int    // the width of all choices

	Cases int // different cases, by their names
	Usual int // of those: that at least half of the choices were measured in

	Choices         []*Choice // all of them, in order of hash and encoding
	Default         *Choice   // nil where it is not among them
	Good            []*Choice // in all usual cases
	Fewer           []*Choice // good where they were measured, which was not in all usual cases
	HereOnly        []*Choice // good on the vectors asked about, but weak on others
	Undecided, Weak []*Choice // the worst first

	Machines []Ranking
}

// Recommend returns which hash to use on the only data set of the rows, or by patterns of indices.
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

// usualCases names the cases that at least half of the choices were measured in.
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

// Ranking is which hash to use on one machine, and its cost there.
type Ranking struct {
	Machine string
	Times   Times

	Best  *Choice // to use; nil where none can be recommended
	Why   Reason
	Saves *resultfile.Figure // the part of the default's time that the best saves; nil: unknown

	// the good choices or, if there are none, the next best, the cheapest first
	Good []*Choice
}

// Reason is why a choice is recommended.
type Reason int

const (
	// the default is good, and nothing as good is clearly cheaper
	NothingCheaper Reason = iota
	ClearlyCheaper        // than the default, which is good
	DefaultFails          // it is weak, here or on other vectors, or surely worth fewer bits
	NoDefault             // it is none of the choices
	// the default is undecided, as the vectors tell too little, and nothing is surely better
	CannotTell
)

const (
	cheaperBy = 0.2 // the part of the default's time that another hash must save to be preferred
	alike     = 0.2 // the part of its time by which a hash may lie above the cheapest
)

// inOrder lists hashes by instructions per key (results/hashes.md), to decide between equal times.
var inOrder = []string{
	"fmix64", "splitmix64", "xxh3", "lookup3", "xxh64", "murmur3-128", "crc32c", "rapidhash", "wyhash",
	"mixed-tabulation", "siphash", "md5", "highway64", "highway128", "sha1", "highway256", "sha256",
}

// first returns the first of the choices in order, nil of none.
func first(choices []*Choice) *Choice {
	if len(choices) == 0 {
		return nil
	}
	place := func(c *Choice) int {
		if at := slices.Index(inOrder, c.Hash); at >= 0 {
			return at
		}
		return len(inOrder)
	}
	return slices.MinFunc(choices, func(a, b *Choice) int {
		return cmp.Or(place(a)-place(b), cmp.Compare(a.Hash, b.Hash), CompareValues(a.Encoding, b.Encoding))
	})
}

func (r *Recommendation) rank(m Machine) Ranking {
	list := Ranking{Machine: m.Name, Times: TimesOf(m, r.Choices, r.Data)}
	candidates := r.Good
	for _, others := range [][]*Choice{r.Fewer, r.HereOnly} {
		if len(candidates) == 0 { // better than nothing, if it is said
			candidates = others
		}
	}
	list.Good = slices.SortedStableFunc(slices.Values(candidates), func(a, b *Choice) int {
		return cmp.Compare(list.Times.median(a), list.Times.median(b))
	})
	list.Best, list.Why = r.usual(candidates)
	if list.Best == nil || list.Why == CannotTell {
		return list
	}
	if best := first(r.notWorse(r.cheaper(list))); best != nil {
		list.Best = best
		if list.Why == NothingCheaper {
			list.Why = ClearlyCheaper
		}
	}
	list.Saves = r.saves(list)
	return list
}

// usual returns the choice to use unless another one is clearly cheaper, and the reason.
func (r *Recommendation) usual(candidates []*Choice) (*Choice, Reason) {
	d := r.Default
	switch {
	case d == nil:
		return first(candidates), NoDefault
	case slices.Contains(candidates, d) || slices.Contains(r.Fewer, d):
		return d, NothingCheaper
	case d.Verdict() == terms.Undecided:
		better := slices.DeleteFunc(slices.Clone(candidates), func(c *Choice) bool { return !r.surelyFewer(d, c) })
		if len(better) == 0 {
			return d, CannotTell
		}
		candidates = better
	}
	return first(r.notWorse(candidates)), DefaultFails
}

// cheaper returns the choices that are clearly cheaper than the best so far and not clearly dearer
// than the cheapest. Choices that are surely worth fewer bits do not count.
func (r *Recommendation) cheaper(list Ranking) []*Choice {
	t, ok := list.Times.Get(list.Best)
	if !ok {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(list.Good), func(c *Choice) bool {
		_, timed := list.Times.Get(c)
		return !timed || c == list.Best || r.surelyFewer(c, list.Best)
	})
	time := func(c *Choice) Time { t, _ := list.Times.Get(c); return t }
	at := slices.IndexFunc(others, func(c *Choice) bool { return clearlyLess(time(c), t, cheaperBy) })
	if at < 0 {
		return nil
	}
	cheapest := time(others[at])
	return slices.DeleteFunc(others, func(c *Choice) bool { return clearlyLess(cheapest, time(c), alike) })
}

// perhapsCheaper returns the choice that would be clearly cheaper than the best if its median were
// certain; nil if there is none.
func (r *Recommendation) perhapsCheaper(list Ranking) *Choice {
	best := list.Times.median(list.Best)
	for _, c := range list.Good {
		if !math.IsInf(best, 0) && list.Times.median(c) <= (1-cheaperBy)*best && !r.surelyFewer(c, list.Best) {
			return c
		}
	}
	return nil
}

// clearlyLess reports whether the whole interval of a is less than b by that part. With medians,
// one of twenty hashes that save nearly as much would be taken in some runs.
func clearlyLess(a, b Time, part float64) bool { return a.against(b).Hi <= 1-part }

// notWorse returns the choices but those whose bits are surely worth fewer than those of another.
func (r *Recommendation) notWorse(choices []*Choice) []*Choice {
	return slices.DeleteFunc(slices.Clone(choices), func(c *Choice) bool {
		return slices.ContainsFunc(choices, func(o *Choice) bool { return r.surelyFewer(c, o) })
	})
}

// surelyFewer reports whether the bits of a are worth fewer than those of b in the worst case of
// each: the intervals lie apart, widened for the number of choices (Bonferroni).
func (r *Recommendation) surelyFewer(a, b *Choice) bool {
	x, y := a.worth(), b.worth()
	if x == nil || y == nil {
		return false
	}
	widen := math.Erfinv(1-0.05/float64(len(r.Choices))) / math.Erfinv(0.95)
	return x.Median+widen*(x.Hi-x.Median) < y.Median-widen*(y.Median-y.Lo)
}

func (r *Recommendation) saves(list Ranking) *resultfile.Figure {
	if r.Default == nil || list.Best == r.Default {
		return nil
	}
	before, ok := list.Times.Get(r.Default)
	after, there := list.Times.Get(list.Best)
	if !ok || !there {
		return nil
	}
	part := after.against(before)
	return &resultfile.Figure{Median: 1 - part.Median, Lo: 1 - part.Hi, Hi: 1 - part.Lo, Samples: part.Samples}
}

// median returns the median time of a choice, infinite if it was not timed.
func (t Times) median(c *Choice) float64 {
	if time, ok := t.Get(c); ok {
		return time.Median
	}
	return math.Inf(1)
}
