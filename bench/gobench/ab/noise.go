package ab

import (
	"math"
	"slices"
)

// Noise is how far runs of one program differ in a unit of a benchmark, measured with
// Options.Control. All figures but Rounds are relative: 0.01 is 1%.
type Noise struct {
	Benchmark string  `json:"benchmark"`
	Unit      string  `json:"unit"` // tidied
	Rounds    int     `json:"rounds"`
	Processes float64 `json:"between_runs"` // standard deviation of the runs' figures
	// standard deviation of the difference of the two runs of a round, which is what a verdict is
	// made of
	Pairs float64 `json:"within_rounds"`
	// by how much the last third of the runs is more than the first
	Drift  float64 `json:"drift"`
	Change float64 `json:"apart"` // by which the two sides seem to differ
	// the change that would be found with a probability of 80%; +Inf: none
	Detectable float64 `json:"-"`
	Threshold  float64 `json:"threshold"` // from which on it would count
}

// noticeable is the least change that would probably be called one.
func (n Noise) noticeable() float64 { return max(n.Detectable, n.Threshold) }

// Noise returns the noise of all comparisons whose figures differ and are positive. Standard
// deviations are estimated from the middle half, so that single outliers do not count.
func (r *Result) Noise() []Noise {
	var list []Noise
	for _, c := range r.Comparisons {
		if c.Share == 0 || !positive(c.Old) || !positive(c.New) || slices.Equal(c.Old, c.New) && slices.Min(c.Old) == slices.Max(c.Old) {
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

func positive(v []float64) bool { return slices.Min(v) > 0 }

func median(v []float64) float64 { return quantile(slices.Sorted(slices.Values(v)), 0.5) }

// deviation is the standard deviation of a normal distribution with the interquartile range of v.
func deviation(v []float64) float64 {
	sorted := slices.Sorted(slices.Values(v))
	return (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.349
}
