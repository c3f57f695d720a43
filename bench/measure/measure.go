// Package measure times loops so that they can be compared: interleaved, calibrated, on one thread,
// with every sample kept.
//
// The machine that is measured on is shared and noisy, and noise comes in stretches. So the
// subjects take turns (A B C A B C), each sample of one close in time to a sample of every other,
// and a slow stretch falls on all of them. Nothing is averaged here: statistics are computed
// from the samples later.
package measure

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// Subject is a loop to be timed.
type Subject struct {
	Loop     func(n int)                      // performs n operations, at n times the cost of one
	Enter    func() (leave func(), err error) // if set, encloses Loop, untimed
	Parallel bool                             // Loop starts goroutines, so it may run on any thread
}

// Sample is one timed run of a loop.
type Sample struct {
	Iterations int
	Elapsed    time.Duration
}

// Options says how much to measure.
type Options struct {
	Samples    int                  // samples of every subject, at least 1
	SampleTime time.Duration        // for one sample, or one longer operation
	Now        func() time.Duration // a clock that only moves forward; nil: the machine's
	Progress   func(Progress)       // called before every step; nil: nobody looks
}

// Progress says how far a run has come.
type Progress struct {
	Round     int // 0 while the loops are calibrated, then 1 to Rounds
	Rounds    int
	Subject   int // which subject's turn it is, from 0
	Elapsed   time.Duration
	Remaining time.Duration // a forecast; 0 while nothing is known
}

// Run calibrates every subject, then takes the samples in rounds over all of them; those of subject
// i are in result i. It keeps to one OS thread, but for Parallel subjects. It ends without a result
// when the context is done or an Enter fails.
func Run(ctx context.Context, subjects []Subject, o Options) ([][]Sample, error) {
	if o.Samples < 1 || o.SampleTime <= 0 {
		return nil, fmt.Errorf("measure: %d samples of %v: expected positive ones", o.Samples, o.SampleTime)
	}
	r := runner{Options: o, subjects: subjects, iterations: make([]int, len(subjects)), expected: make([]time.Duration, len(subjects))}
	if r.Now == nil {
		start := time.Now()
		r.Now = func() time.Duration { return time.Since(start) }
	}
	r.start = r.Now()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runtime.GC() // what the preparation left behind is not the first subject's to clear away

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
	iterations []int           // of one sample
	expected   []time.Duration // of one sample, its warm-up included
	start      time.Duration
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

// calibrate finds the operations of a sample in steps, since a first run is slow.
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
		// Aim at half a sample, but never trust one run to go up by more than a hundred.
		goal := float64(n) * float64(r.SampleTime) / 2 / float64(max(elapsed, 1))
		n = int(min(max(goal, float64(2*n)), 100*float64(n), most))
	}
}

// warmUp is the number of operations before a sample: the others have had the caches.
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
		r.Progress(Progress{round, r.Samples, subject, r.Now() - r.start, max(remaining, 0)})
	}
}
