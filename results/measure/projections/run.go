package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/measure"
)

// What is measured by default. Many short samples, since a busy machine interrupts few
// of them; see bench.Sampling.
const (
	DefaultSamples    = 41
	DefaultSampleTime = time.Millisecond
	DefaultPairs      = 512
	DefaultKeyings    = 16
)

// RunOptions says how much is measured and who looks on. What is 0 stands for its default.
type RunOptions struct {
	Config
	Samples    int
	SampleTime time.Duration
	Pairs      int // of vectors of known angle, in each case
	Keyings    int // under which their angles are estimated: 2 or more
	// is told the step ("preparing", "accuracy" or "timing"), a case that it works for, and how
	// many cases are finished
	Progress func(step, name string, done int)

	// features of the vectors that are timed, 0: streamFeatures; smaller in tests
	stream int
	now    func() time.Duration // a test's clock
}

// Run measures the cases and returns a row for each, in order. Cases of the same width and D stand
// side by side in the list, as Grid makes it; they are measured together, on the same vectors and
// interleaved, and their matrices are dropped before those of the next are drawn. Before anything
// is timed each method must give the fingerprints that its entries give by the definition; one that
// does not gets rows with an error. Run itself fails if an option is out of range, or if the
// context is done before the end.
func Run(ctx context.Context, cases []Case, o RunOptions) ([]Row, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	rows := make([]Row, len(cases))
	for i, c := range cases {
		rows[i].Case = c
	}
	for from := 0; from < len(rows); {
		to := from
		for to < len(rows) && rows[to].Bits == rows[from].Bits && rows[to].Dimensions == rows[from].Dimensions {
			to++
		}
		g := group{ctx: ctx, options: o, rows: rows[from:to], done: from, methods: map[string]Method{}, inputs: map[Case]*inputs{}}
		if err := g.run(); err != nil {
			return nil, err
		}
		from = to
	}
	return rows, nil
}

func (o *RunOptions) complete() error {
	if o.Samples < 0 || o.SampleTime < 0 || o.Pairs < 0 || o.Keyings < 0 || o.Keyings == 1 {
		return fmt.Errorf("projections: %d samples of %v, %d pairs, %d keyings: expected positive numbers, and 2 keyings at least", o.Samples, o.SampleTime, o.Pairs, o.Keyings)
	}
	o.Samples, o.SampleTime = cmp.Or(o.Samples, DefaultSamples), cmp.Or(o.SampleTime, DefaultSampleTime)
	o.Pairs, o.Keyings, o.stream = cmp.Or(o.Pairs, DefaultPairs), cmp.Or(o.Keyings, DefaultKeyings), cmp.Or(o.stream, streamFeatures)
	if o.Progress == nil {
		o.Progress = func(string, string, int) {}
	}
	return nil
}

// sampled times the loops interleaved, and returns nanoseconds a vector.
func (o RunOptions) sampled(ctx context.Context, loops []measure.Subject) ([][]resultfile.Sample, error) {
	samples, err := measure.Run(ctx, loops, measure.Options{Samples: o.Samples, SampleTime: o.SampleTime, Now: o.now})
	if err != nil {
		return nil, err
	}
	results := make([][]resultfile.Sample, len(samples))
	for i := range samples {
		for _, s := range samples[i] {
			// a clock may be too coarse to see a short sample
			nanoseconds := float64(max(s.Elapsed, 1))
			results[i] = append(results[i], resultfile.Sample{Iterations: s.Iterations, Value: nanoseconds / float64(s.Iterations)})
		}
	}
	return results, nil
}
