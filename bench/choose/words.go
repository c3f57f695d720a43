package choose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
	"simhashkit/internal/english"
)

// lead is the answer in one sentence or two.
func (a *Answer) lead() string {
	hash := fmt.Sprintf("%s with %s keys", a.Hash.Family.Name, a.Hash.Encoding)
	use := func(link string) string {
		if a.Ranking().Best == nil {
			return fmt.Sprintf("No hash is known to be good here. With the default, %s, take ", hash)
		}
		return "Use " + hash + link
	}
	c := a.Calibration
	bits := min(64, a.Hash.Family.Bits)
	t := a.taken()
	if c == nil || c.Suggestion == nil {
		why := "Without vectors of yours k follows from theory:"
		if c != nil {
			why = "These vectors do not tell k: " + c.Note + ". In theory"
		}
		return fmt.Sprintf("%s%d bits. %s k = %d finds %s%% of the pairs of cosine %v, and more of nearer ones.",
			use(" and "), bits, why, t.K, english.Hundred(t.Finds), a.Options.Cosine)
	}
	if t.Widen != fphash.WidenNone.String() {
		hash += fmt.Sprintf(", widened by %s", t.Widen)
	}
	words := fmt.Sprintf("%s%d bits and k = %d: that finds %s%% of the pairs of cosine %v and above; %s of 100 found are real", use(", "), t.Bits, t.K,
		english.Hundred(t.Finds), a.Options.Cosine, english.Hundred(t.Real))
	if c.Suggestion.Met {
		return words + "."
	}
	return words + ": check them by cosine."
}

// taken is the threshold that is suggested.
func (a *Answer) taken() Threshold {
	for _, t := range a.Thresholds() {
		if t.Take {
			return t
		}
	}
	return Threshold{}
}

// target says whether what was asked for is reached; "" where that is not known.
func (a *Answer) target() string {
	c := a.Calibration
	if c == nil || c.Suggestion == nil {
		return ""
	}
	wanted := fmt.Sprintf("%s%% found, %s of 100 real", english.Hundred(a.Options.Recall), english.Hundred(a.Options.Precision))
	switch {
	case !c.Suggestion.Met:
		return "Target missed: " + c.Note + "."
	case !c.Suggestion.Sure:
		return fmt.Sprintf("Target reached (%s), but so narrowly that more vectors might say otherwise.", wanted)
	}
	return fmt.Sprintf("Target reached (%s).", wanted)
}

// cost says why this hash, and what the default costs beside it.
func (a *Answer) cost() string {
	r, m := a.Hashes, a.Ranking()
	good := len(r.Good) + len(r.Fewer)
	if good == 0 {
		good = len(r.HereOnly)
	}
	where := "on these vectors"
	if r.Data == "" {
		where = "on indices like these"
	}
	if m.Best == nil {
		return fmt.Sprintf("None of the %d hashes is good %s.", len(r.Choices), where)
	}
	among := fmt.Sprintf("the cheapest of the %d hashes that are", good)
	switch {
	case good == 1:
		among = fmt.Sprintf("the only one of %d hashes that is", len(r.Choices))
	case good < len(r.Choices):
		among = fmt.Sprintf("the cheapest of the %d hashes (of %d) that are", good, len(r.Choices))
	}
	words := fmt.Sprintf("%s costs %s ns per feature of a sketch, %s good %s.", m.Best.Hash, nanoseconds(m.Best.Time), among, where)
	var alike []string
	for _, p := range m.Alike {
		alike = append(alike, fmt.Sprintf("%s (%s)", p.Hash, nanoseconds(p.Time)))
	}
	if len(alike) > 0 {
		words += fmt.Sprintf(" As cheap, within the noise: %s.", strings.Join(alike, ", "))
	}
	words += a.besideDefault()
	if e := m.Best.Elsewhere; e != nil {
		words += fmt.Sprintf(" Mind that it is weak on %s: %s.", e.Vectors(m.Best.Encoding), e.Why())
	}
	return words
}

func (a *Answer) besideDefault() string {
	d, m := a.Hashes.Default, a.Ranking()
	if d == nil {
		return ""
	}
	t, timed := m.Times.Get(d)
	switch {
	case d == m.Best.Choice:
		return " It is the default."
	case d.Verdict() != terms.Good:
		return fmt.Sprintf(" The default, %s, is %s here: %s.", d.Hash, terms.VerdictWord(d.Verdict()), d.Worst().Why())
	case !timed:
		return ""
	case m.Saves == 0:
		return fmt.Sprintf(" The default, %s, costs %s: changing gains nothing that this run can tell.", d.Hash, nanoseconds(t))
	}
	return fmt.Sprintf(" The default, %s, costs %s: changing saves %.0f%%.", d.Hash, nanoseconds(t), 100*m.Saves)
}

// judged says by what the hashes were judged where it was not by the vectors.
func (a *Answer) judged() string {
	if a.Note == "" {
		return ""
	}
	return fmt.Sprintf("The hashes were judged on runs of consecutive indices, since these vectors allow %s.", a.Note)
}

// reason says why a choice is not to be used.
func reason(c *advice.Choice) string {
	if c.Verdict() == terms.Good {
		words := "only good here"
		if f, _ := c.Elsewhere.Worse(); f != nil {
			words += fmt.Sprintf(": %s of %d bits on %s", advice.Bits(f.Median), c.Bits, terms.Keys("", c.Elsewhere.Row.Name.Get("pattern")))
		}
		return words
	}
	return c.Worst().Why()
}

// notToUse lists the weak choices and those that are good on the vectors at hand only, unless one
// of them is the best.
func (a *Answer) notToUse() []*advice.Choice {
	list := slices.Clone(a.Hashes.Weak)
	if best := a.Ranking().Best; best != nil && best.Elsewhere == nil {
		list = append(list, a.Hashes.HereOnly...)
	}
	return list
}

// about says what the table of thresholds is of.
func (a *Answer) about() string {
	c := a.Calibration
	if c == nil {
		return fmt.Sprintf("By theory, for an ideal hash and vectors of many features: pairs of cosine %v found, and pairs that have nothing in common found among a million vectors", a.Options.Cosine)
	}
	sample := fmt.Sprintf("%d vectors", c.Used)
	if c.Used < c.Given {
		sample = fmt.Sprintf("%d of %d vectors", c.Used, c.Given)
	}
	if c.Suggestion == nil {
		return fmt.Sprintf("Pairs of cosine %v found by theory, and pairs found among a million vectors like these (%s)", a.Options.Cosine, sample)
	}
	return fmt.Sprintf("The choice (sample: %s, %d pairs of cosine %v and above):", sample, c.Near, a.Options.Cosine)
}

// more names the commands that show more.
func (a *Answer) more() string {
	bench, calibrate := "fphash bench", ""
	if a.Options.Data != nil {
		bench, calibrate = "fphash bench DATA", ", fphash calibrate DATA (every k, distances by cosine)"
	}
	return fmt.Sprintf("More: %s (every hash, encoding and kernel)%s, fphash report (pictures).", bench, calibrate)
}

func nanoseconds(t advice.Time) string { return fmt.Sprintf("%.2f", t.Median) }

// count shows a number of pairs with the two digits that mean something.
func count(n float64) string {
	for _, u := range []struct {
		size float64
		word string
	}{{1e9, "billion"}, {1e6, "million"}} {
		switch x := n / u.size; {
		case x >= 9.95:
			return fmt.Sprintf("%.0f %s", x, u.word)
		case x >= 0.995:
			return fmt.Sprintf("%.1f %s", x, u.word)
		}
	}
	switch {
	case n < 1:
		return "less than 1"
	case n < 99.5:
		return fmt.Sprintf("%.0f", n)
	}
	step := math.Pow(10, math.Floor(math.Log10(n))-1)
	digits := fmt.Sprintf("%.0f", math.Round(n/step)*step)
	if len(digits) > 3 {
		digits = digits[:len(digits)-3] + "," + digits[len(digits)-3:]
	}
	return digits
}
