package advice

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
)

// Cell is the quality of a hash on vectors with one pattern of indices and one kind of weights.
type Cell struct {
	Name   benchname.Name
	rows   resultfile.Index
	failed string // why it has no figures; "" where it has
}

// Value returns the cell's figure of that unit, and false where there is none.
func (c Cell) Value(unit string) (float64, bool) {
	r, ok := c.rows.Get(c.Name, unit)
	return r.Median, ok && r.Err == "" && c.failed == ""
}

// number returns the figure, or 0.
func (c Cell) number(unit string) float64 {
	if v, ok := c.Value(unit); ok {
		return v
	}
	return 0
}

// Verdict is Weak, Undecided or Good; Undecided where the rows have none, or failed.
func (c Cell) Verdict() int { return int(c.number(terms.Verdict)) }

// bits is the width of the fingerprints.
func (c Cell) bits() int {
	bits, err := strconv.Atoi(c.Name.Get("f"))
	if err != nil {
		return 0
	}
	return bits
}

// Least returns the smaller of the two figures of effective bits; it is infinite where there are
// none.
func (c Cell) Least() float64 {
	least := math.Inf(1)
	for _, unit := range []string{terms.EffectiveBits, terms.EffectiveBitsCos90} {
		if v, ok := c.Value(unit); ok {
			least = min(least, v)
		}
	}
	return least
}

// known is Least, and 0 where there are no figures.
func (c Cell) known() float64 {
	if least := c.Least(); !math.IsInf(least, 1) {
		return least
	}
	return 0
}

// Case names the pattern of the indices and the kind of the weights.
func (c Cell) Case() string {
	return c.Name.Get("pattern") + ", " + c.Name.Get("weights")
}

// words says in full what the hash was given: "decimal keys of dense indices, unit weights".
func (c Cell) words() string {
	return fmt.Sprintf("%s, %s weights", quality.Words(c.Name.Get("encoding"), quality.Pattern(c.Name.Get("pattern"))), c.Name.Get("weights"))
}

// goodPart is the part of f that a good hash's bits are worth; METHODOLOGY.md has the rule.
const goodPart = 0.9

// Why is the verdict in words: "8.5 of 64 bits (42.6 at cosine 0.9 and above) on big-endian keys of
// runs of consecutive indices, unit weights".
func (c Cell) Why() string { return c.reason() + " on " + c.words() }

// reason is Why without what the hash was given.
func (c Cell) reason() string {
	if c.failed != "" {
		return fmt.Sprintf("failed (%s)", c.failed)
	}
	var parts []string
	switch c.Verdict() {
	case terms.Undecided:
		parts = c.open()
	default:
		text := fmt.Sprintf("of %d bits", c.bits())
		all, ok := c.Value(terms.EffectiveBits)
		near, okay := c.Value(terms.EffectiveBitsCos90)
		switch {
		case ok && okay:
			parts = append(parts, fmt.Sprintf("%s %s (%s at cosine 0.9 and above)", Bits(all), text, Bits(near)))
		case ok:
			parts = append(parts, Bits(all)+" "+text)
		case okay:
			parts = append(parts, Bits(near)+" "+text+" at cosine 0.9 and above")
		}
	}
	for _, d := range []struct{ unit, what string }{{"constant-bits", "constant"}, {"copied-bits", "copied or inverted"}} {
		if n := c.number(d.unit); n > 0 {
			parts = append(parts, fmt.Sprintf("%.0f %s", n, d.what))
		}
	}
	if len(parts) == 0 { // the vectors are what was wrong
		return "no verdict"
	}
	return strings.Join(parts, ", ")
}

// open says what an undecided cell leaves open.
func (c Cell) open() (parts []string) {
	least := goodPart * float64(c.bits())
	spans := false // an interval spans what divides good from weak
	for _, b := range []struct{ unit, where string }{{terms.EffectiveBits, ""}, {terms.EffectiveBitsCos90, " at cosine 0.9 and above"}} {
		_, ok := c.Value(b.unit)
		low, between := c.Value(b.unit + terms.Low)
		high, _ := c.Value(b.unit + terms.High)
		switch {
		case !ok:
			parts = append(parts, "too few pairs"+b.where)
		case between && low < least && high >= least:
			parts = append(parts, fmt.Sprintf("%s to %s of %d bits%s", Bits(low), Bits(high), c.bits(), b.where))
			spans = true
		}
	}
	if spans {
		parts[len(parts)-1] += fmt.Sprintf(" (good: %s and more)", Bits(least))
	}
	return parts
}

// Bits writes a number of bits with as many digits as mean something.
func Bits(v float64) string {
	if v < 99.95 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
