// Package ab compares two programs by running them in turn until it is clear whether one is slower.
//
// A round is one process run of each side, back to back, in an order that a fair coin draws. If
// nothing has changed, the two runs of a round could as well have been the other way round,
// whatever the noise is. Package paired tests just that. To take all samples of one side first has
// no such ground: a clock that slows down in between looks like a regression.
//
// The evidence is a process run, not a sample, since some benchmarks differ from process to process
// by several percent. So a run is short and has many short samples, of which most are not
// interrupted even on a busy machine. Its figure is the better quartile of the samples: what the
// program takes while nothing disturbs it.
//
// The quartile does not see what slows down fewer than three quarters of the samples. A second
// test, with a fifth of the comparison's alpha, is of the means of all samples. Either test may
// call a change, and nothing is called no change while the other estimate is beyond the threshold.
// Neither sees garbage collection before package testing starts the clock; bytes and allocations
// per operation are judged beside the times.
//
// A report shows the figures that were judged, and not the medians of all samples.
//
// # Alpha
//
// Every unit with noise, of every benchmark that both sides have, is a comparison with its own
// share of alpha, so alpha bounds the probability of any false alarm. Units that do not vary in the
// first round, such as allocations, share a tenth of alpha; the others have equal parts of the
// rest. Shares are fixed before anything is tested, so what the first round lacks is a gap.
//
// Units that a program declares exact are judged by package compare. Bytes and allocations per
// operation are exact too where at least six samples of a side are all the same. Times that do not
// vary are tested all the same, since a clock may have few digits.
//
// A comparison that is decided leaves its time to the others, and a run stops as soon as everything
// is decided. So other tests, which assume a fixed number of samples, raise more false alarms on
// its output than their alpha says.
package ab

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"time"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/english"
	"simhashkit/internal/process"
)

// Runner runs a process and returns what it printed in Go benchmark format, also with an error.
type Runner func(context.Context) (text []byte, err error)

// Task is what a process of each side runs: one benchmark, or several that cannot be separated.
type Task struct {
	Name       string // for people
	Old, New   Runner // nil: that side lacks it; the other is run once
	Benchmarks int    // that a process runs, each with a budget of its own; 0: one
}

// Progress says how far a run has come.
type Progress struct {
	Task        string
	Round       int // of the task
	Comparisons int // 0 in the first rounds
	Decided     int
	Elapsed     time.Duration
	Budget      time.Duration // of everything; 0 in the first rounds
}

// Result is what a run has found.
type Result struct {
	Report *compare.Report
	engine engine
}

// Run runs rounds of the tasks in turn until all comparisons are decided or the budget is used. It
// fails if the context is done before that, or if nothing is left to compare; the report has what
// failed. Processes inherit what the thread of the calling goroutine is bound to.
func Run(ctx context.Context, tasks []Task, o Options) (*Result, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if len(tasks) == 0 {
		return nil, errors.New("ab: nothing to run")
	}
	judge, err := newJudge(o.Rules, len(tasks))
	if err != nil {
		return nil, err
	}
	e := &engine{Options: o, judge: judge, coin: rand.New(rand.NewPCG(o.Seed, 0x6162)), start: o.now()}
	e.old.label, e.new.label = o.Old, o.New
	for i, t := range tasks {
		e.jobs = append(e.jobs, &job{Task: t, number: i})
	}
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	return e.result()
}

// DefaultBudget is the time for a benchmark by default.
const DefaultBudget = 15 * time.Second

// Options says how long sides are run, and how they are judged.
type Options struct {
	compare.Rules
	Old, New string        // labels of the sides; "": old, new
	Budget   time.Duration // wall clock, for a benchmark; 0: DefaultBudget
	Seed     uint64        // of the coin
	Progress func(Progress)

	now func() time.Time // a test's clock
	// a test's context.WithTimeoutCause
	timeout func(context.Context, time.Duration, error) (context.Context, context.CancelFunc)
}

// Check returns the error that Run has for options that make no sense.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

func (o Options) withDefaults() (Options, error) {
	o.Old, o.New, o.Budget = cmp.Or(o.Old, "old"), cmp.Or(o.New, "new"), cmp.Or(o.Budget, DefaultBudget)
	if o.Old == o.New {
		return o, fmt.Errorf("ab: both sides are called %q; expected two labels", o.Old)
	}
	if o.Budget < 0 {
		return o, fmt.Errorf("ab: budget %v: expected a positive one", o.Budget)
	}
	var err error
	if o.Rules, err = o.Rules.WithDefaults(); err != nil {
		return o, fmt.Errorf("ab: %w", err)
	}
	if _, err := newParser(o.Ignore); err != nil {
		return o, err
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.now == nil {
		o.now = time.Now
	}
	if o.timeout == nil {
		o.timeout = context.WithTimeoutCause
	}
	return o, nil
}

type job struct {
	Task
	number   int // in Options.Tasks, and of its trial
	rounds   int
	took     time.Duration // all of its rounds
	shortest time.Duration // of its rounds: a stalled one is no forecast
	longest  time.Duration // of its runs, of either side
	over     bool          // it failed, or one side does not have it
}

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

// run runs a first round of all tasks, which shows the comparisons, and more until all is decided.
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
// time for it. It reports whether there was one. So long rounds do not starve other tasks.
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

// round runs both sides of a task once. Its error is that of the context.
func (e *engine) round(ctx context.Context, j *job) error {
	began := e.now()
	e.Progress(Progress{Task: j.Name, Round: j.rounds + 1, Comparisons: len(e.judge.hypotheses), Decided: e.judge.decided(), Elapsed: began.Sub(e.start), Budget: e.budget})
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

func (e *engine) result() (*Result, error) {
	report, err := compare.Compare([]compare.Input{e.old.input(), e.new.input()}, compare.Options{Rules: e.Rules, Judge: e.judge.judgement})
	if err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	report.Notes = append(report.Notes, e.note())
	e.judge.notes(report)
	e.locate(report)
	return &Result{report, *e}, nil
}

const (
	// leastPatience is how long a program may always take at first: nobody knows what it needs
	leastPatience = 10 * time.Second
	stalled       = 10          // longest runs that a run may take beyond the budget, on a busy machine
	leastStall    = time.Second // that a run may always take after the first ones
)

// Patience is how long an unknown benchmark may print nothing: its budget, or ten seconds.
func Patience(budget time.Duration) time.Duration { return max(budget, leastPatience) }

// FirstRun runs an unknown program, and stops it if it prints nothing for as long as patience.
func FirstRun(ctx context.Context, command *exec.Cmd, patience time.Duration) ([]byte, error) {
	text, err := process.RunUntilSilent(ctx, command, patience)
	if errors.Is(err, process.ErrSilent) {
		err = fmt.Errorf("%w%s", err, advice)
	}
	return text, err
}

// errHangs is the cause with which a run is stopped.
var errHangs = errors.New("it had not ended")

const advice = ", and it was stopped; if it does not hang, it needs a larger --budget"

// limit is how long the next run may take: what is left of the budget, or what a busy machine
// needs.
func (e *engine) limit(j *job) time.Duration {
	own := Patience(e.Budget * time.Duration(max(1, j.Benchmarks)))
	if j.rounds == 0 {
		return own
	}
	left := e.budget - e.now().Sub(e.start)
	return max(min(own, left), stalled*j.longest, leastStall)
}

// runLimited runs one side of a task. If it takes too long, it stops it and drops a partial line.
func (e *engine) runLimited(ctx context.Context, j *job, r Runner) ([]byte, error) {
	limit := e.limit(j)
	limited, cancel := e.timeout(ctx, limit, fmt.Errorf("%w after %v%s", errHangs, limit.Round(time.Second/10), advice))
	defer cancel()
	began := e.now()
	text, err := r(limited)
	if errors.Is(err, errHangs) {
		if name := Unfinished(text); name != "" && !strings.Contains(j.Name, name) {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return text[:bytes.LastIndexByte(text, '\n')+1], err
	}
	j.longest = max(j.longest, e.now().Sub(began))
	return text, err
}

func (e *engine) note() string {
	var rounds []int
	for _, j := range e.jobs {
		rounds = append(rounds, j.rounds)
	}
	least, most := slices.Min(rounds), slices.Max(rounds)
	text := english.Count(most, "round")
	if least < most {
		text = fmt.Sprintf("%d to %s", least, text)
	}
	if len(rounds) > 1 {
		text += fmt.Sprintf(" of %d tasks", len(rounds))
	}
	budget := e.budget
	if budget >= time.Second { // what is less stays as it was asked for
		budget = budget.Round(time.Second / 10)
	}
	text += fmt.Sprintf(" in %s of at most %s, in an order drawn by seed %d", e.elapsed.Round(time.Second/10), budget, e.Seed)
	if comparisons := len(e.judge.hypotheses); comparisons > 0 {
		decided := e.judge.decided()
		text += fmt.Sprintf("; %d of %s %s decided early", decided, english.Count(comparisons, "comparison"), english.Plural(decided, "was", "were"))
	}
	return text
}

// locate drops the line numbers of gaps, since nobody has the output of a side as a file. A failure
// and a line that does not parse name their side, and the line is quoted; other gaps name sides in
// their message.
func (e *engine) locate(r *compare.Report) {
	for i := range r.Gaps {
		g := &r.Gaps[i]
		switch g.Kind {
		case compare.GapSyntax:
			if text := e.lineOf(g.File, g.Line); text != "" {
				g.Message += fmt.Sprintf(": %q", text)
				name, _, _ := strings.Cut(text, " ")
				g.Benchmark = strings.TrimPrefix(name, "Benchmark")
			}
		case compare.GapFailed, compare.GapEmpty:
		default:
			g.File = ""
		}
		g.Line = 0
	}
}

// lineOf returns a line of what a side has printed, by the side's label.
func (e *engine) lineOf(label string, number int) string {
	for _, s := range []*output{&e.old, &e.new} {
		if lines := strings.Split(s.text.String(), "\n"); s.label == label && number <= len(lines) {
			return strings.TrimSpace(lines[number-1])
		}
	}
	return ""
}
