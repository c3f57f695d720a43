package bench

import (
	"context"
	"fmt"
	"runtime/debug"
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

// runCases times the cases, interleaved, and returns a row for each, in order; behind them those of
// what was counted rather than timed.
//
// Collections to search are too large to be in memory all at once, so such cases are measured in
// stages: interleaved with those of the same stage, after which its inputs are dropped.
func runCases(ctx context.Context, cases []Case, in *Inputs, o RunOptions) ([]resultfile.Row, error) {
	r := run{RunOptions: o, cases: cases, rows: make([]resultfile.Row, len(cases)), start: time.Now()}
	stages := stagesOf(cases)
	for i, stage := range stages {
		r.last = i == len(stages)-1
		of := in
		if cases[stage[0]].stage != "" {
			of = NewInputs(in.Data)
		}
		if err := r.measure(ctx, stage, of); err != nil {
			return nil, err
		}
		if of != in {
			debug.FreeOSMemory() // for the next stage, which may need all there is
		}
		r.measured += len(stage)
	}
	return append(r.rows, r.counted...), nil
}

// stagesOf returns the places of the cases of each stage, in order of appearance.
func stagesOf(cases []Case) (stages [][]int) {
	number := map[string]int{}
	for i, c := range cases {
		at, there := number[c.stage]
		if !there {
			at = len(stages)
			number[c.stage] = at
			stages = append(stages, nil)
		}
		stages[at] = append(stages[at], i)
	}
	return stages
}

// run is what the stages of a run share.
type run struct {
	RunOptions
	cases    []Case
	rows     []resultfile.Row // of the cases
	counted  []resultfile.Row
	start    time.Time
	measured int  // cases of earlier stages
	last     bool // this is the last stage
}

// measure checks and times the cases of a stage.
func (r *run) measure(ctx context.Context, stage []int, in *Inputs) error {
	var trials []*trial
	var subjects []measure.Subject
	var places []int // of the subjects among the rows
	for n, i := range stage {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		c, row := r.cases[i], &r.rows[i]
		*row = resultfile.Row{Name: c.Name.String(), Unit: c.Unit}
		r.Progress(Progress{Step: "preparing", Case: r.measured + n + 1, Cases: len(r.cases), Name: row.Name, Elapsed: time.Since(r.start)})
		t, err := c.ready(in)
		if err != nil {
			row.Err = err.Error()
			continue
		}
		for u, value := range t.counted {
			r.counted = append(r.counted, resultfile.Row{Name: row.Name, Unit: c.Counted[u], Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
		}
		trials, places = append(trials, t), append(places, i)
		subjects = append(subjects, measure.Subject{Loop: t.loop, Enter: t.enter(c), Parallel: t.parallel})
	}
	prepared := time.Since(r.start)
	samples, err := measure.Run(ctx, subjects, measure.Options{Samples: r.Samples, SampleTime: r.SampleTime, Now: r.now, Progress: func(p measure.Progress) {
		step := "calibrating"
		if p.Round > 0 {
			step = fmt.Sprintf("round %d/%d", p.Round, p.Rounds)
		}
		if !r.last {
			p.Remaining = 0 // what is left of a stage says little of the others
		}
		r.Progress(Progress{step, r.measured + p.Subject + 1, r.measured + len(subjects), r.rows[places[p.Subject]].Name, prepared + p.Elapsed, p.Remaining})
	}})
	if err != nil {
		return err
	}
	for i, place := range places {
		row := &r.rows[place]
		for _, s := range samples[i] {
			row.Samples = append(row.Samples, resultfile.Sample{Iterations: s.Iterations, Value: figure(row.Unit, trials[i].per, s.Iterations, s.Elapsed)})
		}
	}
	return nil
}

// enter is what comes before every sample of the trial.
func (t *trial) enter(c Case) func() (leave func(), err error) {
	return func() (func(), error) {
		if t.before != nil {
			t.before()
		}
		return c.enter()
	}
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
