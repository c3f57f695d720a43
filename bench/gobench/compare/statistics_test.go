package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"simhashkit/internal/gobench/samples"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

func TestTrimmedMean(t *testing.T) {
	for _, tc := range []struct {
		name   string
		values []float64
		want   estimate
	}{
		{"one", []float64{7}, estimate{location: 7}},
		{"nothing to trim", []float64{1, 3}, estimate{location: 2, variance: 1, freedom: 1}},
		// Trimmed: 2 3 4 5 6 of 7. Winsorised: 2 2 3 4 5 6 6, squares 4+4+1+0+1+4+4 = 18, over 5·4.
		{"an outlier", []float64{3, 1, 2, 1000, 4, 6, 5}, estimate{location: 4, variance: 18.0 / 20, freedom: 4}},
		// Winsorising would leave no spread, so this is the plain mean: squares 30, over 6·5.
		{"mostly one value", []float64{1, 1, 1, 1, 1, 7}, estimate{location: 2, variance: 30.0 / 30, freedom: 5}},
		{"constant", []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, estimate{location: 0.1, variance: 0, freedom: 3}},
	} {
		before := append([]float64(nil), tc.values...)
		if got := trimmedMean(tc.values); !near(got.location, tc.want.location) || !near(got.variance, tc.want.variance) || got.freedom != tc.want.freedom {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
		if diff := cmp.Diff(before, tc.values); diff != "" {
			t.Errorf("%s: the samples have changed (-before +after):\n%s", tc.name, diff)
		}
	}
}

// Student's table: t = 2.228 at 10 degrees of freedom has a two-sided p of 5%.
func TestWelch(t *testing.T) {
	d := welch(estimate{location: 0, variance: 0.5, freedom: 5}, estimate{location: 2.2281388519649385, variance: 0.5, freedom: 5})
	if !near(d.standard, 1) || !near(d.freedom, 10) || math.Abs(d.p-0.05) > 1e-9 {
		t.Errorf("%+v", d)
	}
	if lo, hi := d.interval(0.95); math.Abs(lo) > 1e-6 || math.Abs(hi-2*2.2281388519649385) > 1e-6 {
		t.Errorf("interval %v to %v; its lower bound must be 0, since p is 5%%", lo, hi)
	}
	if got := d.detectable(0.05); math.Abs(got-(2.228139+0.879058)) > 1e-5 {
		t.Errorf("detectable %v", got)
	}
	if d := welch(estimate{location: 1}, estimate{location: 1}); d.p != 1 {
		t.Errorf("equal constants: p %v", d.p)
	}
	if d := welch(estimate{location: 1}, estimate{location: 1.5}); d.p != 0 || d.delta != 0.5 {
		t.Errorf("different constants: %+v", d)
	}
}

func TestHolm(t *testing.T) {
	// A textbook example with 4 hypotheses.
	got := holm([]float64{0.01, 0.04, 0.03, 0.005})
	if diff := cmp.Diff([]float64{0.03, 0.06, 0.06, 0.02}, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := holm([]float64{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("%v, want no p above 1", got)
	}
	if got := holm(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestRunsCountOnce(t *testing.T) {
	// There is spread only between the runs: a variance of 0.0004 with 6 runs.
	var runs [][]float64
	for i := range 6 {
		v := 1 + 0.05*float64(i)
		runs = append(runs, []float64{v, v, v, v})
	}
	e := ofRuns(runs, 0.005)
	if want := trimmedMean([]float64{1, 1.05, 1.10, 1.15, 1.20, 1.25}); !near(e.variance, want.variance) || e.freedom != want.freedom {
		t.Errorf("%+v, want %+v", e, want)
	}
	// A single run of equal samples does not show the spread between runs.
	if e := ofRuns([][]float64{{1, 1, 1, 1, 1, 1}}, 0.005); !near(e.variance, 0.005*0.005) {
		t.Errorf("one run: %+v", e)
	}
}

func TestCorrelatedSamples(t *testing.T) {
	steps := []float64{1, 1.01, 1, 1.01, 1, 1.2, 1.21, 1.2, 1.21, 1.2}
	mixed := []float64{1, 1.2, 1.01, 1.21, 1, 1.2, 1.01, 1.21, 1, 1.2}
	if a, b := ofRuns([][]float64{steps}, 0), ofRuns([][]float64{mixed}, 0); a.variance < 3*b.variance {
		t.Errorf("slow samples together: variance %v, the same samples mixed: %v", a.variance, b.variance)
	}
}

// No samples give NaN, and exchanging the sides changes only the sign.
func TestDifferHasNoNaN(t *testing.T) {
	value := rapid.OneOf(rapid.Float64Range(0.5, 2), rapid.Float64Range(-1e300, 1e300), rapid.SampledFrom([]float64{0, 1, 1, 1, 5e-324, math.MaxFloat64, -1}))
	side := rapid.SliceOfN(rapid.SliceOfN(value, 6, 12), 1, 8)
	rapid.Check(t, func(t *rapid.T) {
		old, new := side.Draw(t, "old"), side.Draw(t, "new")
		d, relativeChange := differ(old, new)
		lo, hi := d.interval(confidence)
		for _, v := range []float64{d.p, relativeChange(d.delta), relativeChange(lo), relativeChange(hi), relativeChange(d.detectable(1e-6))} {
			if math.IsNaN(v) {
				t.Fatalf("NaN: %+v, interval %v to %v", d, lo, hi)
			}
		}
		if d.p < 0 || d.p > 1 || lo > d.delta || hi < d.delta {
			t.Fatalf("%+v, interval %v to %v", d, lo, hi)
		}
		if slices.Min(slices.Concat(slices.Concat(old, new)...)) > 0 {
			if back, _ := differ(new, old); !near(back.p, d.p) || !near(back.delta, -d.delta) {
				t.Fatalf("%+v, with the sides exchanged %+v", d, back)
			}
		}
	})
}

// Computed by hand: if two halves differ, the first autocorrelation is 5/8, plus 1/8 for the bias.
// So eight samples are worth 8·(1-3/4)/(1+3/4). The worth has a lower limit.
func TestStretch(t *testing.T) {
	halves := func(n int) []float64 { return append(make([]float64, n), slices.Repeat([]float64{1}, n)...) }
	for _, c := range []struct {
		samples []float64
		want    estimate
	}{
		{halves(3), estimate{5, 1, 20}}, // 2/3, which is not significant for six samples
		{halves(4), estimate{5, 7, 2}},
		{halves(500), estimate{5, 39, 1}},
		{halves(4)[:4], estimate{5, 1, 20}}, // all samples are equal
	} {
		got := estimate{location: 5, variance: 1, freedom: 20}.stretch(c.samples)
		if got.location != c.want.location || math.Abs(got.variance-c.want.variance) > 1e-9 || math.Abs(got.freedom-c.want.freedom) > 1e-9 {
			t.Errorf("%d samples: %+v, want %+v", len(c.samples), got, c.want)
		}
	}
}

// The figures in the columns agree with the change and with the verdict in sign and size.
func TestColumnsAgreeWithChange(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	compared := 0
	for i := range 400 {
		var texts [2]string
		shift := []float64{0, 0.01, -0.02, 0.3, -0.5}[i%5]
		for side := range texts {
			for range 1 + random.IntN(4) {
				texts[side] += "goos: linux\n"
				for range 6 + random.IntN(6) {
					value := 1000 * (1 + shift*float64(side)) * math.Exp(0.05*random.NormFloat64())
					if random.IntN(5) == 0 {
						value *= 1 + random.Float64() // a tail on one side
					}
					if i%7 == 0 {
						value -= 1000 // on both sides of zero
					}
					texts[side] += fmt.Sprintf("BenchmarkA 10 %v ns/op\n", value)
				}
			}
		}
		r, err := Compare([]Input{{"0", "0", []byte(texts[0])}, {"1", "1", []byte(texts[1])}}, Options{Accept: []string{gapRuns}})
		if err != nil {
			t.Fatal(err)
		}
		row := r.Tables[0].Rows[0]
		if !row.Verdict.Compared() {
			t.Fatalf("%+v", row)
		}
		compared++
		if got := samples.Relative(row.Old.Median, row.New.Median); math.Abs(got-row.Effect.Change) > 1e-9*max(1, math.Abs(got)) {
			t.Errorf("case %d: %v to %v is a change of %v, but the row has %v", i, row.Old.Median, row.New.Median, got, row.Effect.Change)
		}
		if worse := row.New.Median > row.Old.Median; row.Verdict == Regression && !worse || row.Verdict == Improvement && worse {
			t.Errorf("case %d: %v to %v has the verdict %s", i, row.Old.Median, row.New.Median, row.Verdict)
		}
	}
	if compared != 400 {
		t.Errorf("%d cases compared", compared)
	}
}
