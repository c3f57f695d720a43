package calibrate

import (
	"fmt"
	"io"
	"math"
	"strings"

	"simhashkit/fphash"
	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

// Report is a calibration and what it is of, to be written.
type Report struct {
	*Calibration
	Hash    Hash
	Data    string // a line that describes the vectors
	Weights string // their type, or "unit"
	Details bool   // the text has every k, and distances by cosine
}

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "json"} }

// Write writes the report: as text for a terminal, the answer first, or as a JSON object with all
// figures.
func (c Report) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		_, err := io.WriteString(w, c.text())
		return err
	case "json":
		return c.writeJSON(w)
	}
	return fmt.Errorf("calibrate: unknown format %q; expected %s", format, strings.Join(Formats(), ", "))
}

const lineWidth = 80 // of sentences

func (c Report) text() string {
	var out strings.Builder
	say := func(words string) { fmt.Fprintln(&out, strings.Join(texttable.Wrap(words, lineWidth), "\n")) }
	show := func(title, table string) { fmt.Fprintf(&out, "\n%s\n\n%s\n", title, table) }
	say(c.answer())
	fmt.Fprintf(&out, "\n%s\nhash %s, %d bits, weights %s\n", c.Data, c.definition(), c.Bits, c.Weights)
	if c.Pairs > 0 {
		fmt.Fprintf(&out, "%d vectors, %d pairs, of which %d are copies and %d others have a %s of %v and above\n", c.Used, c.Pairs, c.Copies, c.Near, c.Similarity, c.Cosine)
	}
	if c.Skipped > 0 {
		fmt.Fprintf(&out, "%d %s left out: %s\n", c.Skipped, english.Plural(c.Skipped, "vector was", "vectors were"), c.whySkipped())
	}
	if len(c.Widths) == 0 {
		return out.String()
	}
	show(fmt.Sprintf("The smallest k of a recall of %v, by width", c.Recall), c.widthTable())
	own, _ := c.OfWidth(c.Bits)
	thresholds := c.Attainable(own)
	if c.Details {
		thresholds = own.Thresholds[:min(shownThresholds*c.step(), len(own.Thresholds))]
	}
	if len(thresholds) > 0 {
		show(fmt.Sprintf("Near-duplicates, %s ≥ %v, by the threshold k: 95%% intervals, and the model", c.Similarity, c.Cosine), c.thresholdTable(thresholds))
	}
	if c.Details {
		show(fmt.Sprintf("Distance by %s, in bits: mean ± standard deviation, and the distribution from 0 to %d", c.Similarity, c.Bits), c.bandTable())
		show(fmt.Sprintf("Probability of a distance of at most k, by %s: measured · model", c.Similarity), c.probabilityTable())
	}
	return out.String()
}

// whySkipped says what keeps vectors out. A weight that is 0 may be one that is too small for its
// type.
func (c Report) whySkipped() string {
	if c.Weights == "unit" {
		return "empty"
	}
	return "empty, or all weights 0 as " + c.Weights
}

func (c Report) definition() string {
	name := c.Hash.Family.Name + " " + c.Hash.Encoding.String()
	if c.Hash.Sketch == fphash.MinHash {
		name = "minhash by " + name
	} else if c.Bits > c.Hash.Family.Bits {
		name += " widened by " + c.Hash.Widen.String()
	}
	return name
}

// answer says what to take, then what is missed.
func (c Report) answer() string {
	if c.Suggestion == nil {
		return "No suggestion: " + c.Note + "."
	}
	s := c.Suggestion
	w, _ := c.OfWidth(s.Bits)
	at := w.Thresholds[s.K]
	words := fmt.Sprintf("k = %d at %d bits: it finds %s%% of the near-duplicates (%s ≥ %v), and of 100 pairs found %s %s near-duplicates", s.K, s.Bits,
		english.Hundred(at.Recall.Value), c.Similarity, c.Cosine, english.Hundred(at.Precision.Value), english.Plural(int(math.Round(100*at.Precision.Value)), "is", "are"))
	if s.Met {
		words = "Take " + words + "."
	} else {
		words = fmt.Sprintf("No threshold does it on these vectors: %s. Nearest comes %s: check each by its %s.", c.Note, words, c.Similarity)
	}
	if s.Widen != "" {
		words += fmt.Sprintf(" Widen the hash: --bits %d --widen %s.", s.Bits, s.Widen)
	}
	if own, _ := c.OfWidth(c.Bits); s.Met && s.Bits != c.Bits && own.Fits {
		words += fmt.Sprintf(" %d bits with k = %d do as well.", own.Bits, own.Least)
	}
	if s.Met && !s.Sure {
		words += fmt.Sprintf(" The intervals of these figures reach below what is wanted (%s%% and %s of 100); more vectors would tell.", english.Hundred(c.Recall), english.Hundred(c.Precision))
	}
	return words
}
