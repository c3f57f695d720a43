package advice

import (
	"cmp"
	"math"
	"slices"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// Ranking is which hash to use on one machine, and its cost there.
type Ranking struct {
	Machine string
	Times   Times

	Best *Choice // to use; nil where none can be recommended
	Why  Reason
	// the part of the default's time that changing to the best saves; nil where the best is the
	// default, or one of them was not timed
	Saves *resultfile.Figure

	// what can be recommended, the cheapest first and what was not timed last: the good choices or,
	// where there is none, those that are good in fewer cases or, at last, on the vectors at hand
	// only
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

// ClearlyLess is the part of its time that another hash must save at least to be preferred to the
// default.
const ClearlyLess = 0.2

// inOrder lists the hashes by instructions per key, fewest first (results/hashes.md). It decides
// between hashes whose figures do not differ, so that every run gives the same answer. Others come
// last.
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

// rank returns the ranking for a machine.
func (r *Recommendation) rank(m Machine) Ranking {
	list := Ranking{Machine: m.Name, Times: TimesOf(m, r.Choices, r.Data)}
	candidates := r.Good
	for _, others := range [][]*Choice{r.Fewer, r.HereOnly} {
		if len(candidates) == 0 { // better than nothing, if it is said
			candidates = others
		}
	}
	list.Good = list.Times.sorted(candidates)
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

// usual returns the choice that is used unless another one is clearly cheaper: the default if it is
// good or undecided.
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

// cheaper returns the choices that are clearly cheaper than the best so far, and those that are not
// clearly dearer than the cheapest of them: which of these is the least of noisy times is chance.
// What is surely worth fewer bits does not count.
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
	at := slices.IndexFunc(others, func(c *Choice) bool { return clearlyLess(time(c), t, ClearlyLess) })
	if at < 0 {
		return nil
	}
	cheapest := time(others[at])
	return slices.DeleteFunc(others, func(c *Choice) bool { return clearlyLess(cheapest, time(c), alike) })
}

// alike is the part of its time by which a hash may lie above the cheapest and count as cheap.
const alike = 0.2

// clearlyLess reports whether a is less than b by that part and more, beyond doubt: all of the
// interval is. With the median alone, one of twenty hashes that save nearly as much would be taken
// in some runs.
func clearlyLess(a, b Time, part float64) bool { return a.against(b).Hi <= 1-part }

// notWorse returns the choices but those whose bits are surely worth fewer than those of another.
func (r *Recommendation) notWorse(choices []*Choice) []*Choice {
	return slices.DeleteFunc(slices.Clone(choices), func(c *Choice) bool {
		return slices.ContainsFunc(choices, func(o *Choice) bool { return r.surelyFewer(c, o) })
	})
}

// surelyFewer reports whether the bits of a are worth fewer than those of b, in the worst case of
// each: the intervals lie apart, made so wide that 95% of all comparisons of as many choices hold
// at once (Bonferroni; the intervals are taken for normal ones).
func (r *Recommendation) surelyFewer(a, b *Choice) bool {
	x, y := a.worth(), b.worth()
	if x == nil || y == nil {
		return false
	}
	widen := math.Erfinv(1-0.05/float64(len(r.Choices))) / math.Erfinv(0.95)
	return x.Median+widen*(x.Hi-x.Median) < y.Median-widen*(y.Median-y.Lo)
}

// saves returns the part of the default's time that the best saves.
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

// sorted returns the choices, the cheapest first and those that were not timed last.
func (t Times) sorted(choices []*Choice) []*Choice {
	cost := func(c *Choice) float64 {
		if time, ok := t.Get(c); ok {
			return time.Median
		}
		return math.Inf(1)
	}
	return slices.SortedStableFunc(slices.Values(choices), func(a, b *Choice) int { return cmp.Compare(cost(a), cost(b)) })
}
