package comparisons

import (
	"golang.org/x/perf/benchmath"

	"simhashkit/bench/gobench/resultfile"
)

// Record is a comparison, a line of the file.
type Record struct {
	Index     int    `json:"index"` // from 0
	Benchmark string `json:"benchmark"`
	Extra     int    `json:"extra"`           // percent of extra work of the new side
	Every     int    `json:"every,omitempty"` // that is made in one sample of this many
	Seed      uint64 `json:"seed"`            // of the order of runs

	// What fphash ab says; its exit code 1 is an alarm. A bound that is infinite is absent.
	Exit    int      `json:"exit"`
	Verdict string   `json:"verdict"`
	Change  *float64 `json:"change,omitempty"`
	Lo      *float64 `json:"lo,omitempty"`
	Hi      *float64 `json:"hi,omitempty"`
	Rounds  int      `json:"rounds"`
	Seconds float64  `json:"seconds"`

	// What benchstat says of the naive gate's samples: a change above 0 is worse.
	NaiveP      float64 `json:"naive_p"`
	NaiveChange float64 `json:"naive_change"`
}

// naiveLevel is the p value that people go by.
const naiveLevel = 0.05

// Alarm reports whether fphash ab has raised an alarm.
func (r Record) Alarm() bool { return r.Exit == 1 }

// NaiveAlarm reports whether the naive gate has raised one, if it is content with changes up to the
// threshold.
func (r Record) NaiveAlarm(threshold float64) bool {
	return r.NaiveP < naiveLevel && r.NaiveChange > threshold
}

// Benchstat returns what benchstat shows of two samples: the p value, and by how much the median of
// b is more than that of a.
func Benchstat(a, b []float64) (p, change float64) {
	old, new := benchmath.NewSample(a, &benchmath.DefaultThresholds), benchmath.NewSample(b, &benchmath.DefaultThresholds)
	return benchmath.AssumeNothing.Compare(old, new).P, resultfile.NewFigure(b).Median/resultfile.NewFigure(a).Median - 1
}
