package calibrate

import (
	"fmt"

	"simhashkit/internal/english"
)

// suggest chooses the smallest width that gives what is wanted. Where none does, it takes the most
// precise one at the recall that is wanted, and Note says what is missed; where nothing can be
// suggested, Note says why.
func (c *Calibration) suggest(o Options) {
	if c.Note = c.lacks(); c.Note != "" {
		return
	}
	var nearest *Width // by precision, where none fits
	for i := range c.Widths {
		w := &c.Widths[i]
		if w.Least < 0 {
			continue
		}
		if w.Fits {
			t := w.Thresholds[w.Least]
			c.Suggestion = &Choice{Bits: w.Bits, K: int(w.Least), Widen: w.Widen, Met: true, Sure: t.Recall.Low >= o.Recall && t.Precision.Low >= o.Precision}
			return
		}
		if nearest == nil || w.precision() > nearest.precision() {
			nearest = w
		}
	}
	c.Suggestion = &Choice{Bits: nearest.Bits, K: int(nearest.Least), Widen: nearest.Widen}
	c.Note = fmt.Sprintf("no width from %d to %d bits finds %s%% with %s of 100 real", c.Widths[0].Bits, c.Widths[len(c.Widths)-1].Bits, english.Hundred(o.Recall), english.Hundred(o.Precision))
}

// precision is that of the smallest k of the wanted recall, which there must be.
func (w *Width) precision() float64 { return w.Thresholds[w.Least].Precision.Value }

// lacks says why nothing can be suggested, whatever was measured.
func (c *Calibration) lacks() string {
	drawn := fmt.Sprintf("%d vectors", c.Used)
	if c.Used+c.Skipped < c.Given {
		drawn = fmt.Sprintf("a sample of %d of %d vectors", c.Used, c.Given)
	}
	others := c.Pairs - c.Copies - c.Near
	switch {
	case c.Given == 0:
		return "there are no vectors"
	case c.Used < 2 && c.Skipped > 0:
		return fmt.Sprintf("of %d vectors only %d %s neither empty nor all zero: no pairs", c.Given, c.Used, english.Plural(c.Used, "is", "are"))
	case c.Used < 2:
		return "one vector makes no pair"
	case c.Pairs == c.Copies:
		return fmt.Sprintf("the vectors are too similar: among %s all pairs are copies", drawn)
	case c.Near < leastPairs && c.Copies > 0:
		return fmt.Sprintf("among %s there are %s of a %s of %v and above that are no copies (and %d that are); at least %d are needed%s",
			drawn, few(c.Near), c.Similarity, c.Cosine, c.Copies, leastPairs, c.more())
	case c.Near < leastPairs:
		return fmt.Sprintf("among %s there are %s of a %s of %v and above; at least %d are needed%s", drawn, few(c.Near), c.Similarity, c.Cosine, leastPairs, c.more())
	case others < leastPairs:
		return fmt.Sprintf("the vectors are too similar: among %s there are %s of a %s below %v; at least %d are needed to say anything about precision",
			drawn, few(others), c.Similarity, c.Cosine, leastPairs)
	}
	return ""
}

// more says that a larger sample may help, where it may: pairs grow with its square.
func (c *Calibration) more() string {
	if c.Used+c.Skipped >= c.Given {
		return ""
	}
	return "; a larger sample has more"
}

func few(pairs uint64) string {
	switch pairs {
	case 0:
		return "no pairs"
	case 1:
		return "only one pair"
	}
	return fmt.Sprintf("only %d pairs", pairs)
}
