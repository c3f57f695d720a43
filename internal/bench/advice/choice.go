package advice

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/english"
)

// Choice is a combination of hash, encoding and width that users can choose.
type Choice struct {
	Hash     string
	Encoding string
	Bits     int

	Cases     []Case // worst first, by verdict and then by effective bits
	Elsewhere *Case  // a case on other vectors where it is weak, or nil
	others    []Case // cases on other vectors than the requested ones
}

// Worst returns the case that determines the verdict.
func (c *Choice) Worst() Case { return c.Cases[0] }

// Verdict returns Weak if one case is Weak, Good if all are Good, and otherwise Undecided.
func (c *Choice) Verdict() terms.Judgement { return c.Worst().Verdict }

// Fewest returns the case with the fewest effective bits in either band, or false if no case has
// any.
func (c *Choice) Fewest() (Case, bool) {
	fewest := slices.MinFunc(c.Cases, func(a, b Case) int { return cmp.Compare(a.least(), b.least()) })
	return fewest, !math.IsInf(fewest.least(), 1)
}

// IsDefault reports whether the hash and encoding are the defaults of package fphash.
func (c *Choice) IsDefault() bool { return c.Hash == fphash.DefaultHash && c.Encoding == terms.LE64 }

// worth returns the effective bits of the worst case on any vectors, as a share of the size, or nil
// if unknown. It is at most 1: what exceeds the ideal is the luck of a pattern.
func (c *Choice) worth() *resultfile.Figure {
	var fewest *resultfile.Figure
	for _, k := range slices.Concat(c.Cases, c.others) {
		if f, _ := k.Worse(); f != nil && (fewest == nil || min(1, k.least()) < fewest.Median) {
			size := float64(k.Bits)
			fewest = &resultfile.Figure{Median: min(1, f.Median/size), Lo: min(1, f.Lo/size), Hi: min(1, f.Hi/size)}
		}
	}
	return fewest
}

// String returns a name such as "xxh64 with le64 keys at 32 bits".
func (c *Choice) String() string { return c.Hash + " with " + c.Encoding + " keys" + c.Width() }

// Width returns the width, as in " at 32 bits", or "" for 64 bits.
func (c *Choice) Width() string {
	if c.Bits == 64 {
		return ""
	}
	return " at " + strconv.Itoa(c.Bits) + " bits"
}

// Choices groups the cases that keep accepts by hash, encoding and width, and sorts the choices by
// these.
func Choices(set *Set, keep func(Case) bool) []*Choice {
	wanted := slices.DeleteFunc(cases(set), func(k Case) bool {
		return k.Bits < 1 || !keep(k) // rows of other programs may have no width
	})
	var list []*Choice
	for _, same := range GroupBy(wanted, func(k Case) choiceKey { return keyOf(k.Row) }) {
		slices.SortStableFunc(same, func(a, b Case) int {
			return cmp.Or(cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(a.least(), b.least()), cmp.Compare(Name(a.Row), Name(b.Row)))
		})
		key := keyOf(same[0].Row)
		list = append(list, &Choice{Hash: key.hash, Encoding: key.encoding, Bits: key.bits, Cases: same})
	}
	slices.SortStableFunc(list, func(a, b *Choice) int {
		return cmp.Or(cmp.Compare(a.Hash, b.Hash), CompareEncodings(a.Encoding, b.Encoding), a.Bits-b.Bits)
	})
	return list
}

// choiceKey identifies a choice. bits is 0 for times that do not depend on the width.
type choiceKey struct {
	hash, encoding string
	bits           int
}

func keyOf(c Cell) choiceKey {
	bits, _ := strconv.Atoi(c.Name.Get("f"))
	return choiceKey{c.Name.Get("hash"), c.Encoding(), bits}
}

// cases returns the cases of all files, including failed cases unless a later file has their
// results.
func cases(set *Set) []Case {
	var list []Case
	for _, c := range set.Exact(terms.Quality) {
		if set.judges(c) {
			list = append(list, newCase(c))
		}
	}
	for _, b := range set.Broken {
		if b.Name.Base != terms.Quality || !set.judges(b.Cell) {
			continue
		}
		at := slices.IndexFunc(list, func(k Case) bool { return k.Row.Row() == b.Row() })
		switch {
		case at < 0:
			list = append(list, failedCase(b))
		case list[at].Row.Source <= b.Source:
			list[at] = failedCase(b)
		}
	}
	return list
}

// Case is the quality of a hash on vectors with one pattern of indices and one kind of weights.
type Case struct {
	Row     Cell
	Bits    int // size of the sketch: bits or buckets; 0 if the row's name has none
	Verdict terms.Judgement

	// Effective size over all pairs, and in the second band, see terms.Use; nil if unknown.
	All, Cos90 *resultfile.Figure

	Constant, Copied int    // numbers of bits; Copied includes inverted copies
	Codes            int    // number of different codes if there are too few, or else 0
	Missing          string // why there is no verdict; "" if there is one
}

func newCase(c Cell) Case {
	k := Case{Row: c}
	use := k.use()
	k.All, k.Cos90 = band(c, use.Unit), band(c, use.Unit+use.Near)
	k.Bits, _ = strconv.Atoi(cmp.Or(c.Name.Get("buckets"), c.Name.Get("f")))
	v, ok := c.Value(terms.Verdict)
	if ok && slices.Contains([]float64{float64(terms.Weak), float64(terms.Undecided), float64(terms.Good)}, v) {
		k.Verdict = terms.Judgement(v)
	} else {
		k.Missing = "no verdict"
	}
	count := func(unit string) int { n, _ := c.Value(unit); return int(n) }
	k.Constant, k.Copied, k.Codes = count(terms.ConstantBits), count(terms.CopiedBits), count(terms.Codes)
	return k
}

func (k Case) use() terms.Use { return terms.UseOf(k.Row.Name.Get("sketch")) }

func failedCase(b Broken) Case {
	k := newCase(b.Cell)
	k.Missing = "failed (" + b.Reason + ")"
	return k
}

// band returns the value of a unit, with the interval that the row has in two other units.
func band(c Cell, unit string) *resultfile.Figure {
	v, ok := c.Value(unit)
	if !ok {
		return nil
	}
	low, from := c.Value(unit + terms.Low)
	high, to := c.Value(unit + terms.High)
	if !from || !to {
		low, high = math.Inf(-1), math.Inf(1)
	}
	return &resultfile.Figure{Median: v, Lo: low, Hi: high, Samples: 1}
}

// Worse returns the smaller of All and Cos90, and whether that is Cos90. It returns nil if both are
// nil.
func (k Case) Worse() (f *resultfile.Figure, near bool) {
	if k.All == nil || k.Cos90 != nil && k.Cos90.Median < k.All.Median {
		return k.Cos90, k.Cos90 != nil
	}
	return k.All, false
}

// least returns the median of Worse as a share of the size, or infinity if that is nil.
func (k Case) least() float64 {
	if f, _ := k.Worse(); f != nil {
		return f.Median / float64(k.Bits)
	}
	return math.Inf(1)
}

// Name returns the pattern and the weights of a row, and its data set if it has one.
func Name(c Cell) string {
	name := c.Name.Get("pattern") + " indices, " + c.Name.Get("weights") + " weights"
	if buckets := c.Name.Get("buckets"); buckets != "" {
		name += ", " + buckets + " buckets"
	}
	if data := c.Name.Get("data"); data != "" {
		name += ", " + data
	}
	return name
}

// Vectors describes the vectors of the case, as in "dense indices, unit weights".
func (k Case) Vectors(encoding string) string {
	return fmt.Sprintf("%s, %s weights", terms.Keys(encoding, k.Row.Name.Get("pattern")), k.Row.Name.Get("weights"))
}

// Why returns the reason for the verdict, as in "8.5 of 64 bits (42.6 at cosine 0.9 and above)".
func (k Case) Why() string {
	var parts []string
	use := k.use()
	switch {
	case k.Missing != "":
		return k.Missing
	case k.Verdict == terms.Undecided:
		parts = k.whyUndecided()
	case k.All != nil && k.Cos90 != nil:
		parts = append(parts, fmt.Sprintf("%s of %d %s (%s %s)", terms.Bits(k.All.Median), k.Bits, use.Size, terms.Bits(k.Cos90.Median), use.Where))
	case k.All != nil:
		parts = append(parts, fmt.Sprintf("%s of %d %s", terms.Bits(k.All.Median), k.Bits, use.Size))
	case k.Cos90 != nil:
		parts = append(parts, fmt.Sprintf("%s of %d %s %s", terms.Bits(k.Cos90.Median), k.Bits, use.Size, use.Where))
	}
	if parts = append(parts, k.defects()...); len(parts) > 0 {
		return strings.Join(parts, ", ")
	}
	return "no verdict"
}

// defects describes constant and copied bits, and repeated codes.
func (k Case) defects() (parts []string) {
	if k.Constant > 0 {
		parts = append(parts, english.Count(k.Constant, "constant bit"))
	}
	if k.Copied > 0 {
		parts = append(parts, english.Count(k.Copied, "copied or inverted bit"))
	}
	if k.Codes > 0 {
		parts = append(parts, "only "+english.Count(k.Codes, "different code"))
	}
	return parts
}

func (k Case) whyUndecided() (parts []string) {
	keyings, counted := k.Row.Value(terms.Keyings)
	if counted && keyings < terms.LeastKeyings {
		return []string{fmt.Sprintf("%s (a verdict needs %d)", english.Count(int(keyings), "keying"), terms.LeastKeyings)}
	}
	least, use := terms.GoodPart*float64(k.Bits), k.use()
	spans := false // whether an interval contains the limit between good and weak
	for _, b := range []struct {
		of    *resultfile.Figure
		pairs string
		where string
	}{{k.All, terms.Pairs, ""}, {k.Cos90, terms.Pairs + use.Near, " " + use.Where}} {
		pairs, counted := k.Row.Value(b.pairs)
		switch {
		case b.of == nil && counted && pairs >= terms.LeastPairs:
			parts = append(parts, fmt.Sprintf("equal distances of most of the %.0f pairs%s", pairs, b.where))
		case b.of == nil:
			parts = append(parts, "too few pairs"+b.where)
		case Bounded(*b.of) && b.of.Lo < least && b.of.Hi >= least:
			parts = append(parts, fmt.Sprintf("%s to %s of %d %s%s", terms.Bits(b.of.Lo), terms.Bits(b.of.Hi), k.Bits, use.Size, b.where))
			spans = true
		}
	}
	if spans {
		parts[len(parts)-1] += fmt.Sprintf(" (good: at least %s)", terms.Bits(least))
	}
	if _, tested := k.Row.Value(terms.ConstantBits); len(parts) == 0 && counted && !tested && k.Row.Name.Get("sketch") == "" {
		parts = append(parts, "too few indices to test single bits")
	}
	return parts
}

// Times holds the times of choices in ns per feature, for the same work in one run, each with the
// fastest kernel.
type Times struct {
	Of string // what was timed: "whole sketch, f32 weights, vectors: 100 features"

	Sketches bool // times of whole sketches, not of hashing alone

	asked bool // on the requested data set
	timed int  // number of choices that have a time
	by    map[choiceKey]Time
}

// Time is the time of a choice, and its row.
type Time struct {
	resultfile.Figure
	Row  Cell
	unit string
}

// Get returns the time of a choice.
func (t Times) Get(c *Choice) (Time, bool) {
	time, ok := t.by[choiceKey{c.Hash, c.Encoding, c.Bits}]
	if !ok {
		time, ok = t.by[choiceKey{c.Hash, c.Encoding, 0}]
	}
	return time, ok
}

// Sorted returns the choices by verdict, good ones first, and then by time. Choices that are not
// good and take the same time are sorted by effective bits.
func (t Times) Sorted(choices []*Choice) []*Choice {
	return slices.SortedStableFunc(slices.Values(choices), func(a, b *Choice) int {
		byBits := 0
		if a.Verdict() != terms.Good {
			byBits = cmp.Compare(b.Worst().least(), a.Worst().least())
		}
		return cmp.Or(cmp.Compare(b.Verdict(), a.Verdict()), cmp.Compare(t.median(a), t.median(b)), byBits)
	})
}

// Named returns the least time of a hash with the default encoding, whether or not it is a choice.
func (t Times) Named(hash string) (least float64, ok bool) {
	for key, time := range t.by {
		if key.hash == hash && key.encoding == terms.LE64 && (!ok || time.Median < least) {
			least, ok = time.Median, true
		}
	}
	return least, ok
}

// against returns the ratios t/o of samples that were taken in turn.
func (t Time) against(o Time) []float64 {
	a, b := t.Row.samples[t.unit], o.Row.samples[o.unit]
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i].Value / b[i].Value
	}
	return ratios
}

// Any reports whether any choice has a time.
func (t Times) Any() bool { return t.timed > 0 }

// TimesOf returns the times of whole sketches, or of hashing alone if more choices have these.
func TimesOf(set *Set, choices []*Choice, data string) Times {
	sketches, hashing := timed(set, terms.Sketch, choices, data), timed(set, terms.Hash, choices, data)
	if hashing.before(sketches) {
		return hashing
	}
	return sketches
}

// timed returns the times of a base, Sketch or Hash, from the run that timed the most choices, or
// from the last of several such runs. Times on the data set take precedence.
func timed(set *Set, base string, choices []*Choice, data string) Times {
	unit := terms.NanosecondsPerKey
	if base == terms.Sketch {
		unit = terms.NanosecondsPerFeature
	}
	var best Times
	for _, run := range set.Runs(base) {
		usable := slices.DeleteFunc(slices.Clone(run), func(c Cell) bool {
			ns, ok := c.Value(unit)
			return !ok || ns <= 0 || c.Name.Get("kernel") == terms.Naive || c.Name.Get("cpus") != "" || base == terms.Sketch && c.Name.Get("weights") != "f32"
		})
		for _, same := range GroupBy(usable, timedOf) {
			t := Times{Of: timedOf(same[0]), Sketches: base == terms.Sketch, asked: data != "" && same[0].Name.Get("data") == data, by: map[choiceKey]Time{}}
			for _, c := range same {
				f, _ := c.Get(unit)
				if former, ok := t.by[keyOf(c)]; !ok || f.Median < former.Median {
					t.by[keyOf(c)] = Time{f, c, unit}
				}
			}
			for _, c := range choices {
				if _, ok := t.Get(c); ok {
					t.timed++
				}
			}
			if t.Any() && !best.before(t) {
				best = t
			}
		}
	}
	return best
}

func (t Times) before(o Times) bool {
	if t.Any() && o.Any() && t.asked != o.asked {
		return t.asked
	}
	return t.timed > o.timed
}

func timedOf(c Cell) string {
	n := c.Name
	if n.Base == terms.Hash {
		return "hashing alone, " + n.Get("n") + " keys at a time"
	}
	return "whole sketch, " + n.Get("weights") + " weights, vectors: " + cmp.Or(n.Get("data"), n.Get("nnz")+" features")
}
