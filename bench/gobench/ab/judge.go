package ab

import (
	"math"
	"slices"

	"simhashkit/bench/gobench/compare"
)

// judge tests the comparisons of all tasks while rounds are added, and answers compare for each row
// of the report.
type judge struct {
	compare.Rules
	control    bool // nothing is decided before the budget is used
	parser     *parser
	trials     []*trial      // one for each task
	hypotheses []*hypothesis // of all trials, in order; none before open
	untested   []untested    // rows without a verdict
}

// trial is the comparisons of one task.
type trial struct {
	hypotheses []*hypothesis
	find       map[place]*hypothesis
}

func newJudge(rules compare.Rules, control bool, tasks int) (*judge, error) {
	p, err := newParser(rules.Ignore)
	if err != nil {
		return nil, err
	}
	j := &judge{Rules: rules, control: control, parser: p}
	for range tasks {
		j.trials = append(j.trials, &trial{find: map[place]*hypothesis{}})
	}
	return j, nil
}

// add adds what the sides printed in a round of a task, the number of which is counted from 1. What
// is not in the first round has no share of alpha, and is not tested.
func (j *judge) add(task, round int, old, new figures) {
	t := j.trials[task]
	for _, at := range old.order {
		other, ok := new.of[at]
		if !ok {
			continue
		}
		h := t.find[at]
		if h == nil {
			if round > 1 {
				continue
			}
			h = newHypothesis(at)
			t.find[at] = h
			t.hypotheses = append(t.hypotheses, h)
		}
		h.add(old.of[at], other)
		if !j.control {
			h.look()
		}
	}
}

// open gives each comparison its share of alpha, once the first rounds of all tasks are added.
func (j *judge) open() {
	noisy, quiet := 0, 0
	for _, t := range j.trials {
		for _, h := range t.hypotheses {
			if h.quiet {
				quiet++
			} else {
				noisy++
			}
		}
		j.hypotheses = append(j.hypotheses, t.hypotheses...)
	}
	forQuiet := quietShare
	if noisy == 0 {
		forQuiet = 1
	} else if quiet == 0 {
		forQuiet = 0
	}
	for _, h := range j.hypotheses {
		share := j.Alpha * (1 - forQuiet) / float64(noisy)
		if h.quiet {
			share = j.Alpha * forQuiet / float64(quiet)
		}
		h.open(share, j.Threshold.Of(h.Unit, false))
	}
}

// close takes the last look at what is not decided.
func (j *judge) close() {
	for _, h := range j.hypotheses {
		h.close()
	}
}

// benchmarks counts those that both sides have.
func (j *judge) benchmarks() int {
	known := map[place]bool{}
	for _, h := range j.hypotheses {
		known[h.at.benchmark()] = true
	}
	return len(known)
}

// decided counts the comparisons that need no further rounds.
func (j *judge) decided() int {
	n := 0
	for _, h := range j.hypotheses {
		if h.decided() {
			n++
		}
	}
	return n
}

// wanted reports whether further rounds of a task would teach anything.
func (j *judge) wanted(task int) bool {
	return slices.ContainsFunc(j.trials[task].hypotheses, (*hypothesis).wanted)
}

// untested is a row without a verdict.
type untested struct {
	at      place
	several bool // it stands for benchmarks of several tasks, whose rounds do not belong together
}

// judgement answers compare. It leaves nothing to the usual test but what that has too few samples
// of: that test would have an alpha of its own, beside that of the comparisons here.
func (j *judge) judgement(t compare.Table, r compare.Row) (compare.Judgement, bool) {
	at := placeOf(t, r)
	var of []*hypothesis
	for _, trial := range j.trials {
		if h := trial.find[at]; h != nil {
			of = append(of, h)
		}
	}
	if len(of) == 1 {
		if effect, ok := of[0].effect(j.Alpha); ok {
			return of[0].judgement(effect), true
		}
	}
	if min(r.Old.Samples, r.New.Samples) < compare.MinSamples {
		return compare.Judgement{}, false
	}
	j.untested = append(j.untested, untested{at: at, several: len(of) > 1})
	// what the medians say, from which nothing follows
	unknown := compare.Effect{Change: compare.Relative(r.Old.Median, r.New.Median), Lo: math.Inf(-1), Hi: math.Inf(1), P: 1, Detectable: math.Inf(1), Noise: true}
	return compare.Judgement{Effect: unknown, Old: r.Old.Figure, New: r.New.Figure}, true
}
