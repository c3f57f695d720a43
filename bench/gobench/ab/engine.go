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
	number   int // in Options.Tasks, and of its trial
	rounds   int
	took     time.Duration // all of its rounds
	shortest time.Duration // of its rounds: a stalled one is no forecast
	longest  time.Duration // of its runs, of either side
	over     bool          // it failed, or one side does not have it
}

// engine runs the rounds.
type engine struct {
	Options
	judge    *judge
	coin     *rand.Rand
	jobs     []*job
	old, new output
	budget   time.Duration // of everything; 0 in the first rounds
	start    time.Time
	elapsed  time.Duration
}

func newEngine(tasks []Task, o Options) (*engine, error) {
	judge, err := newJudge(o.Rules, o.Control, len(tasks))
	if err != nil {
		return nil, err
	}
	e := &engine{Options: o, judge: judge, coin: rand.New(rand.NewPCG(o.Seed, 0x6162)), start: o.now()}
	e.old.label, e.new.label = o.Old, o.New
	for i, t := range tasks {
		e.jobs = append(e.jobs, &job{Task: t, number: i})
	}
	return e, nil
}

// run runs first rounds of all tasks, which show how many comparisons there are, and then rounds
// until all is decided.
func (e *engine) run(ctx context.Context) error {
	for _, j := range e.jobs {
		if err := e.round(ctx, j); err != nil {
			return err
		}
	}
	e.judge.open()
	e.budget = e.Budget * time.Duration(max(1, e.judge.benchmarks()))
	for _, j := range e.jobs {
		if j.over { // the others are to have their time all the same
			e.budget += j.took
		}
	}
	for e.turn(ctx) {
	}
	e.elapsed = e.now().Sub(e.start)
	e.judge.close()
	return context.Cause(ctx)
}

// turn runs a round of the task that has had the least time, among those that want one and have the
// time for it, and reports whether there was one. So long rounds do not keep the others from having
// their share, and the rounds of a task are spread over the whole of the run.
func (e *engine) turn(ctx context.Context) bool {
	var next *job
	left := e.budget - e.now().Sub(e.start)
	for _, j := range e.jobs {
		if (next == nil || j.took < next.took) && !j.over && e.judge.wanted(j.number) && j.shortest <= left {
			next = j
		}
	}
	return next != nil && e.round(ctx, next) == nil // otherwise the context is done
}

// round runs both sides of a task once. Its error is that of the context; a task that fails is
// over.
func (e *engine) round(ctx context.Context, j *job) error {
	e.Progress(e.progress(j))
	began := e.now()
	type run struct {
		output *output
		runner Runner
		figures
	}
	old, new := &run{output: &e.old, runner: j.Old}, &run{output: &e.new, runner: j.New}
	order := []*run{old, new}
	if e.coin.IntN(2) == 1 {
		order = []*run{new, old}
	}
	for _, r := range order {
		if r.runner == nil {
			j.over = true
			continue
		}
		text, err := e.runLimited(ctx, j, r.runner)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		r.output.add(e.now(), turn{j.number, j.rounds + 1}, text, err)
		if err != nil {
			r.output.fail(j.Name, text, err)
			j.over = true
			continue
		}
		r.figures = e.judge.parser.parse(text)
	}
	j.rounds++
	took := e.now().Sub(began)
	j.took += took
	if j.rounds == 1 || took < j.shortest {
		j.shortest = took
	}
	if !j.over {
		e.judge.add(j.number, j.rounds, old.figures, new.figures)
	}
	return nil
}

func (e *engine) progress(j *job) Progress {
	return Progress{Task: j.Name, Round: j.rounds + 1, Comparisons: len(e.judge.hypotheses), Decided: e.judge.decided(), Elapsed: e.now().Sub(e.start), Budget: e.budget}
}

// result makes the report.
func (e *engine) result() (*Result, error) {
	r := &Result{Old: e.old.text.Bytes(), New: e.new.text.Bytes(), Elapsed: e.elapsed, seed: e.Seed, start: e.start.UTC().Format(time.RFC3339)}
	for _, j := range e.jobs {
		r.Rounds += j.rounds
	}
	for _, h := range e.judge.hypotheses {
		r.Comparisons = append(r.Comparisons, h.Comparison)
	}
	report, err := compare.Compare([]compare.Input{e.old.input(), e.new.input()}, compare.Options{Rules: e.Rules, Judge: e.judge.judgement})
	if err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	r.Report = report
	report.Notes = append(report.Notes, e.note())
	e.judge.notes(report)
	e.locate(report)
	return r, nil
}
