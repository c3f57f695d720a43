// Package ab compares two programs by running them in turn until it is clear whether one is slower.
//
// A round is one process run of each side, back to back, in random order. Package paired tests the
// hypothesis that both orders of the two figures of a round are equally likely. If all samples of
// one side were taken first, a clock that slows down would look like a regression.
//
// The unit of evidence is a process run, not a sample, since some benchmarks differ by several
// percent between processes. A run has many short samples, most of which are not interrupted even
// on a busy machine. The figure of a run, which reports show, is the better quartile of its
// samples: the time that the program takes without disturbances. The quartile misses a slowdown of
// fewer than three quarters of the samples. A second test, with a fifth of the comparison's alpha,
// compares the means of all samples. Either test may report a change, and either may exclude no
// change. Neither includes garbage collection before package testing starts the clock.
//
// Package compare judges units that a program declares exact. Bytes and allocations per operation
// are also exact if at least six samples of each side are all equal, and have not changed if all
// figures are within the threshold of each other. Times that do not vary are tested like others,
// since a clock may be coarse.
//
// # Alpha
//
// Each unit of each benchmark that both sides have is a comparison with its own share of alpha, so
// alpha bounds the probability of any false alarm. Units that do not vary in the first round share
// a tenth of alpha; the others have equal parts of the rest. Shares are fixed before any test, so a
// benchmark that is missing in the first round is a gap.
//
// # Budget
//
// A decided comparison leaves its time to the others, and Run stops when all comparisons are
// decided. Tasks whose estimated change is beyond the threshold have more time than the others. If
// the budget is too small for all tasks, those with the shortest rounds are decided first. Tests
// that assume a fixed number of samples raise more false alarms on such output than their alpha
// states.
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
	"simhashkit/internal/gobench/paired"
	"simhashkit/internal/gobench/samples"
	"simhashkit/internal/process"
)

// Runner runs a process and returns its output in Go benchmark format, even if it returns an error.
// It must stop a process that hangs, such as RunProcess does.
type Runner func(context.Context) (text []byte, err error)

// Task defines what a process of each side runs: one benchmark, or several that cannot be
// separated.
type Task struct {
	Name       string    // in messages
	Sides      [2]Runner // old and new; nil if a side does not have the benchmark: the other is run once
	Benchmarks int       // number of benchmarks, for the default budget; 0 means 1

	Round time.Duration // expected duration of a round, for the estimate; 0 if unknown
}

// Progress is the progress of Run.
type Progress struct {
	Task        string
	Round       int // of the task
	Comparisons int // 0 in the first rounds
	Decided     int
	Elapsed     time.Duration
	Budget      time.Duration // for all tasks
}

// Result is the result of Run.
type Result struct {
	Report *compare.Report
	engine engine
}

// Run runs rounds of the tasks in turn until all comparisons are decided or the budget is used up.
// The report lists the tasks that failed or were not run. If the context is done before, Run
// returns its cause and, if there is any, the result of the rounds so far. Processes inherit the
// processor affinity of the calling goroutine's thread.
func Run(ctx context.Context, tasks []Task, o Options) (*Result, error) {
	o, err := o.WithDefaults()
	if err != nil {
		return nil, err
	}
	if len(tasks) == 0 {
		return nil, errors.New("ab: nothing to run")
	}
	judge, err := newJudge(o.Rules)
	if err != nil {
		return nil, err
	}
	e := &engine{Options: o, judge: judge, coin: rand.New(rand.NewPCG(o.Seed, 0x6162)), start: time.Now(), budget: o.total(tasks)}
	e.sides[0].label, e.sides[1].label = o.Old, o.New
	for i, t := range tasks {
		e.jobs = append(e.jobs, &job{Task: t, number: i})
	}
	interrupted := e.run(ctx)
	if interrupted != nil && e.jobs[0].rounds == 0 {
		return nil, interrupted
	}
	result, err := e.result(interrupted)
	return result, cmp.Or(err, interrupted)
}

// The default budget is a time for each benchmark, up to a limit for all.
const (
	defaultBudget = 15 * time.Second
	largestBudget = 30 * time.Minute
)

// Options defines how long the sides run, and how they are judged.
type Options struct {
	Rules    compare.Options // without a Judge; results are grouped as in go test
	Old, New string          // labels of the sides; "" means "old" and "new"
	Budget   time.Duration   // wall-clock time of all rounds; 0 means 15s for each benchmark, at most 30m
	Seed     uint64          // of the random order
	Progress func(Progress)
}

// WithDefaults returns the options with defaults for zero fields. It returns the error with which
// Run would reject them.
func (o Options) WithDefaults() (Options, error) {
	o.Old, o.New = cmp.Or(o.Old, "old"), cmp.Or(o.New, "new")
	if o.Old == o.New {
		return o, fmt.Errorf("ab: both sides are called %q; expected two labels", o.Old)
	}
	if o.Budget < 0 {
		return o, fmt.Errorf("ab: budget %v: expected a positive duration", o.Budget)
	}
	var err error
	if o.Rules, err = o.Rules.WithDefaults(); err != nil {
		return o, fmt.Errorf("ab: %w", err)
	}
	if _, err := newParser(o.Rules.Ignore); err != nil {
		return o, err
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	return o, nil
}

// total returns the budget for all tasks.
func (o Options) total(tasks []Task) time.Duration {
	return cmp.Or(o.Budget, min(time.Duration(benchmarks(tasks))*defaultBudget, largestBudget))
}

func benchmarks(tasks []Task) (n int) {
	for _, t := range tasks {
		n += max(1, t.Benchmarks)
	}
	return n
}

// Estimate describes how long Run takes, in words: "20 benchmarks: 15s to 5m".
func (o Options) Estimate(tasks []Task) string {
	var least time.Duration
	for _, t := range tasks {
		least += paired.MinRounds * t.Round
	}
	text, total := english.Count(benchmarks(tasks), "benchmark"), o.total(tasks)
	if least > total {
		return fmt.Sprintf("%s: %v is too short for %d rounds of each; use --budget %v, or select fewer benchmarks", text, rounded(total), paired.MinRounds, rounded(3*least))
	}
	return fmt.Sprintf("%s: %v to %v", text, rounded(least), rounded(total))
}

// rounded rounds a duration of a second or more.
func rounded(d time.Duration) time.Duration {
	if d >= time.Second {
		return d.Round(time.Second / 10)
	}
	return d
}

type job struct {
	Task
	number   int // index of the task
	rounds   int
	took     time.Duration // duration of all rounds
	shortest time.Duration // shortest round, as a forecast: a round may have stalled
	over     bool          // the task failed, or one side does not have it
}

type engine struct {
	Options
	judge   *judge
	coin    *rand.Rand
	jobs    []*job
	queue   []*job // the jobs with the shortest rounds first
	sides   [2]output
	budget  time.Duration // for all tasks
	start   time.Time
	elapsed time.Duration
}

// run runs a first round of all tasks, which defines the comparisons, and then more rounds until
// all comparisons are decided or the budget is used up. It runs at least one round.
func (e *engine) run(ctx context.Context) error {
	for i, j := range e.jobs {
		if i > 0 && e.left() <= 0 || e.round(ctx, j) != nil {
			break
		}
	}
	e.judge.open()
	e.queue = slices.SortedStableFunc(slices.Values(e.jobs), func(a, b *job) int { return cmp.Compare(a.shortest, b.shortest) })
	for e.turn(ctx) {
	}
	e.elapsed = time.Since(e.start)
	e.judge.close()
	return context.Cause(ctx)
}

func (e *engine) left() time.Duration { return e.budget - time.Since(e.start) }

// suspected is how many times as much time a task has if its estimated change is beyond the
// threshold.
const suspected = 4

// turn runs a round of the task that has used the least time, so that long rounds do not starve
// other tasks. It considers only tasks that are undecided and whose round fits into the remaining
// budget. If the budget is too small for the rounds that all of them need, it considers only those
// with the shortest rounds. It reports whether it ran a round.
func (e *engine) turn(ctx context.Context) bool {
	var next *job
	var used time.Duration // weighted, of next
	left := e.left()
	var needed time.Duration
	for _, j := range e.queue {
		if j.rounds == 0 || j.over || !e.judge.wanted(j.number) || j.shortest > left {
			continue
		}
		own := j.took
		if e.judge.suspects(j.number) {
			own /= suspected
		}
		if next == nil || own < used {
			next, used = j, own
		}
		if needed += j.shortest * time.Duration(max(0, e.judge.enough()-j.rounds)); needed > left {
			break // the others wait until some of these are decided
		}
	}
	return next != nil && e.round(ctx, next) == nil // otherwise the context is done
}

// round runs both sides of a task once. It returns an error only if the context is done.
func (e *engine) round(ctx context.Context, j *job) error {
	began := time.Now()
	now := Progress{Task: j.Name, Round: j.rounds + 1, Elapsed: began.Sub(e.start), Budget: e.budget}
	if e.judge.opened {
		now.Comparisons, now.Decided = len(e.judge.hypotheses), e.judge.decided()
	}
	e.Progress(now)
	var runs [2]struct {
		text    []byte
		err     error
		figures []figure
	}
	order := []int{0, 1}
	if e.coin.IntN(2) == 1 {
		slices.Reverse(order)
	}
	for _, i := range order {
		if j.Sides[i] == nil {
			j.over = true
			continue
		}
		runs[i].text, runs[i].err = j.Sides[i](ctx)
		if cause := context.Cause(ctx); cause != nil {
			return cause // half a round counts for nothing
		}
	}
	for i := range runs {
		if j.Sides[i] == nil {
			continue
		}
		r := &runs[i]
		e.sides[i].add(time.Now(), turn{j.number, j.rounds + 1}, r.text, r.err)
		if r.err != nil {
			e.sides[i].fail(j.Name, r.text, r.err)
			j.over = true
			continue
		}
		r.figures = e.judge.parser.parse(r.text)
	}
	j.rounds++
	took := time.Since(began)
	j.took += took
	if j.rounds == 1 || took < j.shortest {
		j.shortest = took
	}
	if !j.over {
		e.judge.add(j.number, runs[0].figures, runs[1].figures)
	}
	return nil
}

func (e *engine) result(interrupted error) (*Result, error) {
	report, err := e.judge.report(e.sides[0].input(), e.sides[1].input(), e.note(), e.remedy)
	if err != nil {
		return nil, err
	}
	locate(report)
	if interrupted != nil {
		report.Gaps = append(report.Gaps, compare.Gap{Kind: "interrupted", Message: fmt.Sprintf("the run was stopped after %v", rounded(e.elapsed))})
	}
	for _, j := range e.jobs {
		if j.rounds == 0 {
			gap := e.judge.gap(place{row: j.Name}, j.Name+" was not run, since the time was up; use a larger --budget, or select fewer benchmarks")
			gap.Units = nil
			report.Gaps = append(report.Gaps, gap)
		}
	}
	return &Result{report, *e}, nil
}

// remedy returns what would decide the comparisons of a task that need this many more rounds:
// "about 12 more rounds (9s)".
func (e *engine) remedy(task, rounds int) string {
	j := e.jobs[task]
	return fmt.Sprintf("about %s (%v)", english.Count(rounds, "more round"), (time.Duration(rounds) * j.took / time.Duration(j.rounds)).Round(time.Second/10))
}

// Patience returns how long a benchmark may print nothing: a tenth of the budget, but at least 15
// seconds.
func Patience(budget time.Duration) time.Duration { return max(budget/10, defaultBudget) }

// RunProcess runs a process of a side, and stops it if it prints nothing for the duration of
// patience. The error then names the benchmark that was running, and the output has no partial last
// line.
func RunProcess(ctx context.Context, command *exec.Cmd, patience time.Duration) ([]byte, error) {
	text, err := process.RunUntilSilent(ctx, command, patience)
	if !errors.Is(err, process.ErrSilent) {
		return text, err
	}
	err = fmt.Errorf("%w; if it does not hang, use a --budget of more than ten times its duration", err)
	if name := Unfinished(text); name != "" {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return text[:bytes.LastIndexByte(text, '\n')+1], err
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
	text += fmt.Sprintf(" in %s of at most %s, in the random order of seed %d", e.elapsed.Round(time.Second/10), rounded(e.budget), e.Seed)
	if comparisons := len(e.judge.hypotheses); comparisons > 0 {
		decided := e.judge.decided()
		text += fmt.Sprintf("; %d of %s %s decided early", decided, english.Count(comparisons, "comparison"), english.Plural(decided, "was", "were"))
	}
	return text
}

// locate removes the line numbers of gaps, since users do not have the output of a side as a file.
// Gaps of failures and of lines that do not parse name their side; the messages of others contain
// it.
func locate(r *compare.Report) {
	for i := range r.Gaps {
		g := &r.Gaps[i]
		if g.Line = 0; g.Kind != "syntax" && g.Kind != "failed" && g.Kind != "empty" {
			g.File = ""
		}
	}
}

// longestSilence is how long a command may print nothing. Its first run may have to build.
var longestSilence = time.Minute

// Commands returns the task of two shell commands that print results in Go benchmark format.
// Commands runs both once to count the benchmarks.
func Commands(ctx context.Context, old, new string, budget time.Duration) (Task, error) {
	task := Task{Name: "command"}
	var outputs []byte
	patience := max(budget/10, longestSilence)
	began := time.Now()
	for i, line := range []string{old, new} {
		task.Sides[i] = func(ctx context.Context) ([]byte, error) {
			text, err := RunProcess(ctx, process.Shell(line), patience)
			if err == nil && len(text) == 0 {
				err = errors.New("it printed nothing")
			}
			return text, err
		}
		text, err := task.Sides[i](ctx)
		if cause := context.Cause(ctx); cause != nil {
			return task, cause
		}
		if len(Names(text)) == 0 {
			if err != nil {
				return task, fmt.Errorf("ab: command %q: %w", line, err)
			}
			return task, fmt.Errorf("ab: command %q printed no benchmark results; expected lines like: BenchmarkName 1000 12.5 ns/op", line)
		}
		outputs = append(outputs, text...)
	}
	task.Benchmarks, task.Round = len(Names(outputs)), time.Since(began)
	return task, nil
}

// Names returns the full names of the benchmarks in an output, in order of appearance.
func Names(text []byte) []string {
	var names []string
	var reader samples.Reader
	for r := range reader.Results(text) {
		if name := "Benchmark" + r.Name.String(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Unfinished returns the benchmark that was running when the output ended, or "" if the output does
// not end with a name.
func Unfinished(text []byte) string {
	text = bytes.TrimSpace(text)
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, '\n')+1:]))
	if len(fields) != 1 || !strings.HasPrefix(fields[0], "Benchmark") {
		return ""
	}
	return fields[0]
}
