package calibrate

import (
	"fmt"
	"strings"

	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

const (
	shownThresholds = 17  // 0 to 16 at up to 64 bits
	leastShown      = 0.6 // cosine of the bands for which probabilities are shown
	sparkColumns    = 32
	lineWidth       = 80 // of sentences
)

// text is what was found out as tables, and the suggestion in words.
func (c Report) text() string {
	var out strings.Builder
	fmt.Fprintln(&out, c.Data)
	fmt.Fprintf(&out, "hash %s, %d bits, weights %s\n", c.definedAs(c.Hash), c.Bits, c.Weights)
	if c.Pairs > 0 {
		fmt.Fprintf(&out, "%d vectors, %d pairs, of which %d are copies and %d others have a cosine of %v and above\n", c.Used, c.Pairs, c.Copies, c.Near, c.Cosine)
	}
	if c.Skipped > 0 {
		fmt.Fprintf(&out, "%d %s left out: %s\n", c.Skipped, english.Plural(c.Skipped, "vector was", "vectors were"), c.whySkipped())
	}
	if len(c.Widths) > 0 {
		fmt.Fprintf(&out, "\nDistance by cosine, in bits: mean ± standard deviation, and the distribution from 0 to %d\n\n%s\n", c.Bits, c.bandTable())
		fmt.Fprintf(&out, "\nProbability of a distance of at most k, by cosine: measured · model\n\n%s\n", c.probabilityTable())
		fmt.Fprintf(&out, "\nNear-duplicates, cosine ≥ %v, by the threshold k: 95%% intervals, and the model\n\n%s\n", c.Cosine, c.thresholdTable())
	}
	if c.Unsure != nil {
		fmt.Fprintf(&out, "\n%s\n\n%s\n\n%s\n", wrapped(c.unsureTitle()), c.unsureTable(), wrapped(c.unsureWords()))
	}
	if len(c.Widths) > 0 { // beside the answer
		fmt.Fprintf(&out, "\nThe smallest k of a recall of %v, by width\n\n%s\n", c.Recall, c.widthTable())
	}
	if c.Switch != nil {
		fmt.Fprintf(&out, "\nFrom %s to %s\n\n%s", c.definedAs(c.Hash), c.definedAs(*c.To), wrapped(c.switchWords()))
	}
	fmt.Fprintf(&out, "\n%s\n", wrapped(c.suggestion()))
	return out.String()
}

// wrapped breaks what is longer than a line, and keeps the breaks that are there.
func wrapped(words string) string {
	var lines []string
	for line := range strings.SplitSeq(words, "\n") {
		lines = append(lines, texttable.Wrap(line, lineWidth)...)
	}
	return strings.Join(lines, "\n")
}

// whySkipped says what keeps vectors out. A weight that is 0 may be one that is too small for its
// type.
func (c Report) whySkipped() string {
	if c.Weights == "unit" {
		return "empty"
	}
	return "empty, or all weights 0 as " + c.Weights
}

func (c Report) definedAs(h Hash) string {
	name := h.Family.Name + " " + h.Encoding.String()
	if c.Bits > h.Family.Bits {
		name += " widened by " + h.Widen.String()
	}
	return name
}

func bandName(b Band) string {
	switch {
	case b.Copies:
		return "copies"
	case b.High == 1:
		return fmt.Sprintf("≥ %v", b.Low)
	}
	return fmt.Sprintf("%v – %v", b.Low, b.High)
}

func (c Report) bandTable() string {
	t := texttable.Aligned([]int{0, 4}, "cosine", "pairs", "measured", "model", "distribution")
	for _, b := range c.Bands {
		if b.Copies {
			t.AppendRow(texttable.Row{bandName(b), b.Pairs, "0", "0", ""})
			continue
		}
		t.AppendRow(texttable.Row{bandName(b), b.Pairs, fmt.Sprintf("%.1f ± %.1f", b.Mean, b.Deviation), fmt.Sprintf("%.1f ± %.1f", b.ModelMean, b.ModelDeviation), spark(b.Histogram)})
	}
	return texttable.Render(t)
}

// spark draws a distribution in one line. What is there is seen, however rare.
func spark(histogram []uint64) string {
	width := (len(histogram) + sparkColumns - 1) / sparkColumns
	var sums []uint64
	most := uint64(0)
	for from := 0; from < len(histogram); from += width {
		sum := uint64(0)
		for _, n := range histogram[from:min(from+width, len(histogram))] {
			sum += n
		}
		sums = append(sums, sum)
		most = max(most, sum)
	}
	bars := []rune("▁▂▃▄▅▆▇█")
	var line strings.Builder
	for _, n := range sums {
		if n == 0 {
			line.WriteRune('·')
			continue
		}
		line.WriteRune(bars[min(len(bars)-1, int(float64(n)/float64(most)*float64(len(bars))))])
	}
	return line.String()
}

// step is by how much k grows from line to line.
func (c Report) step() int { return max(1, (c.Bits+63)/64) }

// shownBands are those for which probabilities are shown.
func (c Report) shownBands() []Band {
	var bands []Band
	for _, b := range c.Bands {
		if !b.Copies && (b.Low >= leastShown || b.Low >= c.Cosine) {
			bands = append(bands, b)
		}
	}
	return bands
}

func (c Report) probabilityTable() string {
	header := []string{"k"}
	bands := c.shownBands()
	for _, b := range bands {
		header = append(header, bandName(b))
	}
	t := texttable.Aligned(nil, header...)
	for i := range shownThresholds {
		k := i * c.step()
		if k > c.Bits {
			break
		}
		row := texttable.Row{k}
		for _, b := range bands {
			row = append(row, fmt.Sprintf("%.3f · %.3f", b.Within[k], b.ModelWithin[k]))
		}
		t.AppendRow(row)
	}
	return texttable.Render(t)
}

func share(e Estimate) string {
	if !e.Defined {
		return "–"
	}
	return fmt.Sprintf("%.3f (%.3f – %.3f)", e.Value, e.Low, e.High)
}

// interval is the smallest k of the wanted recall, and what it would be in other samples.
func (w Width) interval() string {
	if w.From == w.To {
		return fmt.Sprint(w.Least)
	}
	return fmt.Sprintf("%d (%d – %d)", w.Least, w.From, w.To)
}

func modelled(value float64, of Estimate) string {
	if !of.Defined {
		return "–"
	}
	return fmt.Sprintf("%.3f", value)
}

func (c Report) thresholdTable() string {
	header := []string{"k", "recall", "model", "precision", "model", "pairs found"}
	if c.Switch != nil {
		header = append(header, "recall with "+c.To.Family.Name, "precision")
	}
	t := texttable.Aligned(nil, header...)
	own, _ := c.OfWidth(c.Bits)
	for i := range shownThresholds {
		k := i * c.step()
		if k > c.Bits {
			break
		}
		at := own.Thresholds[k]
		row := texttable.Row{k, share(at.Recall), modelled(at.ModelRecall, at.Recall), share(at.Precision), modelled(at.ModelPrecision, at.Precision), fmt.Sprintf("%.0f", at.Found)}
		if c.Switch != nil {
			row = append(row, share(c.Switch.Thresholds[k].Recall), share(c.Switch.Thresholds[k].Precision))
		}
		t.AppendRow(row)
	}
	return texttable.Render(t)
}

func (c Report) widthTable() string {
	t := texttable.Aligned([]int{1}, "bits", "widened by", "k", "recall", "precision", "pairs found", "precise enough")
	for _, w := range c.Widths {
		widen := unlessNone(w.Widen)
		if w.Least < 0 {
			t.AppendRow(texttable.Row{w.Bits, widen, "–", "–", "–", "–", "–"})
			continue
		}
		at, fits := w.Thresholds[w.Least], "no"
		if w.Fits {
			fits = "yes"
		}
		t.AppendRow(texttable.Row{w.Bits, widen, w.interval(), share(at.Recall), share(at.Precision), fmt.Sprintf("%.0f", at.Found), fits})
	}
	return texttable.Render(t)
}
