package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/perf/benchmath"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/testing/long"
)

// sideOf returns a side with the samples of several runs.
func sideOf(runs [][]float64) Side {
	return Side{Figure: resultfile.Figure{Samples: len(slices.Concat(runs...))}, Runs: len(runs), series: &series{runs: runs}}
}

// judged compares sides in the same way as Compare, and returns the rows.
func judged(names, units []string, old, new [][][]float64, accept ...string) []Row {
	b := builder{options: Options{Alpha: DefaultAlpha, Accept: accept}, report: &Report{}}
	for i, name := range names {
		t := Table{Unit: units[i], Better: (&builder{}).better(units[i]), Threshold: defaultThreshold}
		r := Row{Name: name, Old: sideOf(old[i]), New: sideOf(new[i])}
		r.Effect = effectOf(t, r)
		t.Rows = []Row{r}
		b.report.Tables = append(b.report.Tables, t)
	}
	b.judge()
	var rows []Row
	for _, t := range b.report.Tables {
		rows = append(rows, t.Rows[0])
	}
	return rows
}

// slower multiplies times, or divides rates.
func slower(runs [][]float64, unit string, factor float64) [][]float64 {
	if (&builder{}).better(unit) > 0 {
		factor = 1 / factor
	}
	return each(runs, func(v float64) float64 { return v * factor })
}

func alarm(r Row) bool { return r.Verdict == Regression }

func withheld(r Row) bool { return r.Withheld != "" }

// outcomeOf counts the results of many comparisons.
type outcomeOf struct{ comparisons, alarms, withheld, found6, found10 int }

func (o outcomeOf) String() string {
	share := func(n int) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(o.comparisons)) }
	return fmt.Sprintf("%d comparisons: false alarms %s, withheld changes in %s, 6%% found %s, 10%% found %s", o.comparisons, share(o.alarms), share(o.withheld), share(o.found6), share(o.found10))
}

// naive reports whether a gate would fail that looks for any p < 0.05 in the output of benchstat.
func naive(units []string, old, new [][][]float64) bool {
	for i, unit := range units {
		a := benchmath.NewSample(slices.Concat(old[i]...), &benchmath.DefaultThresholds)
		b := benchmath.NewSample(slices.Concat(new[i]...), &benchmath.DefaultThresholds)
		worse := (a.Values[len(a.Values)/2] < b.Values[len(b.Values)/2]) == ((&builder{}).better(unit) < 0)
		if c := benchmath.AssumeNothing.Compare(a, b); worse && c.P < c.Alpha {
			return true
		}
	}
	return false
}

// simulate compares the sides that draw returns, first unchanged and then with one slower benchmark
// in the new side.
func simulate(names, units []string, comparisons int, random *rand.Rand, draw func() (old, new [][][]float64), accept ...string) (o outcomeOf) {
	for range comparisons {
		old, new := draw()
		o.comparisons++
		rows := judged(names, units, old, new, accept...)
		if slices.ContainsFunc(rows, alarm) {
			o.alarms++
		}
		if slices.ContainsFunc(rows, withheld) {
			o.withheld++
		}
		victim := random.IntN(len(names))
		original := new[victim]
		for factor, found := range map[float64]*int{1.06: &o.found6, 1.10: &o.found10} {
			new[victim] = slower(original, units[victim], factor)
			if alarm(judged(names, units, old, new, accept...)[victim]) {
				*found++
			}
		}
	}
	return o
}

// These are real runs of an unchanged program. Nevertheless, a few benchmarks are slower in some
// processes. With one run per side, this raises no alarm unless gaps of runs are accepted. From 3
// runs on, alarms are as rare as alpha requires, and slowdowns are found.
func TestRunsOfOneProgram(t *testing.T) {
	long.Skip(t, "takes some seconds")
	r := readRecorded(t, "testdata/runs.txt.gz")
	if len(r.names) != 51 || len(r.runs[0]) != 41 || len(r.runs[0][0]) != 10 {
		t.Fatalf("%d benchmarks, %d runs of %d samples", len(r.names), len(r.runs[0]), len(r.runs[0][0]))
	}
	for _, tc := range []struct {
		runs   int
		accept []string
		// largest allowed rate of alarms, and smallest rates of slowdowns found, in percent
		alarms          int
		found6, found10 int
	}{{1, nil, 0, 0, 0}, {1, []string{gapRuns}, 100, 70, 80}, {2, nil, 0, 0, 0}, {3, nil, 2, 60, 70}, {6, nil, 2, 75, 85}, {10, nil, 2, 90, 95}} {
		random := rand.New(rand.NewPCG(1, uint64(tc.runs)))
		naiveAlarms := 0
		o := simulate(r.names, r.units, 300, random, func() (old, new [][][]float64) {
			order := random.Perm(len(r.runs[0]))
			pick := func(which []int) (list [][][]float64) {
				for _, runs := range r.runs {
					var picked [][]float64
					for _, i := range which {
						picked = append(picked, runs[i])
					}
					list = append(list, picked)
				}
				return list
			}
			old, new = pick(order[:tc.runs]), pick(order[tc.runs:2*tc.runs])
			if naive(r.units, old, new) {
				naiveAlarms++
			}
			return old, new
		}, tc.accept...)
		t.Logf("%d runs per side, accepted %q, %v; naive: false alarms %.1f%%", tc.runs, tc.accept, o, 100*float64(naiveAlarms)/float64(o.comparisons))
		if 100*o.alarms > tc.alarms*o.comparisons {
			t.Errorf("%d runs per side: %v; at most %d%% may raise an alarm", tc.runs, o, tc.alarms)
		}
		if 100*o.found6 < tc.found6*o.comparisons || 100*o.found10 < tc.found10*o.comparisons {
			t.Errorf("%d runs per side: %v; expected %d%% and %d%% found", tc.runs, o, tc.found6, tc.found10)
		}
	}
}

// This makes 2,000 comparisons without changes. Each side has 20 samples of one process, drawn from
// recorded samples after removing the differences between processes.
func TestSimulatedFalseAlarms(t *testing.T) {
	long.Skip(t, "draws many cases")
	r := readRecorded(t, "testdata/runs.txt.gz")
	var pool [][]float64 // by benchmark: samples divided by the median of their run
	for _, runs := range r.runs {
		var around []float64
		for _, run := range runs {
			sorted := slices.Sorted(slices.Values(run))
			for _, v := range run {
				around = append(around, v/sorted[len(sorted)/2])
			}
		}
		pool = append(pool, around)
	}
	const samples = 20
	random := rand.New(rand.NewPCG(2, 0))
	draw := func() (list [][][]float64) {
		for _, p := range pool {
			values := make([]float64, samples)
			for i := range values {
				values[i] = p[random.IntN(len(p))]
			}
			list = append(list, [][]float64{values})
		}
		return list
	}
	o := simulate(r.names, r.units, 2000, random, func() (old, new [][][]float64) { return draw(), draw() }, gapRuns)
	t.Log(o)
	if 100*o.alarms > 2*o.comparisons || 100*o.found6 < 95*o.comparisons || 100*o.found10 < 99*o.comparisons {
		t.Errorf("%v; at most 2%% may raise an alarm, expected 95%% and 99%% found", o)
	}
}

// Correlated samples carry less information. With a first-order autoregression of 0.6, an
// uncorrected test would raise many false alarms.
func TestAutocorrelatedNoise(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	draw := func() [][][]float64 {
		values := make([]float64, 40)
		state := random.NormFloat64()
		for i := range values {
			values[i] = 100 * math.Exp(0.05*state)
			state = 0.6*state + 0.8*random.NormFloat64()
		}
		return [][][]float64{{values}}
	}
	alarms, uncorrected := 0, 0
	const comparisons = 2000
	for range comparisons {
		old, new := draw(), draw()
		if alarm(judged([]string{"X"}, []string{"sec/op"}, old, new, gapRuns)[0]) {
			alarms++
		}
		a, b := trimmedMean(each(old[0], math.Log)[0]), trimmedMean(each(new[0], math.Log)[0])
		if d := welch(a, b); d.p < DefaultAlpha && d.delta > math.Log1p(defaultThreshold) {
			uncorrected++
		}
	}
	t.Logf("%d comparisons: %d false alarms, %d without the correction", comparisons, alarms, uncorrected)
	if alarms > comparisons*2/100 || uncorrected < 2*alarms {
		t.Errorf("%d of %d comparisons raised an alarm, %d without the correction", alarms, comparisons, uncorrected)
	}
}
