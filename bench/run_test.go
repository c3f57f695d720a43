package bench

import (
	"context"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
	"simhashkit/internal/testing/long"
)

// someData returns a data set with an empty vector, fractional and negative weights.
func someData(t *testing.T) *Data {
	t.Helper()
	set := datasets.CSR[float64]{Offsets: []int{0}, Weights: []float64{}}
	for i := range 40 {
		var row datasets.Row[float64]
		row.Weights = []float64{}
		for j := range i * 3 {
			row.Indices, row.Weights = append(row.Indices, uint64(j*j+i)), append(row.Weights, float64(j-20)/7)
		}
		if err := set.Append(&row); err != nil {
			t.Fatal(err)
		}
	}
	data, err := NewData("some", "made here", set)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Every case of the default suite and some unusual cases give right answers and positive samples.
func TestEveryCaseRuns(t *testing.T) {
	in := newInputs(someData(t))
	if !long.Enabled() {
		in.stream, in.distinct = 4096, 1000
	}
	for _, o := range []Options{
		{Data: "some"},
		{Suite: "kernels"},
		{Suite: "hashes", Full: true, Match: regexp.MustCompile("Hash|kernel=(generic|avx2)")},
		{Full: true, Hashes: []string{"md5", "highway256", "splitmix64"}, Bits: []int{1, 65, 128}, NNZ: []int{1, 33}, Data: "some", Match: regexp.MustCompile("Hash|data=some|Accumulate|layout=split/.*n=10000$")},
	} {
		cases, err := casesOf(o)
		if err != nil {
			t.Fatal(err)
		}
		var now time.Duration
		before := cpu.Active()
		rows, err := runPlain(context.Background(), cases, in, RunOptions{Samples: 1, SampleTime: 1, now: func() time.Duration { now++; return now }})
		if err != nil {
			t.Fatal(err)
		}
		if cpu.Active() != before {
			t.Errorf("the tier is %v after the run, %v before", cpu.Active(), before)
		}
		rows = slices.DeleteFunc(rows, func(r resultfile.Row) bool { return terms.Fact(r.Unit) })
		for i, r := range rows {
			fractions := strings.Contains(r.Name, "data=some") && (strings.Contains(r.Name, "weights=i32") || strings.Contains(r.Name, "weights=i64"))
			switch {
			case r.Name != cases[i].Name.String():
				t.Errorf("row %d is %s, case %s", i, r.Name, cases[i].Name)
			case fractions && !strings.Contains(r.Err, "weight"):
				t.Errorf("%s: fractions as integers: %q", r.Name, r.Err)
			case !fractions && r.Err != "":
				t.Errorf("%s: %s", r.Name, r.Err)
			case !fractions && (len(r.Samples) != 1 || r.Samples[0].Value <= 0):
				t.Errorf("%s: samples %v", r.Name, r.Samples)
			}
		}
	}
}

func TestInterruptedRunGivesNothing(t *testing.T) {
	cases, err := casesOf(Options{Match: regexp.MustCompile("MemoryRead/n=10000$")})
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	options := RunOptions{Samples: 3, SampleTime: time.Microsecond, Progress: func(p Progress) {
		if strings.HasPrefix(p.Step, "round 2") {
			cancel(stop)
		}
	}}
	if rows, err := runPlain(ctx, cases, newInputs(nil), options); !errors.Is(err, stop) || rows != nil {
		t.Errorf("rows %v, error %v", rows, err)
	}
}

func TestFigure(t *testing.T) {
	if got := figure(terms.NanosecondsPerKey, 1000, 5, 10*time.Microsecond); got != 2 {
		t.Errorf("%v ns/key, want 2", got)
	}
	if got := figure(terms.MegabytesPerSecond, 8000, 5, 10*time.Microsecond); math.Abs(got-4000) > 1e-9 {
		t.Errorf("%v MB/s, want 4000", got)
	}
}

func TestDataIsBounded(t *testing.T) {
	set := datasets.CSR[float64]{Offsets: []int{0}}
	for i := range 3000 {
		indices := make([]uint64, 100+i%2*400)
		if err := set.Append(&datasets.Row[float64]{Indices: indices}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := NewData("big", "big", set)
	if err != nil {
		t.Fatal(err)
	}
	if n := data.Set.NNZ(); n > dataFeatures || n < dataFeatures/8 {
		t.Errorf("%d features of %d are timed, want at most %d and not many fewer", n, set.NNZ(), dataFeatures)
	}
	if !strings.Contains(data.Description, "one vector in 4") {
		t.Errorf("the description does not mention the sampling: %s", data.Description)
	}
	if _, err := NewData("none", "", datasets.CSR[float64]{Offsets: []int{0, 0}}); err == nil {
		t.Error("a set without features is accepted")
	}
}

func TestDataName(t *testing.T) {
	for name, want := range map[string]string{
		"go-source": "go-source", "/a/b c.svm.gz": "b_c.svm.gz", "dir/x=1.svm": "x_1.svm",
	} {
		if got := DataName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestFits(t *testing.T) {
	const big = 1 << 62
	if !fits[int32](math.MinInt32) || fits[int32](math.MaxInt32+1) || fits[int32](0.5) || fits[int64](2*big) || !fits[int64](-2*big) || fits[float32](1e39) || !fits[float64](1e300) {
		t.Error("the range of a type of weight is wrong")
	}
}

// Accumulate must not repeat the same vectors soon, because a branch predictor would learn them.
func TestWindows(t *testing.T) {
	for _, length := range []int{1, 32, 100, 1000, 2047, 2048, 5000} {
		w := windows{n: max(features, length), length: length}
		seen := map[int]bool{}
		for range 3000 {
			from, to := w.next()
			if from < 0 || to > w.n || to-from != length {
				t.Fatalf("length %d: window %d to %d", length, from, to)
			}
			seen[from] = true
		}
		if least := w.n/length + w.n%length/8; len(seen) < least/2 || length == 100 && len(seen) < 100 {
			t.Errorf("length %d: only %d different windows", length, len(seen))
		}
	}
}

func TestOracleOnTheWorkedExample(t *testing.T) {
	codes, weights := []uint64{0b100101, 0b101011, 0b100111, 0b101111, 0b111011}, []float32{5, 2, 3, 1, 4}
	for _, sequential := range []bool{false, true} {
		if got := oracleFor[float32]()(codes, weights, sequential) & 63; got != 0b100111 {
			t.Errorf("sequential=%v: %06b, want 100111", sequential, got)
		}
	}
	// Feature by feature in float32, 1e8 + 1 - 1e8 + 1 is 1, because rounding loses the first 1. A
	// group adds (1e8 + 1) + (-1e8 + 1), which is 0.
	order := []float32{1e8, 1, -1e8, 1}
	ones := []uint64{1, 1, 1, 1}
	if s, g := oracle64[float32](ones, order, true)&1, oracle64[float32](ones, order, false)&1; s != 1 || g != 0 {
		t.Errorf("sequential %d, grouped %d; want 1 and 0", s, g)
	}
}

// A case is prepared, verified and timed at its tier. Afterwards, the process has its former tier
// again.
func TestTierIsInForceAndPutBack(t *testing.T) {
	supported := cpu.Supported()
	before := supported[len(supported)-1]
	former, err := cpu.SetTier(before)
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.SetTier(former)
	look := func(where string) {
		if cpu.Active() != cpu.Generic {
			t.Errorf("%s runs at tier %v, want generic", where, cpu.Active())
		}
	}
	c := timedCase{Name: benchname.New(terms.Hash, "n", "1"), Unit: terms.NanosecondsPerKey, tier: cpu.Generic, prepare: func(*inputs) (*trial, error) {
		look("preparation")
		return &trial{per: 1, loop: func(int) { look("loop") }, verify: func() error { look("verification"); return nil }}, nil
	}}
	var now time.Duration
	clock := func() time.Duration { now += time.Millisecond; return now }
	if _, err := runPlain(context.Background(), []timedCase{c}, newInputs(nil), RunOptions{Samples: 2, SampleTime: 1, now: clock}); err != nil {
		t.Fatal(err)
	}
	if cpu.Active() != before {
		t.Errorf("tier %v after the run, %v before", cpu.Active(), before)
	}
}

// Each operation on a data set is one pass over all its vectors.
func TestEveryPassTakesAllVectors(t *testing.T) {
	in := newInputs(someData(t))
	family, err := fphash.Lookup("xxh64")
	if err != nil {
		t.Fatal(err)
	}
	s := sketchCase{family: family, weights: "f32", bits: 64, data: "some", nnz: mixed}
	trial, err := s.prepare(in)
	if err != nil {
		t.Fatal(err)
	}
	v, err := vectorsOf[float32](s, in)
	if err != nil {
		t.Fatal(err)
	}
	fingerprints, err := expected(s, v)
	if err != nil {
		t.Fatal(err)
	}
	var want uint64
	for _, f := range fingerprints {
		want ^= f
	}
	for pass := range 3 {
		sink = 0
		if trial.loop(1); sink != want {
			t.Errorf("pass %d: the XOR of the fingerprints is %x, want %x", pass, sink, want)
		}
	}
	if trial.per != len(v.indices) {
		t.Errorf("a pass handles %d features, not %d", trial.per, len(v.indices))
	}
}
