package ab

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/testing/long"
)

var simulated = flag.Int("simulated", 0, "number of simulated runs of ab")

// machine simulates the noise of a machine with two processors at a load of 20, as recorded. Both
// sides share the machine, and the noise of a run depends on the runs before.
type machine struct {
	random *rand.Rand
	drift  float64 // logarithm of the time, changes over minutes
	level  float64 // logarithm of the time, changes over seconds: a first-order autoregression
	shared bool    // another program uses the other thread of the core
}

// work is a side of a benchmark.
type work struct {
	*machine
	time    float64 // nanoseconds
	name    string
	samples int     // per run
	process float64 // relative standard deviation between processes
	modes   float64 // relative slowdown of a process in five, from the placement of its memory
	within  float64 // relative standard deviation between samples
}

// run simulates a run of about 100 ms. A program on the same core slows down ten samples in a row.
// A sample in twenty is interrupted, and takes eleven times as long in the mean.
func (w work) run(context.Context) ([]byte, error) {
	r := w.random
	w.level = 0.9*w.level + 0.004*r.NormFloat64()
	w.drift += 0.002 * r.NormFloat64()
	if r.IntN(200) == 0 { // the clock frequency changes
		w.drift += 0.3 * (r.Float64() - 0.5)
	}
	process := w.process * r.NormFloat64()
	if r.IntN(5) == 0 {
		process += w.modes
	}
	text := []byte("pkg: example\n")
	sum := 0.0
	for range w.samples {
		if r.Float64() < map[bool]float64{true: 0.1, false: 0.01}[w.shared] {
			w.shared = !w.shared
		}
		ns := w.time * math.Exp(w.drift+w.level+process+w.within*r.NormFloat64())
		if w.shared {
			ns *= 1.5
		}
		if r.IntN(20) == 0 {
			ns *= 1 + 10*r.ExpFloat64()
		}
		sum += ns
		text = fmt.Appendf(text, "Benchmark%s 1 %.5g ns/op\n", w.name, ns)
	}
	time.Sleep(time.Duration(sum / float64(w.samples) * 1e5))
	return text, nil
}

// mixed returns 20 benchmarks of several kinds on one machine. The new code of one of them is
// slower by a relative change.
func mixed(seed uint64, slower float64) (tasks []Task, slow string) {
	m := &machine{random: rand.New(rand.NewPCG(seed, 0x6571))}
	for i := range 20 {
		old := []work{
			{samples: 40, process: 0.005, within: 0.03},
			{samples: 40, process: 0.01, modes: 0.15, within: 0.03},
			{samples: 10, process: 0.02, within: 0.1},
			{samples: 1, process: 0.01, within: 0.03},
		}[(i+int(seed))%4]
		old.machine, old.time, old.name = m, 1000, fmt.Sprintf("Fake%02d", i)
		new := old
		if i == int(seed/4)%20 {
			slow, new.time = old.name, 1000*(1+slower)
		}
		tasks = append(tasks, Task{Name: old.name, Sides: [2]Runner{old.run, new.run}})
	}
	return tasks, slow
}

// moreRuns returns the number of runs to simulate.
func moreRuns() int {
	if long.Enabled() {
		return max(100, *simulated)
	}
	return max(4, *simulated)
}

// tooMany reports whether this number of alarms excludes that alpha is their probability in a run.
func tooMany(alarms, runs int) bool {
	mean := compare.DefaultAlpha * float64(runs)
	return float64(alarms) > mean+3*math.Sqrt(mean)
}

// Whatever the noise, the budget and the threshold, a run of 20 benchmarks of equal code raises a
// false alarm with a probability of at most alpha: early stopping and priorities do not add any.
func TestEqualCode(t *testing.T) {
	for _, threshold := range []float64{0.0001, 0.03} {
		t.Run(fmt.Sprint(threshold), func(t *testing.T) {
			runs, comparisons, alarms := moreRuns(), 0, 0
			count := map[compare.Verdict]int{}
			for seed := range uint64(runs) {
				tasks, _ := mixed(seed, 0)
				budget := []time.Duration{30, 60, 120, 300}[seed/4%4] * time.Second
				o := Options{Seed: seed, Budget: budget, Rules: compare.Options{Threshold: &compare.Thresholds{Default: threshold}}}
				got := mustRun(t, tasks, o).Report.Count()
				for verdict, n := range got {
					count[verdict] += n
					comparisons += n
				}
				if got["REGRESSION"]+got["improvement"] > 0 {
					alarms++
				}
			}
			t.Logf("%d of %d runs with an alarm; %d comparisons: %v", alarms, runs, comparisons, count)
			if tooMany(alarms, runs) {
				t.Errorf("%d of %d runs of equal code raise an alarm, alpha is %v", alarms, runs, compare.DefaultAlpha)
			}
		})
	}
}

// A slowdown of 8% of one of 20 benchmarks is found in five minutes.
func TestOneIsSlower(t *testing.T) {
	runs, found, alarms := moreRuns(), 0, 0
	for seed := range uint64(runs) {
		tasks, slow := mixed(seed, 0.08)
		for _, row := range mustRun(t, tasks, Options{Seed: seed, Budget: 5 * time.Minute}).Report.Tables[0].Rows {
			switch {
			case row.Verdict != "REGRESSION":
			case row.Name == slow:
				found++
			default:
				alarms++
			}
		}
	}
	t.Logf("found in %d of %d runs, %d false alarms", found, runs, alarms)
	if 10*found < 9*runs || tooMany(alarms, runs) {
		t.Errorf("found in %d of %d runs, %d false alarms", found, runs, alarms)
	}
}
