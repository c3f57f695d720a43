package calibrate

import (
	"fmt"
	"math"
	"strings"
	"time"

	"simhashkit/fphash"
	"simhashkit/internal/english"
)

// modelTolerance is how far a probability of the model may be from the measured one before that is
// said.
const modelTolerance = 0.1

// switchWords says what the other hash changes.
func (c Report) switchWords() string {
	var out strings.Builder
	s := c.Switch
	for _, pairs := range []struct {
		of string
		Shift
	}{{"near-duplicates", s.Near}, {"other pairs", s.Others}} {
		if pairs.Pairs > 0 {
			fmt.Fprintf(&out, "Distances of %s shift by %+.2f bits on average (%.2f without the sign), by %d at most.\n", pairs.of, pairs.Mean, pairs.Absolute, pairs.Most)
		}
	}
	if own, _ := c.OfWidth(c.Bits); own.Least >= 0 && s.Least >= 0 {
		fmt.Fprintf(&out, "The smallest k of a recall of %v goes from %d to %d, and its precision from %.3f to %.3f.\n", c.Recall, own.Least, s.Least,
			own.Thresholds[own.Least].Precision.Value, s.Thresholds[s.Least].Precision.Value)
	}
	fmt.Fprintf(&out, "The two fingerprints of one vector differ in %.1f of %d bits: they cannot be compared, so all must be made anew.\n", s.SameVector, c.Bits)
	fmt.Fprintf(&out, "A million such vectors take %v on %d %s, %v with the first hash.\nReading and storing are not included; it was measured on %d %s.\n",
		rounded(s.To.Million()), s.To.Workers, english.Plural(s.To.Workers, "core", "cores"), rounded(s.From.Million()), s.To.Vectors,
		english.Plural(s.To.Vectors, "vector", "vectors"))
	return out.String()
}

// rounded keeps about three digits.
func rounded(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}

// suggestion is the outcome in words: what to take first, then what is missed.
func (c Report) suggestion() string {
	if c.Suggestion == nil {
		return "No suggestion: " + c.Note + "." + c.modelWords()
	}
	s := c.Suggestion
	w, _ := c.OfWidth(s.Bits)
	at := w.Thresholds[s.K]
	words := fmt.Sprintf("k = %d at %d bits: it finds %s%% of the near-duplicates (cosine ≥ %v), and of 100 pairs found %s %s near-duplicates", s.K, s.Bits,
		english.Hundred(at.Recall.Value), c.Cosine, english.Hundred(at.Precision.Value), english.Plural(int(math.Round(100*at.Precision.Value)), "is", "are"))
	if s.Met {
		words = "Take " + words + "."
	} else {
		words = fmt.Sprintf("No threshold does it on these vectors: %s. Nearest comes %s: check each by its cosine.", c.Note, words)
	}
	if s.Widen != fphash.WidenNone.String() {
		words += fmt.Sprintf(" Widen the hash: --bits %d --widen %s.", s.Bits, s.Widen)
	}
	switch own, _ := c.OfWidth(c.Bits); {
	case !s.Met:
	case !s.Sure:
		words += fmt.Sprintf("\nThe intervals of these figures reach below what is wanted (%s%% and %s of 100); more vectors would tell.", english.Hundred(c.Recall), english.Hundred(c.Precision))
		fallthrough
	default:
		if s.Bits != c.Bits && own.Fits {
			words += fmt.Sprintf(" %d bits with k = %d do as well.", own.Bits, own.Least)
		}
	}
	return words + c.modelWords()
}

// modelWords warns of the model where it is far from what was measured.
func (c Report) modelWords() string {
	band, k, ok := c.Off()
	if !ok || math.Abs(band.Within[k]-band.ModelWithin[k]) < modelTolerance {
		return ""
	}
	return fmt.Sprintf("\nThe model is off on these vectors: cosine %s, k = %d, measured %.2f, model %.2f. Go by what was measured.", bandName(band), k, band.Within[k],
		band.ModelWithin[k])
}
