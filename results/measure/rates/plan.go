package main

import (
	"fmt"
	"strings"
	"time"
)

// plan is how a benchmark is run by a process: that many samples of that many iterations.
type plan struct{ iterations, samples int }

// What a run of fphash ab is to be like: package ab says why.
const (
	sampleTime  = time.Millisecond
	runTime     = 60 * time.Millisecond
	mostSamples = 60
	fewSamples  = 5
)

// burstEvery is how many samples have their extra work in one of them, with the kind bursts:
// collections of garbage, or whatever else comes now and then.
const burstEvery = 20

// every is burstEvery for the kind bursts, and otherwise 0.
func (o *options) every() int {
	if o.kind == kindBursts {
		return burstEvery
	}
	return 0
}

// What the two runs of the naive gate are like.
const (
	naiveTime    = 100 * time.Millisecond // of a sample
	naiveSamples = 10
)

// leastIterations is how many a sample has at least, so that extra work of 6% is an operation in
// nearly all of them: what is in few samples only is no slower program. Scans of 10^6 fingerprints
// do parts of an operation more, however few there are (see extraWork in the tests of package
// bench).
const leastIterations = 17

func leastFor(benchmark string, extra int) int {
	switch {
	case strings.HasSuffix(benchmark, "/n=1000000"):
		return 1
	case extra == 0:
		return leastIterations
	}
	return max(leastIterations, (100+extra-1)/extra)
}

// planFor returns the plan of a benchmark of which an operation takes that long.
func planFor(benchmark string, operation time.Duration, extra int) plan {
	iterations := max(int(sampleTime/operation), leastFor(benchmark, extra))
	samples := int(runTime / (time.Duration(iterations) * operation))
	return plan{iterations, max(fewSamples, min(samples, mostSamples))}
}

func naivePlanFor(benchmark string, operation time.Duration, extra int) plan {
	return plan{max(int(naiveTime/operation), leastFor(benchmark, extra)), naiveSamples}
}

// benchtime is the plan's iterations as go test has them.
func (p plan) benchtime() string { return fmt.Sprintf("%dx", p.iterations) }
