// Package advice turns benchmark results into advice: which hash to use, and what is wrong with the
// others.
//
// It measures nothing: it only reads the rows of result files. [Recommend] follows these rules:
//
//   - A choice is weak if one of its cases is weak, and good if all are good. Failed cases are
//     undecided. A good choice is recommended only if it has the cases that at least half of the
//     choices have, unless no choice has all of them.
//   - A choice that is good on the requested data set but weak on other vectors is recommended only
//     if there is no other.
//   - The default is kept unless it is weak, or another good choice is clearly cheaper: it saves at
//     least 30% of the time, by the 95% interval of the ratios of paired samples, in both
//     halves of the run, and is not surely worth fewer bits. Of several choices that take about the
//     same time, only the one with the fewest instructions per key is considered. An interval as
//     wide as that of a noisy median decides nothing.
//   - For MinHash and feature hashing, times decide nothing: a sketch takes longer than its hashes.
//   - If the default is undecided, another choice replaces it only if it is surely worth more bits.
//   - Times come from one run, each with the fastest kernel: of whole sketches, or of hashing alone
//     if more choices have these. Times on the data set take precedence.
package advice

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/terms"
)

// Recommendation says which hash to use and why, and has the verdicts on all choices.
type Recommendation struct {
	Data   string // the data set; "" for a recommendation for all kinds of vectors
	Sketch string // what hashes are judged for, as in Set
	Bits   int    // the width of all choices, the most common one

	Cases int // number of cases with different names
	Usual int // number of these that at least half of the choices have

	Choices         []*Choice // in order of hash and encoding
	Default         *Choice   // nil if it is not among the choices
	Good            []*Choice // good, with all usual cases
	Fewer           []*Choice // good, but without some usual cases
	HereOnly        []*Choice // good on the data set, but weak on other vectors
	Undecided, Weak []*Choice // worst first

	Times Times              // of the run that timed the most choices
	Best  *Choice            // nil if no hash can be recommended
	Why   Reason             // for Best
	Saves *resultfile.Figure // share of the default's time that Best saves; nil if unknown

	Ranked []*Choice // the choices from which Best is selected, cheapest first
}

// Recommend returns a recommendation for the only data set of the rows. If there is none, or
// several, it is for all vectors in the rows.
func Recommend(set *Set) *Recommendation {
	data := set.data()
	asked := func(k Case) bool { return data == "" || k.Row.Name.Get("data") == data }
	all := Choices(set, asked)
	r := &Recommendation{Data: data, Sketch: cmp.Or(set.Sketch, terms.SimHash), Bits: commonestWidth(all)}
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
	r.rank(set)
	return r
}

// data returns the only data set with cases, or "" if there is none, or several.
func (s *Set) data() (name string) {
	for _, c := range s.Exact(terms.Quality) {
		if !s.judges(c) {
			continue
		}
		if data := c.Name.Get("data"); data != "" {
			if name != "" && data != name {
				return ""
			}
			name = data
		}
	}
	return name
}

// Verdict returns Good if a hash can be recommended, Weak if all are weak, and otherwise Undecided.
func (r *Recommendation) Verdict() terms.Judgement {
	switch {
	case r.Best != nil:
		return terms.Good
	case len(r.Weak) > 0 && len(r.Weak) == len(r.Choices):
		return terms.Weak
	}
	return terms.Undecided
}

// commonestWidth returns the width of the most choices, or the smallest of several such widths.
func commonestWidth(choices []*Choice) int {
	if len(choices) == 0 {
		return 0
	}
	return slices.MaxFunc(GroupBy(choices, func(c *Choice) int { return c.Bits }), func(a, b []*Choice) int {
		return cmp.Or(len(a)-len(b), b[0].Bits-a[0].Bits)
	})[0].Bits
}

// usualCases returns the names of the cases that at least half of the choices have.
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

// compareWith adds the cases of the choices on other vectors.
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

// Reason is the reason for a recommendation.
type Reason int

const (
	// the default is good, and nothing as good is clearly cheaper
	NothingCheaper Reason = iota
	ClearlyCheaper        // Best is clearly cheaper than the default, which is good
	DefaultFails          // the default is weak, also if on other vectors, or surely worse
	NoDefault             // the default is not among the choices
	// the default is undecided, and nothing is surely better
	CannotTell
)

const (
	cheaperBy = 0.3 // share of the default's time that another hash must save to replace it
	alike     = 0.2 // the cheapest hash may save up to this share of the time of its equals
)

// inOrder lists hashes by instructions per key, which decides between similar times.
var inOrder = []string{
	"fmix64", "splitmix64", "xxh3", "lookup3", "murmur3-32", "xxh64", "murmur3-128", "crc32c", "komihash", "rapidhash", "wyhash", "a5hash", "polymur", "siphash",
	"md5", "xxh3-128", "mixed-tabulation", "tornado-tabulation", "highway64", "highway128", "sha1", "highway256", "sha256",
}

// first returns the first of the choices by inOrder, or nil if there are none.
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
		return cmp.Or(place(a)-place(b), cmp.Compare(a.Hash, b.Hash), CompareEncodings(a.Encoding, b.Encoding))
	})
}

// rank selects the best choice.
func (r *Recommendation) rank(set *Set) {
	r.Times = TimesOf(set, r.Choices, r.Data)
	candidates := r.Good
	for _, others := range [][]*Choice{r.Fewer, r.HereOnly} {
		if len(candidates) == 0 { // better than nothing; Reasons mentions it
			candidates = others
		}
	}
	r.Ranked = slices.SortedStableFunc(slices.Values(candidates), func(a, b *Choice) int {
		return cmp.Compare(r.Times.median(a), r.Times.median(b))
	})
	r.Best, r.Why = r.usual(candidates)
	if r.Best == nil || r.Why == CannotTell {
		return
	}
	if best := r.cheaper(); best != nil {
		r.Best = best
		if r.Why == NothingCheaper {
			r.Why = ClearlyCheaper
		}
	}
	r.Saves = r.saves()
}

// usual returns the choice to use if no other one is clearly cheaper, and the reason.
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

// cheaper returns the choice that is clearly cheaper than r.Best, or nil if there is none. It
// leaves out choices that are surely worth fewer bits. Of choices that take about as long as the
// cheapest one, it considers only the first in order, so that noise cannot exchange them.
func (r *Recommendation) cheaper() *Choice {
	t, ok := r.Times.Get(r.Best)
	if !ok || r.Sketch != terms.SimHash {
		return nil
	}
	time := func(c *Choice) Time { t, _ := r.Times.Get(c); return t }
	others := slices.DeleteFunc(slices.Clone(r.Ranked), func(c *Choice) bool {
		_, timed := r.Times.Get(c)
		return !timed || c == r.Best || r.surelyFewer(c, r.Best)
	})
	if len(others) == 0 {
		return nil
	}
	cheapest := time(others[0])
	best := first(r.notWorse(slices.DeleteFunc(others, func(c *Choice) bool { return clearlyLess(cheapest, time(c), alike) })))
	if !clearlyLess(time(best), t, cheaperBy) {
		return nil
	}
	return best
}

// clearlyLess reports whether a saves at least part of b in both halves of the samples, by the
// upper end of the interval. Halves of few samples have no interval, so all of them must save as
// much. By medians, or in one half, a hash that saves slightly less would be chosen in some runs by
// chance.
func clearlyLess(a, b Time, part float64) bool {
	ratios := a.against(b)
	if all := resultfile.NewFigure(ratios); math.IsInf(all.Hi, 0) || spread(all) > wide {
		return false
	}
	return !slices.ContainsFunc([][]float64{ratios[:len(ratios)/2], ratios[len(ratios)/2:]}, func(half []float64) bool {
		return min(resultfile.NewFigure(half).Hi, slices.Max(half)) > 1-part
	})
}

// notWorse returns the choices that are not surely worth fewer bits than another one.
func (r *Recommendation) notWorse(choices []*Choice) []*Choice {
	return slices.DeleteFunc(slices.Clone(choices), func(c *Choice) bool {
		return slices.ContainsFunc(choices, func(o *Choice) bool { return r.surelyFewer(c, o) })
	})
}

// surelyFewer reports whether a is worth fewer bits than b, comparing the worst case of each: the
// intervals, widened for the number of choices (Bonferroni), do not overlap.
func (r *Recommendation) surelyFewer(a, b *Choice) bool {
	x, y := a.worth(), b.worth()
	if x == nil || y == nil {
		return false
	}
	widen := math.Erfinv(1-0.05/float64(len(r.Choices))) / math.Erfinv(0.95)
	return x.Median+widen*(x.Hi-x.Median) < y.Median-widen*(y.Median-y.Lo)
}

func (r *Recommendation) saves() *resultfile.Figure {
	if r.Default == nil || r.Best == r.Default {
		return nil
	}
	before, ok := r.Times.Get(r.Default)
	after, there := r.Times.Get(r.Best)
	if !ok || !there {
		return nil
	}
	part := resultfile.NewFigure(after.against(before))
	return &resultfile.Figure{Median: 1 - part.Median, Lo: 1 - part.Hi, Hi: 1 - part.Lo, Samples: part.Samples}
}

// median returns the median time of a choice, or infinity if it has none.
func (t Times) median(c *Choice) float64 {
	if time, ok := t.Get(c); ok {
		return time.Median
	}
	return math.Inf(1)
}

// A median is uncertain if its interval extends by more than wide of the median to one side. A run
// is noisy if more than manyWide of its medians are uncertain.
const wide, manyWide = 0.25, 0.05

// Noise returns a warning if the times of a run are noisy, and "" otherwise.
func Noise(rows []resultfile.Summary) string {
	timed, noisy, worst := 0, 0, resultfile.Summary{}
	for _, r := range rows {
		if r.Err != "" || !Bounded(r.Figure) {
			continue
		}
		timed++
		if spread(r.Figure) > wide {
			noisy++
		}
		if spread(r.Figure) > spread(worst.Figure) {
			worst = r
		}
	}
	if float64(noisy) <= manyWide*float64(timed) {
		return ""
	}
	return fmt.Sprintf("Noisy: %d of %d medians are uncertain by more than %.0f%%, %s by %s. Something else ran on this machine. Measure again when it is quiet, or with more --samples.",
		noisy, timed, 100*wide, worst.Name, worst.PlusMinus())
}

// spread returns the longer half of the interval as a fraction of the median.
func spread(f resultfile.Figure) float64 {
	if f.Median == 0 {
		return 0
	}
	return max(f.Hi-f.Median, f.Median-f.Lo) / math.Abs(f.Median)
}
