package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"simhashkit/results/measure/comparisons"
)

// Bounds of Clopper and Pearson, computed by summing binomial probabilities: at the lower end, k or
// more have a probability of 2.5%, at the upper one, k or fewer.
func TestInterval(t *testing.T) {
	atLeast := func(k, n int, p float64) float64 {
		sum := 0.0
		for i := k; i <= n; i++ {
			sum += distuv.Binomial{N: float64(n), P: p}.Prob(float64(i))
		}
		return sum
	}
	for _, tc := range [][2]int{{0, 200}, {1, 200}, {4, 200}, {95, 100}, {99, 100}, {100, 100}, {1, 2}} {
		k, n := tc[0], tc[1]
		low, high := interval(k, n)
		if k == 0 && low != 0 || k > 0 && math.Abs(atLeast(k, n, low)-0.025) > 1e-6 {
			t.Errorf("%d of %d: lower bound %v", k, n, low)
		}
		if k == n && high != 1 || k < n && math.Abs(1-atLeast(k+1, n, high)-0.025) > 1e-6 {
			t.Errorf("%d of %d: upper bound %v", k, n, high)
		}
	}
}

func TestNaiveGate(t *testing.T) {
	base := []float64{100, 101, 102, 103, 104, 105, 106, 107, 108, 109}
	for _, tc := range []struct {
		factor          float64
		alarm, isBeyond bool
	}{{1, false, false}, {1.15, true, true}, {0.8, false, false}, {1.01, false, false}} {
		var r comparisons.Record
		r.NaiveP, r.NaiveChange = comparisons.Benchstat(base, floats.ScaleTo(make([]float64, len(base)), tc.factor, base))
		if r.NaiveAlarm(0) != tc.alarm || r.NaiveAlarm(0.03) != tc.isBeyond {
			t.Errorf("%v: p %v, change %v", tc.factor, r.NaiveP, r.NaiveChange)
		}
	}
	if r := (comparisons.Record{NaiveP: 0.01, NaiveChange: 0.02}); !r.NaiveAlarm(0) || r.NaiveAlarm(0.03) {
		t.Errorf("%+v: a small change is to be an alarm of one gate and not of the other", r)
	}
}

func TestSummary(t *testing.T) {
	folder := t.TempDir()
	aa, slow := filepath.Join(folder, "aa.txt"), filepath.Join(folder, "slow.txt")
	write := func(path, extra string, records ...comparisons.Record) {
		t.Helper()
		f := (&options{kind: kindSlow}).file(time.Unix(0, 0))
		f.Settings[1].Value = extra
		for i, r := range records {
			r.Index = i
			f.Records = append(f.Records, r)
		}
		if err := f.Write(path); err != nil {
			t.Fatal(err)
		}
	}
	write(aa, "0", comparisons.Record{Benchmark: "BenchmarkHash/n=1", Verdict: "no change", Seconds: 2, NaiveP: 1}, comparisons.Record{Benchmark: "BenchmarkMemoryRead/n=1", Verdict: "unclear", Exit: 2, Seconds: 15, NaiveP: 0.01, NaiveChange: 0.02})
	write(slow, "6", comparisons.Record{Benchmark: "BenchmarkHash/n=1", Verdict: "REGRESSION", Exit: 1, Seconds: 3, NaiveP: 0.01, NaiveChange: 0.05})
	var out strings.Builder
	if err := run(t.Context(), []string{"-sum", aa, slow}, &out, &out); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "%") {
			rows = append(rows, strings.Join(strings.Fields(strings.ReplaceAll(line, "│", " ")), " "))
		}
	}
	want := []string{
		"extra work benchmarks comparisons alarms of fphash ab verdicts could not seconds: median 95% naive: p < 0.05 and > 3%",
		"0% all 2 0: 0.0% (0.0-84.2) unclear 1, no change 1 1 2.0 15.0 1: 50.0% (1.3-98.7) 0: 0.0% (0.0-84.2)",
		"0% Hash 1 0: 0.0% (0.0-97.5) no change 1 0 2.0 2.0 0: 0.0% (0.0-97.5) 0: 0.0% (0.0-97.5)",
		"0% MemoryRead 1 0: 0.0% (0.0-97.5) unclear 1 1 15.0 15.0 1: 100.0% (2.5-100.0) 0: 0.0% (0.0-97.5)",
		"6% all 1 1: 100.0% (2.5-100.0) REGRESSION 1 0 3.0 3.0 1: 100.0% (2.5-100.0) 1: 100.0% (2.5-100.0)",
		"6% Hash 1 1: 100.0% (2.5-100.0) REGRESSION 1 0 3.0 3.0 1: 100.0% (2.5-100.0) 1: 100.0% (2.5-100.0)",
	}
	if strings.Join(rows[:len(want)], "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
}
