// Package measure times loops for comparisons. It calibrates the loops, interleaves their samples
// on one thread, and returns all samples.
//
// Machines are noisy, and may be slow for some time. So the subjects take turns (A B C A B C), and
// a slow period affects all of them. Callers compute statistics from the samples.
package measure

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// Subject is a loop to time.
type Subject struct {
	Loop     func(n int)                      // performs n operations, in time proportional to n
	Enter    func() (leave func(), err error) // if set, called before Loop; not timed
	Parallel bool                             // Loop starts goroutines, so it may run on any thread
}

// Sample is one timed run of a loop.
type Sample struct {
	Iterations int
	Elapsed    time.Duration
}

// Options sets the number and length of samples.
type Options struct {
	Samples    int                  // samples per subject, at least 1
	SampleTime time.Duration        // length of a sample, which has at least one operation
	Now        func() time.Duration // a monotonic clock; nil: the real one
	Progress   func(Progress)       // if set, called before each step
}

// Progress describes how far a run has come.
type Progress struct {
	Round     int // 0 during calibration, then 1 to Rounds
	Rounds    int
	Subject   int           // index of the current subject
	Remaining time.Duration // estimate; 0 if unknown
}

// Run calibrates all subjects and then takes samples in rounds, one per subject and round. Element
// i of the result has the samples of subject i. Run stays on one OS thread, except for Parallel
// subjects. It fails if ctx is cancelled, if an Enter fails, or if an option is invalid.
func Run(ctx context.Context, subjects []Subject, o Options) ([][]Sample, error) {
	if o.Samples < 1 || o.SampleTime <= 0 {
		return nil, fmt.Errorf("measure: %d samples of %v: expected positive numbers", o.Samples, o.SampleTime)
	}
	r := runner{Options: o, subjects: subjects, iterations: make([]int, len(subjects)), expected: make([]time.Duration, len(subjects))}
	if r.Now == nil {
		start := time.Now()
		r.Now = func() time.Duration { return time.Since(start) }
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runtime.GC() // or the first subject would collect the garbage of the preparation

	for i := range subjects {
		r.report(0, i, 0)
		if err := r.turn(ctx, i, r.calibrate); err != nil {
			return nil, err
		}
	}
	samples := make([][]Sample, len(subjects))
	var remaining time.Duration
	for i := range samples {
		samples[i] = make([]Sample, 0, r.Samples)
		remaining += r.expected[i] * time.Duration(r.Samples)
	}
	for round := 1; round <= r.Samples; round++ {
		for i := range subjects {
			r.report(round, i, remaining)
			err := r.turn(ctx, i, func(i int) { samples[i] = append(samples[i], r.sample(i)) })
			if err != nil {
				return nil, err
			}
			remaining -= r.expected[i]
		}
	}
	return samples, nil
}

type runner struct {
	Options
	subjects   []Subject
	iterations []int           // operations per sample
	expected   []time.Duration // time of a sample, including its warm-up
}

// turn runs step for subject i between Enter and leave.
func (r *runner) turn(ctx context.Context, i int, step func(int)) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if enter := r.subjects[i].Enter; enter != nil {
		leave, err := enter()
		if err != nil {
			return err
		}
		defer leave()
	}
	if r.subjects[i].Parallel {
		runtime.UnlockOSThread()
		defer runtime.LockOSThread()
	}
	step(i)
	return nil
}

func (r *runner) time(i, n int) time.Duration {
	start := r.Now()
	r.subjects[i].Loop(n)
	return r.Now() - start
}

// calibrate finds the number of operations per sample in steps, because the first run is slow.
func (r *runner) calibrate(i int) {
	const most = 1 << 30
	n := 1
	for {
		elapsed := r.time(i, n)
		if elapsed >= r.SampleTime/4 || n >= most {
			perOperation := float64(max(elapsed, 1)) / float64(n)
			n = int(min(max(float64(r.SampleTime)/perOperation, 1), most))
			r.iterations[i] = n
			r.expected[i] = time.Duration(perOperation * float64(n+r.warmUp(i)))
			return
		}
		// Aim at half a sample, but grow by a factor of at most 100 at a time.
		goal := float64(n) * float64(r.SampleTime) / 2 / float64(max(elapsed, 1))
		n = int(min(max(goal, float64(2*n)), 100*float64(n), most))
	}
}

// warmUp returns the number of untimed operations before a sample. They refill the caches, which
// the other subjects used.
func (r *runner) warmUp(i int) int { return r.iterations[i] / 16 }

func (r *runner) sample(i int) Sample {
	if w := r.warmUp(i); w > 0 {
		r.subjects[i].Loop(w)
	}
	n := r.iterations[i]
	return Sample{n, r.time(i, n)}
}

func (r *runner) report(round, subject int, remaining time.Duration) {
	if r.Progress != nil {
		r.Progress(Progress{round, r.Samples, subject, max(remaining, 0)})
	}
}
