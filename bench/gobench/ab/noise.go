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

// Noise is how far runs of one program differ, with Options.Control. Figures are relative: 0.01 is
// 1%.
type Noise struct {
	Benchmark  string  `json:"benchmark"`
	Unit       string  `json:"unit"` // tidied
	Rounds     int     `json:"rounds"`
	Processes  float64 `json:"between_runs"`  // standard deviation of the runs' figures
	Pairs      float64 `json:"within_rounds"` // deviation within rounds, of what verdicts rest on
	Drift      float64 `json:"drift"`         // from the first to the last third of the runs
	Change     float64 `json:"apart"`         // by which the two sides seem to differ
	Detectable float64 `json:"-"`             // with a probability of 80%; +Inf: none
	Threshold  float64 `json:"threshold"`     // from which on it would count
}

// noticeable is the least change that would probably be called one.
func (n Noise) noticeable() float64 { return max(n.Detectable, n.Threshold) }

// Noise returns the noise of comparisons whose figures differ and are positive, without outliers.
func (r *Result) Noise() []Noise {
	var list []Noise
	for _, c := range r.Comparisons {
		least := min(slices.Min(c.Old), slices.Min(c.New))
		if c.Share == 0 || least <= 0 || least == max(slices.Max(c.Old), slices.Max(c.New)) {
			continue
		}
		n := len(c.Old)
		all, differences := make([]float64, 0, 2*n), make([]float64, n)
		for i := range n {
			old, new := math.Log(c.Old[i]), math.Log(c.New[i])
			all, differences[i] = append(all, old, new), new-old
		}
		third := 2 * (n / 3)
		noise := Noise{Benchmark: c.Benchmark, Unit: c.Unit, Rounds: n, Processes: deviation(all), Pairs: deviation(differences), Change: c.Finding.Change, Detectable: c.Finding.Detectable, Threshold: c.Threshold}
		if third > 0 {
			noise.Drift = math.Expm1(median(all[2*n-third:]) - median(all[:third]))
		}
		list = append(list, noise)
	}
	return list
}

func median(v []float64) float64 { return quantile(slices.Sorted(slices.Values(v)), 0.5) }

// deviation is the standard deviation of a normal distribution with the interquartile range of v.
func deviation(v []float64) float64 {
	sorted := slices.Sorted(slices.Values(v))
	return (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.349
}

// NoiseFormats lists the formats of WriteNoise.
func NoiseFormats() []string { return []string{"text", "jsonl"} }

// WriteNoise writes the noise of a control run, with gaps and notes, as text or as JSON lines.
func WriteNoise(w io.Writer, r *Result, format string) (err error) {
	noise, text := r.Noise(), ""
	if format == "jsonl" {
		type line struct {
			Type string `json:"type"` // noise
			Noise
			Detectable *float64 `json:"detectable,omitempty"`
		}
		var lines []any
		for _, n := range noise {
			l := line{Type: "noise", Noise: n}
			if !math.IsInf(n.Detectable, 0) {
				l.Detectable = &n.Detectable
			}
			lines = append(lines, l)
		}
		text, err = compare.JSONLines(append(lines, r.Report.JSONRemarks()...))
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
