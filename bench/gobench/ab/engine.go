package ab

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"simhashkit/bench/gobench/compare"
)

// job is a task while it is run.
type job struct {
	Task
	rounds     int
	took       time.Duration // all of its rounds
	shortest   time.Duration // of its rounds: a stalled one is no forecast
	longest    time.Duration // of its runs, of either side
	over       bool          // it failed, or one side does not have it
	hypotheses []*hypothesis
	find       map[place]*hypothesis
	late       map[place]int // what only a later round has figures of both sides of: that round
}

type engine struct {
	Options
	parser     *parser
	coin       *rand.Rand
	jobs       []*job
	old, new   side
	hypotheses []*hypothesis // of all jobs, in order
	benchmarks int           // that both sides have
	budget     time.Duration // of everything; 0 in the first rounds
	start      time.Time
	elapsed    time.Duration
	untested   []untested // what the report has no verdict of
}

func newEngine(tasks []Task, o Options) (*engine, error) {
	p, err := newParser(o.Ignore)
	if err != nil {
		return nil, err
	}
	e := &engine{Options: o, parser: p, coin: rand.New(rand.NewPCG(o.Seed, 0x6162)), old: side{label: o.Old}, new: side{label: o.New}}
	for _, t := range tasks {
		e.jobs = append(e.jobs, &job{Task: t, find: map[place]*hypothesis{}, late: map[place]int{}})
	}
	return e, nil
}

// run runs first rounds of all tasks, which show how many comparisons there are, and then rounds
// until all is decided.
func (e *engine) run(ctx context.Context) error {
	e.start = e.now()
	for _, j := range e.jobs {
		if err := e.round(ctx, j); err != nil {
			return err
		}
	}
	e.open()
	for e.turn(ctx) {
	}
	e.elapsed = e.now().Sub(e.start)
	for _, h := range e.hypotheses {
		h.close()
	}
	return context.Cause(ctx)
}

// turn runs a round of the task that has had the least time, among those that want one and have the
// time for it, and reports whether there was one. So long rounds do not keep the others from having
// their share, and the rounds of a task are spread over the whole of the run.
func (e *engine) turn(ctx context.Context) bool {
	var next *job
	left := e.budget - e.now().Sub(e.start)
	for _, j := range e.jobs {
		if (next == nil || j.took < next.took) && e.wanted(j) && j.shortest <= left {
			next = j
		}
	}
	return next != nil && e.round(ctx, next) == nil // otherwise the context is done
}

func (e *engine) wanted(j *job) bool {
	if j.over {
		return false
	}
	for _, h := range j.hypotheses {
		if h.wanted() {
			return true
		}
	}
	return false
}

// round runs both sides of a task once. Its error is that of the context; a task that fails is
// over.
func (e *engine) round(ctx context.Context, j *job) error {
	e.Progress(e.progress(j))
	began := e.now()
	type run struct {
		side   *side
		runner Runner
		figures
	}
	runs := []*run{{side: &e.old, runner: j.Old}, {side: &e.new, runner: j.New}}
	if e.coin.IntN(2) == 1 {
		runs[0], runs[1] = runs[1], runs[0]
	}
	both := true
	for _, r := range runs {
		if r.runner == nil {
			both = false
			continue
		}
		e.Before()
		text, err := e.runLimited(ctx, j, r.runner)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		r.side.add(e.now(), text)
		if err != nil {
			r.side.fail(j.Name, text, err)
			both = false
			continue
		}
		r.figures = e.parser.parse(text)
	}
	j.rounds++
	took := e.now().Sub(began)
	j.took += took
	if j.rounds == 1 || took < j.shortest {
		j.shortest = took
	}
	if !both {
		j.over = true
		return nil
	}
	if runs[0].side == &e.new {
		runs[0], runs[1] = runs[1], runs[0]
	}
	e.pair(j, runs[0].figures, runs[1].figures)
	return nil
}

// pair adds what both sides have figures of. What turns up only after the first round has no share
// of alpha, and is not tested.
func (e *engine) pair(j *job, old, new figures) {
	for _, at := range old.order {
		other, ok := new.of[at]
		if !ok {
			continue
		}
		h := j.find[at]
		if h == nil {
			if j.rounds > 1 {
				if j.late[at] == 0 {
					j.late[at] = j.rounds
				}
				continue
			}
			h = newHypothesis(at)
			j.find[at] = h
			j.hypotheses = append(j.hypotheses, h)
		}
		h.add(old.of[at], other)
		if !e.Control {
			h.look()
		}
	}
}

// open fixes what each comparison has of alpha, and the budget, by the first rounds.
func (e *engine) open() {
	known := map[place]bool{}
	noisy, quiet := 0, 0
	for _, j := range e.jobs {
		for _, h := range j.hypotheses {
			known[h.at.benchmark()] = true
			time := j.find[place{h.at.config, h.at.row, "sec/op"}]
			switch {
			case time != nil && h.follows(time):
			case h.quiet:
				quiet++
			default:
				noisy++
			}
		}
		e.hypotheses = append(e.hypotheses, j.hypotheses...)
	}
	e.benchmarks = len(known)
	e.budget = e.Budget * time.Duration(max(1, e.benchmarks))
	for _, j := range e.jobs {
		if j.over { // the others are to have their time all the same
			e.budget += j.took
		}
	}
	forQuiet := quietShare
	if noisy == 0 {
		forQuiet = 1
	} else if quiet == 0 {
		forQuiet = 0
	}
	for _, h := range e.hypotheses {
		share := e.Alpha * (1 - forQuiet) / float64(noisy)
		if h.quiet {
			share = e.Alpha * forQuiet / float64(quiet)
		}
		if h.time == nil {
			h.open(share, e.Threshold.Of(h.Unit, false))
		}
	}
}

func (e *engine) progress(j *job) Progress {
	p := Progress{Task: j.Name, Round: j.rounds + 1, Comparisons: len(e.hypotheses), Elapsed: e.now().Sub(e.start), Budget: e.budget}
	for _, h := range e.hypotheses {
		if h.decided() {
			p.Decided++
		}
	}
	return p
}

// result judges.
func (e *engine) result() (*Result, error) {
	r := &Result{Old: e.old.text.Bytes(), New: e.new.text.Bytes(), Elapsed: e.elapsed}
	for _, j := range e.jobs {
		r.Rounds += j.rounds
	}
	for _, h := range e.hypotheses {
		r.Comparisons = append(r.Comparisons, h.Comparison)
	}
	o := e.comparison()
	o.Judge = e.judge
	report, err := compare.Compare([]compare.Input{e.old.input(), e.new.input()}, o)
	if err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	r.Report = report
	e.notes(report)
	e.locate(report)
	return r, nil
}
