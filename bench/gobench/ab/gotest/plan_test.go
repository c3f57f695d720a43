package gotest

import (
	"math"
	"testing"
)

func TestPlanFor(t *testing.T) {
	for _, tc := range []struct {
		rate, preparation, start float64
		want                     plan
	}{
		{1e6, 0, 0.01, plan{1000, 60}},        // a microsecond, and nothing to prepare
		{1e6, 0, 1, plan{1000, 60}},           // more than 60 samples make a median no better
		{10, 0, 0.01, plan{1, 1}},             // 100 ms
		{200, 0, 0.01, plan{1, 12}},           // 5 ms
		{1e6, 0.010, 0.01, plan{5000, 4}},     // 10 ms of preparation for 5 ms of sample
		{1e6, 1, 0.01, plan{20_000, 1}},       // a second of preparation
		{1e6, 0.010, 0.15, plan{5000, 10}},    // a process that takes long to start has longer runs
		{1e12, 0, 0, plan{1_000_000_000, 60}}, // what takes no time at all is not run for ever
	} {
		if got := planFor(tc.rate, tc.preparation, tc.start); got != tc.want {
			t.Errorf("%v iterations/s, %v and %v s: %+v, want %+v", tc.rate, tc.preparation, tc.start, got, tc.want)
		}
	}
}

func TestRateOf(t *testing.T) {
	text := "BenchmarkA 1000 100 ns/op\nBenchmarkA 1000 50 ns/op\nBenchmarkB 10 200 ns/op\n"
	if got := rateOf([]byte(text)); math.Abs(got-5e6) > 1 {
		t.Errorf("%v", got)
	}
	if got := rateOf([]byte("BenchmarkA 1000 3 widgets\n")); math.Abs(got-1e6) > 1 {
		t.Errorf("%v", got)
	}
	if got := rateOf(nil); !math.IsInf(got, 1) {
		t.Errorf("%v", got)
	}
}
