package bench

import (
	"context"
	"fmt"
	"time"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/measure"
	"simhashkit/bench/terms"
)

// The defaults: the default grid then takes about a minute.
const (
	DefaultSamples    = 8
	DefaultSampleTime = 40 * time.Millisecond
)

// RunOptions says how much is measured and who looks on.
type RunOptions struct {
	Samples    int           // of each case; 0: DefaultSamples
	SampleTime time.Duration // 0: DefaultSampleTime
	Progress   func(Progress)

	now func() time.Duration // a test's clock
}

// Progress says how far a run has come.
type Progress struct {
	Step    string // "preparing", "calibrating", or "round 3/8"
	Case    int    // from 1 to Cases
	Cases   int
	Name    string
	Elapsed time.Duration
	// Remaining is a forecast; it is 0 as long as nothing is known.
	Remaining time.Duration
}

// runCases checks and times the cases, interleaved, and returns a row for each, in order.
func runCases(ctx context.Context, cases []Case, in *Inputs, o RunOptions) ([]resultfile.Row, error) {
	start := time.Now()
	rows := make([]resultfile.Row, len(cases))
	var trials []*trial
	var subjects []measure.Subject
	var places []int // of the subjects among the rows
	for i, c := range cases {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		row := &rows[i]
		*row = resultfile.Row{Name: c.Name.String(), Unit: c.Unit}
		o.Progress(Progress{Step: "preparing", Case: i + 1, Cases: len(cases), Name: row.Name, Elapsed: time.Since(start)})
		t, err := c.ready(in)
		if err != nil {
			row.Err = err.Error()
			continue
		}
		trials, places = append(trials, t), append(places, i)
		subjects = append(subjects, measure.Subject{Loop: t.loop, Enter: c.enter, Parallel: t.parallel})
	}
	prepared := time.Since(start)
	samples, err := measure.Run(ctx, subjects, measure.Options{Samples: o.Samples, SampleTime: o.SampleTime, Now: o.now, Progress: func(p measure.Progress) {
		step := "calibrating"
		if p.Round > 0 {
			step = fmt.Sprintf("round %d/%d", p.Round, p.Rounds)
		}
		o.Progress(Progress{step, p.Subject + 1, len(subjects), rows[places[p.Subject]].Name, prepared + p.Elapsed, p.Remaining})
	}})
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		row := &rows[place]
		for _, s := range samples[i] {
			row.Samples = append(row.Samples, resultfile.Sample{Iterations: s.Iterations, Value: figure(row.Unit, trials[i].per, s.Iterations, s.Elapsed)})
		}
	}
	return rows, nil
}

// figure turns a time into the unit's figure, per being the keys, features or bytes of one
// operation.
func figure(unit string, per, operations int, elapsed time.Duration) float64 {
	handled := float64(per) * float64(operations)
	nanoseconds := float64(max(elapsed, 1)) // a clock may be too coarse to see a short sample
	if unit == terms.MegabytesPerSecond {
		return handled / nanoseconds * 1e3
	}
	return nanoseconds / handled
}
