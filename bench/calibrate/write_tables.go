package calibrate

import (
	"fmt"
	"strings"

	"simhashkit/internal/texttable"
)

const (
	shownThresholds = 17  // 0 to 16 at up to 64 bits
	leastShown      = 0.6 // cosine of the bands for which probabilities are shown
	sparkColumns    = 32
)

// step is by how much k grows from line to line.
func (c Report) step() int { return max(1, (c.Bits+63)/64) }

func (c Report) widthTable() string {
	t := texttable.Aligned([]int{1}, "bits", "widened by", "k", "recall", "precision", "pairs found", "precise enough")
	for _, w := range c.Widths {
		if w.Least < 0 {
			t.AppendRow(texttable.Row{w.Bits, w.Widen, "–", "–", "–", "–", "–"})
			continue
		}
		at, fits := w.Thresholds[w.Least], "no"
		if w.Fits {
			fits = "yes"
		}
		t.AppendRow(texttable.Row{w.Bits, w.Widen, w.interval(), share(at.Recall), share(at.Precision), fmt.Sprintf("%.0f", at.Found), fits})
	}
	return texttable.Render(t)
}

// interval is the smallest k of the wanted recall, and what it would be in other samples.
func (w Width) interval() string {
	if w.From == w.To {
		return fmt.Sprint(w.Least)
	}
	return fmt.Sprintf("%d (%d – %d)", w.Least, w.From, w.To)
}

func share(e Estimate) string {
	if !e.Defined {
		return "–"
	}
	return fmt.Sprintf("%.3f (%.3f – %.3f)", e.Value, e.Low, e.High)
}

func modelled(value float64, of Estimate) string {
	if !of.Defined {
		return "–"
	}
	return fmt.Sprintf("%.3f", value)
}

func (c Report) thresholdTable(thresholds []Threshold) string {
	t := texttable.Aligned(nil, "k", "recall", "model", "precision", "model", "pairs found")
	for i, at := range thresholds {
		if c.Details && i%c.step() != 0 {
			continue
		}
		t.AppendRow(texttable.Row{at.K, share(at.Recall), modelled(at.ModelRecall, at.Recall), share(at.Precision), modelled(at.ModelPrecision, at.Precision), fmt.Sprintf("%.0f", at.Found)})
	}
	return texttable.Render(t)
}

func bandName(b Band) string {
	if b.High == 1 {
		return fmt.Sprintf("≥ %v", b.Low)
	}
	return fmt.Sprintf("%v – %v", b.Low, b.High)
}

func (c Report) bandTable() string {
	t := texttable.Aligned([]int{0, 4}, c.Similarity, "pairs", "measured", "model", "distribution")
	if c.Copies > 0 {
		t.AppendRow(texttable.Row{"copies", c.Copies, "0", "0", ""})
	}
	for _, b := range c.Bands {
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

func (c Report) probabilityTable() string {
	header := []string{"k"}
	var bands []Band
	for _, b := range c.Bands {
		if b.Low >= leastShown || b.Low >= c.Cosine {
			header, bands = append(header, bandName(b)), append(bands, b)
		}
	}
	t := texttable.Aligned(nil, header...)
	for k := 0; k <= min(c.Bits, (shownThresholds-1)*c.step()); k += c.step() {
		row := texttable.Row{k}
		for _, b := range bands {
			row = append(row, fmt.Sprintf("%.3f · %.3f", b.Within[k], b.ModelWithin[k]))
		}
		t.AppendRow(row)
	}
	return texttable.Render(t)
}
