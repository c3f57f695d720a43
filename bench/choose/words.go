package choose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
	"simhashkit/internal/english"
)

// lead is the answer in one sentence or two.
func (a *Answer) lead() string {
	hash := fmt.Sprintf("%s with %s keys", a.Hash.Family.Name, a.Hash.Encoding)
	use, theory := "Use "+hash, " and"
	switch {
	case a.Ranking().Best == nil:
		use, theory = fmt.Sprintf("No hash is known to be good here. With the default, %s, take", hash), ""
	case a.Ranking().Why == advice.CannotTell:
		use = fmt.Sprintf("Keep the default, %s", hash)
	}
	c := a.Calibration
	bits := min(64, a.Hash.Family.Bits)
	t := a.taken()
	if c == nil || c.Suggestion == nil {
		why := "Without vectors of yours k follows from theory:"
		if c != nil {
			why = fmt.Sprintf("These vectors do not tell k: %s. In theory", c.Note)
		}
		finds := fmt.Sprintf("%s %d bits. %s k = %d finds %s%% of the pairs of cosine %v, and more of nearer ones.",
			use+theory, bits, why, t.K, english.Hundred(t.Finds), a.Options.Cosine)
		if a.findsOthers() {
			finds += fmt.Sprintf(" Of 100 pairs found %s are real: check by cosine.", english.Hundred(*t.Real))
		}
		return finds
	}
	setting := fmt.Sprintf("%d bits and k = %d", t.Bits, t.K)
	if t.Widen != "" {
		setting = fmt.Sprintf("%d bits (widened by %s) and k = %d", t.Bits, t.Widen, t.K)
	}
	if w, _ := c.OfWidth(t.Bits); w.From < w.To {
		setting += fmt.Sprintf(" (%d to %d)", w.From, w.To)
	}
	finds := fmt.Sprintf("that finds %s%% of the pairs of cosine %v and above; %s of 100 found are real", english.Hundred(t.Finds), a.Options.Cosine, english.Hundred(*t.Real))
	if !c.Suggestion.Met {
		return fmt.Sprintf("No threshold does it on these vectors: %s. Nearest come %s: %s. %s, and check by cosine.", c.Note, setting, finds, strings.TrimSuffix(use, ", take"))
	}
	return fmt.Sprintf("%s, %s: %s.", use, setting, finds)
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

// command is a line for the shell that drops what the answer is about. It compares cosines where it
// is not known that little else is near.
func (a *Answer) command() string {
	if a.Options.Dedup == "" {
		return ""
	}
	t, words := a.taken(), a.Options.Dedup
	if a.Hash.Family.Name != fphash.DefaultHash {
		words += " --hash " + a.Hash.Family.Name
	}
	if a.Hash.Encoding != fphash.LE64 {
		words += " --encoding " + a.Hash.Encoding.String()
	}
	if t.Bits != 64 {
		words += fmt.Sprintf(" --bits %d", t.Bits)
	}
	if t.Widen != "" {
		words += " --widen " + t.Widen
	}
	words += fmt.Sprintf(" --k %d", t.K)
	c := a.Calibration
	switch {
	case c.Suggestion != nil && c.Suggestion.Met:
		return words + " --by first"
	}
	return fmt.Sprintf("%s --similarity %v", a.Options.Dedup, a.Options.Cosine)
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
		return ""
	case !c.Suggestion.Sure:
		return fmt.Sprintf("Target reached (%s), but so narrowly that more vectors might say otherwise.", wanted)
	}
	return fmt.Sprintf("Target reached (%s).", wanted)
}

// cost says why this hash, and what it costs.
func (a *Answer) cost() string {
	r, m := a.Hashes, a.Ranking()
	where := "on these vectors"
	if r.Data == "" {
		where = "on indices like these"
	}
	if m.Best == nil {
		return fmt.Sprintf("None of the %d hashes is good %s.", len(r.Choices), where)
	}
	costs := ""
	if t, ok := m.Times.Get(m.Best); ok {
		costs = fmt.Sprintf("%s costs %s ns per feature of a sketch. ", m.Best.Hash, nanoseconds(t))
	}
	if m.Why == advice.CannotTell {
		return costs + fmt.Sprintf("The hashes cannot be told apart %s: the default is undecided (%s), and none of the other %d is surely better.%s",
			where, m.Best.Worst().Why(), len(r.Choices)-1, a.wouldTell())
	}
	words := costs + m.Reason(r.Default)
	var others []string
	for _, c := range m.Good {
		if t, ok := m.Times.Get(c); ok && c != m.Best {
			others = append(others, fmt.Sprintf("%s %s", c.Hash, nanoseconds(t)))
		}
	}
	if most := 3; len(others) > most {
		others = append(others[:most], fmt.Sprintf("and %d dearer", len(others)-most))
	}
	if len(others) > 0 {
		words += fmt.Sprintf(" Also good: %s.", strings.Join(others, ", "))
	}
	if e := m.Best.Elsewhere; e != nil {
		words += fmt.Sprintf(" Mind that it is weak on %s: %s.", e.Vectors(m.Best.Encoding), e.Why())
	}
	return words
}

// wouldTell says how many more pairs of vectors would decide about the default; "" where that is
// not known.
func (a *Answer) wouldTell() string {
	worst := a.Hashes.Default.Worst()
	more := 0.0
	for _, f := range []*resultfile.Figure{worst.All, worst.Cos90} {
		if f == nil || !advice.Bounded(*f) {
			return ""
		}
		// an interval is as wide as the root of the number of pairs is small
		if least := terms.GoodPart * float64(worst.Bits); f.Lo < least {
			side := f.Median - f.Lo
			if f.Median < least {
				side = f.Hi - f.Median
			}
			more = max(more, math.Pow(side/(f.Median-least), 2))
		}
	}
	if more <= 1 { // it is undecided for another reason
		return ""
	}
	if more > 1000 {
		return " No number of pairs would: it is at the border."
	}
	return fmt.Sprintf(" About %.0f times as many pairs of vectors would tell.", math.Ceil(more))
}

// reason says why a choice is not to be used.
func reason(c *advice.Choice) string {
	if c.Verdict() == terms.Good {
		words := "only good here"
		if f, _ := c.Elsewhere.Worse(); f != nil {
			words += fmt.Sprintf(": %s of %d bits on %s", terms.Bits(f.Median), c.Bits, terms.Keys("", c.Elsewhere.Row.Name.Get("pattern")))
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
	sample := fmt.Sprintf("%d %s", c.Used, english.Plural(c.Used, "vector", "vectors"))
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
		bench, calibrate = "fphash bench DATA", ", fphash calibrate DATA --details (every k, distances by cosine)"
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
