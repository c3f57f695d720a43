package ab

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"simhashkit/bench/gobench/compare"
)

// program simulates a side. Each run takes 100 ms and has 5 samples around a time that differs
// between runs.
type program struct {
	random     *rand.Rand
	name       string
	nanosecond float64 // of the benchmark
	modes      float64 // relative standard deviation between runs
	samples    float64 // within a run
	drift      float64 // relative change per round
	bursts     float64 // relative slowdown of two of the five samples of a run
	runs       int
	extra      func(run int, ns float64) string // further figures of a line
	head       string
	fail       int // number of the run that fails, from 1; 0 means none
}

func (p *program) run(context.Context) ([]byte, error) {
	p.runs++
	time.Sleep(100 * time.Millisecond)
	if p.runs == p.fail {
		return []byte("some words\n"), fmt.Errorf("exit status 2: out of\npaper")
	}
	level := p.nanosecond * (1 + p.modes*p.random.NormFloat64()) * (1 + p.drift*float64(p.runs))
	var out strings.Builder
	fmt.Fprintf(&out, "goos: linux\npkg: example\n%s", p.head)
	for i := range 5 {
		ns := level * (1 + p.samples*p.random.NormFloat64())
		if i%2 == 1 {
			ns *= 1 + p.bursts
		}
		more := ""
		if p.extra != nil {
			more = p.extra(p.runs, ns)
		}
		fmt.Fprintf(&out, "Benchmark%s-8 \t 1000\t%.4g ns/op%s\n", p.name, ns, more)
	}
	out.WriteString("a line of a log\nPASS\nok  \texample\t0.1s\n")
	return []byte(out.String()), nil
}

// programs returns two sides of the same benchmark, the new one slower by a relative change.
func programs(seed uint64, slower float64) (old, new *program) {
	random := rand.New(rand.NewPCG(seed, 0))
	make := func(ns float64) *program {
		return &program{random: random, name: "Fake", nanosecond: ns, modes: 0.02, samples: 0.01}
	}
	return make(1000), make(1000 * (1 + slower))
}

func taskOf(old, new *program) Task { return Task{Name: old.name, Sides: [2]Runner{old.run, new.run}} }

// verdicts lists the rows of a report in the form "Fake-8 sec/op REGRESSION".
func verdicts(r *compare.Report) []string {
	var list []string
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			list = append(list, fmt.Sprintf("%s %s %s", row.Name, t.Unit, row.Verdict))
		}
	}
	return list
}

// rounds counts the rounds of all tasks.
func rounds(r *Result) int {
	n := 0
	for _, j := range r.engine.jobs {
		n += j.rounds
	}
	return n
}
