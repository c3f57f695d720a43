package resultfile

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// confidence of the intervals. With fewer than 6 samples no interval has it.
const confidence = 0.95

// Figure is the median of the samples of a benchmark in one unit.
type Figure struct {
	Median  float64
	Lo, Hi  float64 // the 95% interval of the median, infinite with fewer than 6 samples
	Samples int
}

// NewFigure returns the figure of one or more values, as benchstat computes it.
func NewFigure(values []float64) Figure {
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), confidence)
	return Figure{s.Center, s.Lo, s.Hi, len(values)}
}

// NewExactFigure returns the figure of one or more values that have no noise: the commonest value,
// and the range of all in place of an interval.
func NewExactFigure(values []float64) Figure {
	s := benchmath.AssumeExact.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), confidence)
	return Figure{s.Center, s.Lo, s.Hi, len(values)}
}

// Figure returns the figure of the row, which must have samples.
func (r Row) Figure() Figure {
	values := make([]float64, len(r.Samples))
	for i, s := range r.Samples {
		values[i] = s.Value
	}
	return NewFigure(values)
}

// PlusMinus is the larger half of the interval in percent of the median, as in "3%", or "∞" if
// there are too few samples.
func (f Figure) PlusMinus() string {
	if f.Lo == f.Hi {
		return "0%"
	}
	share := max(f.Hi-f.Median, f.Median-f.Lo) / math.Abs(f.Median)
	if f.Median == 0 { // among other values
		share = (f.Hi - f.Lo) / math.Abs(f.Lo)
	}
	if math.IsNaN(share) || math.Abs(share) > math.MaxFloat64/100 {
		return "∞"
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}
