package advice

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
	"simhashkit/internal/english"
)

// Choice is an option of the user: a hash, an encoding of the index, and a width.
type Choice struct {
	Hash     string // with whatever its name says beyond what all names say: "fnv1a64 widen=mix"
	Encoding string
	Bits     int

	Cases     []Case // the worst first: by verdict, then effective bits
	Elsewhere *Case  // where it is weak on other vectors; nil: nowhere
	others    []Case // on other vectors than those that were asked about
}

// Worst is the case that earned the verdict.
func (c *Choice) Worst() Case { return c.Cases[0] }

// Verdict is Weak if one case is, and Good if all are. A case that was not measured is no fault.
func (c *Choice) Verdict() terms.Judgement { return c.Worst().Verdict }

// Fewest returns the case with the fewest effective bits in either band; false if none has any.
func (c *Choice) Fewest() (Case, bool) {
	fewest := slices.MinFunc(c.Cases, func(a, b Case) int { return cmp.Compare(a.least(), b.least()) })
	return fewest, !math.IsInf(fewest.least(), 1)
}

// IsDefault reports whether programs use the choice unless they are asked for another.
func (c *Choice) IsDefault() bool { return c.Hash == fphash.DefaultHash && c.Encoding == terms.LE64 }

// worth is the effective bits of the worst case, on all vectors; nil if unknown.
func (c *Choice) worth() *resultfile.Figure {
	var fewest *resultfile.Figure
	for _, k := range slices.Concat(c.Cases, c.others) {
		if f, _ := k.Worse(); f != nil && (fewest == nil || f.Median < fewest.Median) {
			fewest = f
		}
	}
	return fewest
}

// String names the choice.
func (c *Choice) String() string { return c.Hash + " with " + c.Encoding + " keys" + c.Width() }

// Width names the width of a choice, "" where it goes without saying.
func (c *Choice) Width() string {
	if c.Bits == 64 {
		return ""
	}
	return " at " + strconv.Itoa(c.Bits) + " bits"
}

// hashOf returns the hash of a row with the unusual keys of its name: "fnv1a64 widen=mix".
func hashOf(c Cell) string {
	parts := []string{c.Name.Get("hash")}
	for _, k := range c.Name.Keys {
		if !slices.Contains(usualKeys, k.Key) {
			parts = append(parts, k.Key+"="+k.Value)
		}
	}
	return strings.Join(parts, " ")
}

// usualKeys are the keys that describe what was measured, not with what.
var usualKeys = []string{"hash", "encoding", "pattern", "weights", "f", "data", "angle", "k", "in", "kernel", "n", "nnz", "cpus"}

// Choices returns the choices with rows of quality for which keep holds, in order of their names.
func Choices(set *Set, keep func(Case) bool) []*Choice {
	wanted := slices.DeleteFunc(cases(set), func(k Case) bool {
		return k.Bits < 1 || !keep(k) // a row of another program's, whose name has no width
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
		return cmp.Or(CompareValues(a.Hash, b.Hash), CompareValues(a.Encoding, b.Encoding), a.Bits-b.Bits)
	})
	return list
}

// choiceKey has 0 bits where the width makes no difference.
type choiceKey struct {
	hash, encoding string
	bits           int
}

func keyOf(c Cell) choiceKey {
	bits, _ := strconv.Atoi(c.Name.Get("f"))
	return choiceKey{hashOf(c), c.Encoding(), bits}
}

// cases returns those of all files. One that failed counts unless a later file has its figures.
func cases(set *Set) []Case {
	var list []Case
	for _, c := range set.Exact(terms.Quality) {
		list = append(list, newCase(c))
	}
	for _, b := range set.Broken {
		if b.Name.Base != terms.Quality {
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
	Bits    int // the width of the fingerprints, 0 where the row's name has none
	Verdict terms.Judgement

	// Effective bits over all angles, and at cosine 0.9 and above; nil if unknown.
	All, Cos90 *resultfile.Figure

	Constant, Copied int    // bits that are, copied ones with those that are inverted
	Missing          string // why there is no verdict; "" where there is one
}

func newCase(c Cell) Case {
	k := Case{Row: c, All: band(c, terms.EffectiveBits), Cos90: band(c, terms.EffectiveBitsCos90)}
	k.Bits, _ = strconv.Atoi(c.Name.Get("f"))
	v, ok := c.Value(terms.Verdict)
	if ok && slices.Contains([]float64{float64(terms.Weak), float64(terms.Undecided), float64(terms.Good)}, v) {
		k.Verdict = terms.Judgement(v)
	} else {
		k.Missing = "no verdict"
	}
	count := func(unit string) int { n, _ := c.Value(unit); return int(n) }
	k.Constant, k.Copied = count(terms.ConstantBits), count(terms.CopiedBits)
	return k
}

func failedCase(b Broken) Case {
	k := newCase(b.Cell)
	k.Missing = "failed (" + b.Reason + ")"
	return k
}

// band returns the figure of a unit with the interval that the row has in units of its own.
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

// Worse returns the smaller of both effective bits, and whether that is Cos90; nil of none.
func (k Case) Worse() (f *resultfile.Figure, near bool) {
	if k.All == nil || k.Cos90 != nil && k.Cos90.Median < k.All.Median {
		return k.Cos90, k.Cos90 != nil
	}
	return k.All, false
}

// least is the value of Worse, or infinity if the case has no figures.
func (k Case) least() float64 {
	if f, _ := k.Worse(); f != nil {
		return f.Median
	}
	return math.Inf(1)
}

// Name names the pattern and the weights of a row, and its data set if it has one.
func Name(c Cell) string {
	name := c.Name.Get("pattern") + " indices, " + c.Name.Get("weights") + " weights"
	if data := c.Name.Get("data"); data != "" {
		name += ", " + data
	}
	return name
}

// Vectors describes the vectors of the case: "dense indices, unit weights".
func (k Case) Vectors(encoding string) string {
	return fmt.Sprintf("%s, %s weights", terms.Keys(encoding, k.Row.Name.Get("pattern")), k.Row.Name.Get("weights"))
}

// Why is the reason of the verdict: "8.5 of 64 bits (42.6 at cosine 0.9 and above)".
func (k Case) Why() string {
	var parts []string
	switch {
	case k.Missing != "":
		return k.Missing
	case k.Verdict == terms.Undecided:
		parts = k.open()
	case k.All != nil && k.Cos90 != nil:
		parts = append(parts, fmt.Sprintf("%s of %d bits (%s at cosine 0.9 and above)", terms.Bits(k.All.Median), k.Bits, terms.Bits(k.Cos90.Median)))
	case k.All != nil:
		parts = append(parts, fmt.Sprintf("%s of %d bits", terms.Bits(k.All.Median), k.Bits))
	case k.Cos90 != nil:
		parts = append(parts, fmt.Sprintf("%s of %d bits at cosine 0.9 and above", terms.Bits(k.Cos90.Median), k.Bits))
	}
	if parts = append(parts, k.defects()...); len(parts) > 0 {
		return strings.Join(parts, ", ")
	}
	return "no verdict"
}

// defects counts the bits that carry nothing of their own.
func (k Case) defects() (parts []string) {
	if k.Constant > 0 {
		parts = append(parts, english.Count(k.Constant, "constant bit"))
	}
	if k.Copied > 0 {
		parts = append(parts, english.Count(k.Copied, "copied or inverted bit"))
	}
	return parts
}

func (k Case) open() (parts []string) {
	keyings, counted := k.Row.Value(terms.Keyings)
	if counted && keyings < terms.LeastKeyings {
		return []string{fmt.Sprintf("%s (a verdict takes %d)", english.Count(int(keyings), "keying"), terms.LeastKeyings)}
	}
	least := terms.GoodPart * float64(k.Bits)
	spans := false // an interval spans what divides good from weak
	for _, b := range []struct {
		of    *resultfile.Figure
		pairs string
		where string
	}{{k.All, terms.Pairs, ""}, {k.Cos90, terms.Pairs + terms.Cos90, " at cosine 0.9 and above"}} {
		pairs, counted := k.Row.Value(b.pairs)
		switch {
		case b.of == nil && counted && pairs >= terms.LeastPairs:
			parts = append(parts, fmt.Sprintf("equal distances of most of the %.0f pairs%s", pairs, b.where))
		case b.of == nil:
			parts = append(parts, "too few pairs"+b.where)
		case Bounded(*b.of) && b.of.Lo < least && b.of.Hi >= least:
			parts = append(parts, fmt.Sprintf("%s to %s of %d bits%s", terms.Bits(b.of.Lo), terms.Bits(b.of.Hi), k.Bits, b.where))
			spans = true
		}
	}
	if spans {
		parts[len(parts)-1] += fmt.Sprintf(" (good: %s and more)", terms.Bits(least))
	}
	if _, tested := k.Row.Value(terms.ConstantBits); len(parts) == 0 && counted && !tested {
		parts = append(parts, "too few indices to test single bits")
	}
	return parts
}

// Times are costs in ns per feature: of the same work, in one run, each with its best kernel.
type Times struct {
	Of string // what was timed: "whole sketch, f32 weights, vectors: 100 features"

	Sketches bool // whole ones; else it was hashing alone

	asked bool // on the vectors that were asked about
	timed int  // how many of the choices were
	by    map[choiceKey]Time
}

// Time is the cost of a choice, and its row.
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

// against returns the time as a part of another one of the same run, sample by sample.
func (t Time) against(o Time) resultfile.Figure {
	a, b := t.Row.samples[t.unit], o.Row.samples[o.unit]
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i].Value / b[i].Value
	}
	return resultfile.NewFigure(ratios)
}

// Any reports whether any of the choices was timed.
func (t Times) Any() bool { return t.timed > 0 }

// TimesOf returns the times of whole sketches or, if it has more of the choices, of hashing alone.
func TimesOf(m Machine, choices []*Choice, data string) Times {
	sketches, hashing := timed(m, terms.Sketch, choices, data), timed(m, terms.Hash, choices, data)
	if hashing.before(sketches) {
		return hashing
	}
	return sketches
}

// timed returns the times of a base, Sketch or Hash, of the run that timed the most choices; of
// several such runs, the last. Times on the data set come first.
func timed(m Machine, base string, choices []*Choice, data string) Times {
	unit := terms.NanosecondsPerKey
	if base == terms.Sketch {
		unit = terms.NanosecondsPerFeature
	}
	var best Times
	for _, run := range m.Runs(base) {
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
