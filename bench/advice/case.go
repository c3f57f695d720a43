package advice

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/internal/english"
)

// Case is the quality of a hash on vectors with one pattern of indices and one kind of weights.
type Case struct {
	Row     Cell
	Bits    int // the width of the fingerprints, 0 where the row's name has none
	Verdict terms.Judgement

	// What the bits are worth over all angles, and at cosine 0.9 and above, where near-duplicates
	// are, each with its 95% interval; nil where that is not known.
	All, Cos90 *resultfile.Figure

	Constant, Copied int    // bits that are, copied ones with those that are inverted
	Missing          string // why there is no verdict; "" where there is one
}

// NewCase returns the case of a row of Quality.
func NewCase(c Cell) Case {
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

// failedCase is a case that has no figures.
func failedCase(b Broken) Case {
	k := NewCase(b.Cell)
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

// Worse returns the smaller of the two effective bits, and whether it is that at cosine 0.9 and
// above; nil if there is neither.
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

// Name names the pattern and the weights of a row, and the data set where the pattern is that of
// one.
func Name(c Cell) string {
	name := c.Name.Get("pattern") + " indices, " + c.Name.Get("weights") + " weights"
	if data := c.Name.Get("data"); data != "" {
		name += ", " + data
	}
	return name
}

// Vectors describes the vectors of the case, such as "dense indices, unit weights", and the
// encoding of the indices if it is named.
func (k Case) Vectors(encoding string) string {
	return fmt.Sprintf("%s, %s weights", terms.Keys(encoding, k.Row.Name.Get("pattern")), k.Row.Name.Get("weights"))
}

// Why is the reason of the verdict: "8.5 of 64 bits (42.6 at cosine 0.9 and above), 21 constant
// bits".
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
	if parts = append(parts, k.Defects()...); len(parts) > 0 {
		return strings.Join(parts, ", ")
	}
	return "no verdict"
}

// Defects counts the bits that carry nothing of their own.
func (k Case) Defects() (parts []string) {
	if k.Constant > 0 {
		parts = append(parts, english.Count(k.Constant, "constant bit"))
	}
	if k.Copied > 0 {
		parts = append(parts, english.Count(k.Copied, "copied or inverted bit"))
	}
	return parts
}

// open describes why a case is undecided.
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
