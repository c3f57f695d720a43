package ab

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/texttable"
)

// NoiseFormats lists the formats of WriteNoise.
func NoiseFormats() []string { return []string{"text", "jsonl"} }

// WriteNoise writes the noise of a control run, with gaps and notes: as text with a table, or as
// JSON lines.
func WriteNoise(w io.Writer, r *Result, format string) (err error) {
	noise, text := r.Noise(), ""
	if format == "jsonl" {
		text, err = compare.JSONLines(append(noiseLines(noise), r.Report.JSONRemarks()...))
	} else {
		if len(noise) > 0 {
			text = texttable.Render(noiseTable(noise)) + "\n\n"
		}
		text += r.Report.Remarks() + strings.Join(texttable.Wrap(floor(noise), 80), "\n") + "\n"
	}
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err != nil {
		return fmt.Errorf("ab: %w", err)
	}
	return nil
}

func noiseTable(noise []Noise) texttable.Table {
	t := texttable.Aligned([]int{0, 1}, "benchmark", "unit", "rounds", "between runs", "within rounds", "drift", "apart", "noticed from")
	for _, n := range noise {
		seen := "nothing"
		if !math.IsInf(n.Detectable, 0) {
			seen = fmt.Sprintf("%.2f%%", 100*n.noticeable())
		}
		t.AppendRow(texttable.Row{n.Benchmark, n.Unit, n.Rounds, fmt.Sprintf("%.2f%%", 100*n.Processes), fmt.Sprintf("%.2f%%", 100*n.Pairs),
			fmt.Sprintf("%+.2f%%", 100*n.Drift), fmt.Sprintf("%+.2f%%", 100*n.Change), seen})
	}
	return t
}

// floor sums up what would be noticed on this machine.
func floor(noise []Noise) string {
	if len(noise) == 0 {
		return "No noise: no figures have differed between runs."
	}
	var all []float64
	for _, n := range noise {
		all = append(all, n.noticeable())
	}
	slices.Sort(all)
	half, largest := all[(len(all)-1)/2], all[len(all)-1]
	change := func(v float64) string {
		if math.IsInf(v, 0) {
			return "no change, however large"
		}
		return fmt.Sprintf("a change of %.1f%% or more", 100*v)
	}
	text := "On this machine, within this budget, ab would notice " + change(half)
	if len(all) > 1 {
		text += fmt.Sprintf(" in half of the %d comparisons with noise, and in the noisiest %s", len(all), change(largest))
	}
	if math.IsInf(largest, 0) {
		return text + "; a larger --budget gives more rounds."
	}
	return text + ", four times out of five."
}

// noiseLines returns a value for each line of JSON.
func noiseLines(noise []Noise) (lines []any) {
	type line struct {
		Type string `json:"type"` // noise
		Noise
		Detectable *float64 `json:"detectable,omitempty"`
	}
	for _, n := range noise {
		l := line{Type: "noise", Noise: n}
		if !math.IsInf(n.Detectable, 0) {
			l.Detectable = &n.Detectable
		}
		lines = append(lines, l)
	}
	return lines
}
