package ab

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/texttable"
)

// WriteNoise writes the noise of a control run in one of compare.Formats, with gaps and notes but
// for CSV, which has no place for them.
func WriteNoise(w io.Writer, r *Result, format string) error {
	var out strings.Builder
	noise := r.Noise()
	switch format {
	case "text":
		if len(noise) > 0 {
			fmt.Fprintf(&out, "%s\n\n", texttable.Render(noiseTable(noise)))
		}
		out.WriteString(r.Report.Remarks())
		for _, line := range texttable.Wrap(floor(noise), 80) {
			fmt.Fprintf(&out, "%s\n", line)
		}
	case "markdown":
		fmt.Fprintf(&out, "### Noise of this machine\n\n%s\n", floor(noise))
		if len(noise) > 0 {
			fmt.Fprintf(&out, "\n%s\n", noiseTable(noise).RenderMarkdown())
		}
		for _, line := range slices.Concat(r.Report.GapLines(), r.Report.Notes) {
			fmt.Fprintf(&out, "\n- %s", line)
		}
		out.WriteString("\n")
	case "csv":
		if err := noiseCSV(&out, noise); err != nil {
			return fmt.Errorf("ab: %w", err)
		}
	case "jsonl":
		if err := noiseJSON(&out, noise, r.Report); err != nil {
			return fmt.Errorf("ab: %w", err)
		}
	default:
		return compare.CheckFormat(format)
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
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
	half, most := all[(len(all)-1)/2], all[len(all)-1]
	change := func(v float64) string { return fmt.Sprintf("a change of %.1f%% or more", 100*v) }
	const here, usually = "On this machine, within this budget, ab would notice ", "four times out of five"
	with := fmt.Sprintf("of the %d comparisons with noise", len(all))
	switch {
	case math.IsInf(half, 0):
		return here + "no change, however large; a larger --budget gives it more rounds."
	case len(all) == 1:
		return fmt.Sprintf("%s%s, %s.", here, change(most), usually)
	case math.IsInf(most, 0):
		return fmt.Sprintf("%s%s in half %s, %s, but none, however large, in others.", here, change(half), with, usually)
	case change(half) == change(most):
		return fmt.Sprintf("%s%s in all %s, %s.", here, change(most), with, usually)
	}
	return fmt.Sprintf("%s%s in half %s, and %s in all of them, %s.", here, change(half), with, change(most), usually)
}

func noiseCSV(w io.Writer, noise []Noise) error {
	c := csv.NewWriter(w)
	lines := [][]string{{"benchmark", "unit", "rounds", "between_runs", "within_rounds", "drift", "apart", "detectable"}}
	for _, n := range noise {
		line := []string{texttable.CSVText(n.Benchmark), texttable.CSVText(n.Unit), strconv.Itoa(n.Rounds)}
		for _, v := range []float64{n.Processes, n.Pairs, n.Drift, n.Change, n.Detectable} {
			cell := ""
			if !math.IsInf(v, 0) {
				cell = strconv.FormatFloat(v, 'g', 8, 64)
			}
			line = append(line, cell)
		}
		lines = append(lines, line)
	}
	return c.WriteAll(lines)
}

func noiseJSON(w io.Writer, noise []Noise, r *compare.Report) error {
	type line struct {
		Type string `json:"type"` // noise
		Noise
		Detectable *float64 `json:"detectable,omitempty"`
	}
	type message struct {
		Type    string `json:"type"` // gap or note
		Message string `json:"message"`
	}
	var lines []any
	for _, n := range noise {
		l := line{Type: "noise", Noise: n}
		if !math.IsInf(n.Detectable, 0) {
			l.Detectable = &n.Detectable
		}
		lines = append(lines, l)
	}
	for _, g := range r.Gaps {
		lines = append(lines, message{"gap", g.String()})
	}
	for _, n := range r.Notes {
		lines = append(lines, message{"note", n})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, l := range lines {
		if err := e.Encode(l); err != nil {
			return err
		}
	}
	return nil
}
