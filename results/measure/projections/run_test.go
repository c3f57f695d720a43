package main

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/measure"
)

func TestGrid(t *testing.T) {
	cases, err := Grid(Options{})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, c := range cases {
		name := c.Name().String()
		if names[name] {
			t.Errorf("%s is there twice", name)
		}
		names[name] = true
		if parsed, err := benchname.Parse(name); err != nil || parsed.String() != name {
			t.Errorf("%s: %v, %v", name, parsed, err)
		}
	}
	for name, want := range map[string]bool{
		"Projection/method=gaussian/f=64/D=10000000/nnz=100":                true,
		"Projection/method=hash-per-index/f=64/D=100/nnz=100":               true,
		"Projection/method=rademacher/f=64/D=1000000/pattern=zipf/nnz=1000": true,
		// more features than dimensions
		"Projection/method=hash-per-bit/f=64/D=100/nnz=1000":                  false,
		"Projection/method=hash-per-bit/f=64/D=1000/pattern=zipf/nnz=1000":    false, // not skewed
		"Projection/method=hash-per-bit/f=64/D=1000/pattern=uniform/nnz=1000": false,
	} {
		if names[name] != want {
			t.Errorf("%s is in the grid: %v, want %v", name, !want, want)
		}
	}
	one, err := Grid(Options{Bits: []int{128}, Match: regexp.MustCompile("^BenchmarkProjection/method=gaussian/.*D=100/nnz=10$")})
	if err != nil || len(one) != 1 || one[0] != (Case{Gaussian, 128, 100, uniform, 10}) {
		t.Errorf("%v, %v", one, err)
	}
	for want, o := range map[string]Options{
		"width of 0 bits":           {Bits: []int{0}},
		"vectors of 5000 features":  {NNZ: []int{5000}},
		"no case is left":           {NNZ: []int{100}, Dimensions: []uint64{99}},
		"no case is left: what was": {Match: regexp.MustCompile("nothing")},
	} {
		if _, err := Grid(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// quick is a run that takes no time worth speaking of.
func quick() RunOptions {
	return RunOptions{Samples: 2, SampleTime: time.Microsecond, Pairs: 20, Keyings: 3, stream: 1000}
}

func TestRun(t *testing.T) {
	cases, err := Grid(Options{Bits: []int{64, 100}, Dimensions: []uint64{50, 5000}, NNZ: []int{10, 40}})
	if err != nil {
		t.Fatal(err)
	}
	o, steps := quick(), map[string]bool{}
	o.MemoryLimit = 1 << 20 // normal entries for 5,000 dimensions do not fit, signs do
	o.Progress = func(step, name string, done int) {
		if done >= len(cases) || name == "" {
			t.Errorf("%s of %q: %d cases done", step, name, done)
		}
		steps[step] = true
	}
	rows, err := Run(context.Background(), cases, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(steps) != 3 || len(rows) != len(cases) {
		t.Errorf("steps %v, %d rows of %d cases", steps, len(rows), len(cases))
	}
	for i, r := range rows {
		if r.Case != cases[i] || r.Err != "" {
			t.Errorf("row %d is %v, error %q, want %v", i, r.Name(), r.Err, cases[i].Name())
		}
		if tooLarge := r.Method == Gaussian && r.Dimensions == 5000; tooLarge != (r.Skipped != "") {
			t.Errorf("%v: skipped %q", r.Name(), r.Skipped)
		}
		if r.Skipped != "" {
			if !strings.Contains(r.Skipped, "beyond the memory limit: ") || len(r.Samples) > 0 || r.TableBytes <= 1<<20 {
				t.Errorf("%+v", r)
			}
			continue
		}
		if len(r.Samples) != 2 || r.Samples[0].Value <= 0 || r.TableBytes > 1e5 && r.HeapBytes < r.TableBytes || r.Accuracy.RMSE <= 0 {
			t.Errorf("%+v", r)
		}
	}
	units := map[string]int{}
	for _, r := range Results(rows) {
		if (r.Err+r.Skipped == "") != (len(r.Samples) > 0) {
			t.Errorf("%+v", r)
		}
		units[r.Unit]++
	}
	for _, unit := range append(ExactUnits(), nanosecondsPerVector, heapBytes) {
		want := len(rows)
		if unit != nanosecondsPerVector && unit != tableBytes {
			want -= 8 // what was skipped
		}
		if units[unit] != want {
			t.Errorf("%d rows of %s, want %d", units[unit], unit, want)
		}
	}
}

// By a clock that goes 10 ns a vector, a vector takes 10 ns.
func TestTimesAreOfOneVector(t *testing.T) {
	var clock time.Duration
	o := quick()
	o.SampleTime, o.now = time.Millisecond, func() time.Duration { return clock }
	samples, err := o.sampled(context.Background(), []measure.Subject{{Loop: func(n int) { clock += 10 * time.Duration(n) }}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples[0] {
		if s.Value != 10 || s.Iterations < 1000 {
			t.Errorf("%+v, want 10 ns", s)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	good := Case{HashPerIndex, 64, 100, uniform, 10}
	ended, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	if _, err := Run(ended, []Case{good}, quick()); !errors.Is(err, reason) {
		t.Errorf("a context that is done: %v", err)
	}
	one, hash := quick(), quick()
	one.Keyings = 1
	hash.Hash = "md5"
	for want, run := range map[string]func() ([]Row, error){
		"2 keyings at least": func() ([]Row, error) { return Run(context.Background(), []Case{good}, one) },
		"takes no seed":      func() ([]Row, error) { return Run(context.Background(), []Case{good}, hash) },
	} {
		if _, err := run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A method whose fingerprints are not those of its entries is found.
func TestWrongAnswersAreFound(t *testing.T) {
	c := Case{Gaussian, 64, 1000, uniform, 10}
	m := prepared(t, Gaussian, 64, 1000, 0)
	vectors := &newPairs(c, 20).y
	if err := verify(m, 64, vectors); err != nil {
		t.Error(err)
	}
	if err := verify(deadBits{m, 1<<40 - 1}, 64, vectors); err == nil || !strings.Contains(err.Error(), "wrong answer: vector 0") {
		t.Errorf("dead bits: %v", err)
	}
}
