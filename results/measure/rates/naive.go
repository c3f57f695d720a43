package main

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/perf/benchfmt"

	"simhashkit/results/measure/comparisons"
)

// naive does what most people do: all samples of the old side in a process, then all of the new
// one, and benchstat's test. Its samples are so long that extra work that comes in bursts is in
// each of them.
func (p programs) naive(ctx context.Context, r *comparisons.Record, how plan) error {
	var sides [2][]float64
	rate := false
	for i, extra := range []int{0, r.Extra} {
		results, err := p.only(ctx, r.Benchmark, how.benchtime(), how.samples, extraWork{percent: extra})
		if err != nil {
			return fmt.Errorf("naive gate: %w", err)
		}
		for _, result := range results {
			value, err := onlyValue(result)
			if err != nil {
				return fmt.Errorf("naive gate: %w", err)
			}
			sides[i] = append(sides[i], value.Value)
			rate = strings.HasSuffix(value.Unit, "/s")
		}
	}
	r.NaiveP, r.NaiveChange = comparisons.Benchstat(sides[0], sides[1])
	if rate {
		r.NaiveChange = 1/(1+r.NaiveChange) - 1
	}
	return nil
}

// onlyValue returns what the benchmarks of package bench report: one value each.
func onlyValue(r *benchfmt.Result) (benchfmt.Value, error) {
	if len(r.Values) != 1 {
		return benchfmt.Value{}, fmt.Errorf("%s reports %d values, expected 1", r.Name, len(r.Values))
	}
	return r.Values[0], nil
}
