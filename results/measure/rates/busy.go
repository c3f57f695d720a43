package main

import (
	"context"
	"errors"
	"fmt"

	"simhashkit/bench/gobench/ab/conditions"
)

// work is what keeps the other processor busy, in turn: scans of memory, and everything that the
// kit has, with a data set to load.
var work = []struct{ pattern, benchtime string }{
	{"^BenchmarkMemoryRead$/^n=1000000$|^BenchmarkHammingScan$/./././kernel/^n=1000000$", "100ms"},
	{".", "2ms"},
}

// keepBusy runs benchmarks on one of the processors until the context is done. If that fails, it
// cancels the context with the cause.
func (p programs) keepBusy(ctx context.Context, cancel context.CancelCauseFunc) (done <-chan struct{}, err error) {
	allowed, err := conditions.Allowed()
	if err == nil && len(allowed) < 2 {
		err = errors.New("there is one processor")
	}
	if err != nil {
		return nil, fmt.Errorf("a busy second processor: %w; -busy=false does without", err)
	}
	bound, ended := make(chan error), make(chan struct{})
	go func() {
		defer close(ended)
		release, err := conditions.Bind(allowed[:1])
		bound <- err
		if err != nil {
			return
		}
		defer release()
		for {
			for _, w := range work {
				_, err := p.run(ctx, w.pattern, w.benchtime, 1, extraWork{})
				if ctx.Err() != nil {
					return
				}
				if err != nil {
					cancel(fmt.Errorf("what keeps the second processor busy has failed: %w", err))
					return
				}
			}
		}
	}()
	return ended, <-bound
}
