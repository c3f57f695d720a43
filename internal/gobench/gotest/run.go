package gotest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"simhashkit/internal/english"
	"simhashkit/internal/gobench/ab"
	"simhashkit/internal/gobench/samples"
)

// A run has many samples that are shorter than the time slice of a process on a busy machine, so
// that most samples are not interrupted. Together they take about as long as the start of a
// process, so that about a hundred runs of each side fit into the default budget.
const (
	sampleTime    = time.Millisecond
	longestSample = 20 * sampleTime // if the untimed preparation of a sample takes long
	maxSamples    = 60
	runTime       = maxSamples * sampleTime // of all samples with their preparation
	longestRun    = 5 * runTime             // if the process takes long to start
)

type plan struct {
	iterations int // per sample
	samples    int
}

// errUnreadable is the error of a benchmark that prints text between its name and its figures.
var errUnreadable = errors.New("no results could be read from more than one iteration; does the benchmark print to standard output?")

// calibrate finds a plan for the sides of a task that have the benchmark. A side on which the
// benchmark hangs or fails gets a failing runner, so that the first round reports it. A benchmark
// may fail here although the single iteration of the listing passed.
func (p *preparation) calibrate(ctx context.Context, of [2]*binary, lists [2]listing, t *ab.Task) (plan, error) {
	p.Progress("calibrating " + t.Name)
	pattern := patternOf(t.Name)
	rate := math.Inf(1) // iterations per second of the slower side
	var some *binary
	for i, b := range of {
		runner := &t.Sides[i]
		if broken := lists[i].broken[t.Name]; broken != nil {
			*runner = failingRunner(nil, broken)
			continue
		}
		if *runner == nil {
			continue
		}
		text, _, err := p.run(ctx, b, pattern, sampleTime.String(), 3)
		if cause := context.Cause(ctx); cause != nil {
			return plan{}, cause
		}
		found := rateOf(text)
		if err == nil && math.IsInf(found, 1) {
			err = errUnreadable
		}
		if err != nil {
			*runner = failingRunner(text, err)
			continue
		}
		some, rate = b, min(rate, found)
	}
	if some == nil {
		return plan{1, 1}, nil
	}
	// Runs with few and many samples show the cost of a process and of preparing a sample.
	iterations := iterationsFor(rate, sampleTime.Seconds())
	timed := float64(iterations) / rate
	few, many := 1, max(2, min(11, int(runTime.Seconds()/timed)))
	var took, wall [2]float64
	for i, count := range []int{few, many} {
		began := time.Now()
		_, seconds, err := p.run(ctx, some, pattern, fmt.Sprintf("%dx", iterations), count)
		if cause := context.Cause(ctx); cause != nil {
			return plan{}, cause
		}
		if err != nil {
			return plan{iterations, 1}, nil
		}
		took[i], wall[i] = seconds, time.Since(began).Seconds()
	}
	perSample := (took[1] - took[0]) / float64(many-few)
	plan := planFor(rate, max(0, perSample-timed), max(0, took[0]-perSample))
	longer := float64(plan.iterations) / float64(iterations)
	more := float64(plan.samples-1) / float64(many-few)
	t.Round = time.Duration(2 * longer * (wall[0] + more*max(0, wall[1]-wall[0])) * float64(time.Second))
	return plan, nil
}

// planFor returns the plan for a rate in iterations per second, and for the seconds that it takes
// to prepare a sample and to start a process.
func planFor(rate, preparation, start float64) plan {
	sample := min(max(preparation/2, sampleTime.Seconds()), longestSample.Seconds())
	iterations := iterationsFor(rate, sample)
	all := min(max(start, runTime.Seconds()), longestRun.Seconds())
	samples := all / (float64(iterations)/rate + preparation)
	return plan{iterations, int(min(max(samples, 1), maxSamples))}
}

func iterationsFor(rate, seconds float64) int { return int(min(max(rate*seconds, 1), 1e9)) }

// rateOf returns the iterations per second of the slowest benchmark, from its fastest sample.
func rateOf(text []byte) float64 {
	fastest := map[string]float64{}
	var reader samples.Reader
	for r := range reader.Results(text) {
		rate := float64(r.Iters) / sampleTime.Seconds() // if a benchmark reports no time
		if perOperation, ok := r.Value("sec/op"); ok && perOperation > 0 {
			rate = 1 / perOperation
		}
		fastest[r.Name.String()] = max(fastest[r.Name.String()], rate)
	}
	slowest := math.Inf(1)
	for _, rate := range fastest {
		slowest = min(slowest, rate)
	}
	return slowest
}

// runProcess is ab.RunProcess; tests replace it.
var runProcess = ab.RunProcess

// run runs benchmarks, and returns the output and the seconds of processor time.
func (p *preparation) run(ctx context.Context, b *binary, pattern, benchtime string, count int, more ...string) (text []byte, seconds float64, err error) {
	command := b.command(p.CPU, pattern, benchtime, count, more...)
	text, err = runProcess(ctx, command, ab.Patience(p.Budget))
	if command.ProcessState != nil {
		seconds = (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds()
	}
	return text, seconds, err
}

func (b *binary) command(cpus int, pattern, benchtime string, count int, more ...string) *exec.Cmd {
	args := []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchmem", "-test.benchtime=" + benchtime, fmt.Sprintf("-test.count=%d", count), fmt.Sprintf("-test.cpu=%d", cpus)}
	command := exec.Command(b.path, append(args, more...)...)
	command.Dir, command.Env = b.folder, b.source.environment
	return command
}

type listing struct {
	names  []string
	broken map[string]error // benchmarks that hang or end the process, with errors
	output []byte           // of the last run
	err    error            // of the last run, which skips broken benchmarks
}

// listing runs every benchmark once, and again without those that hang or end the process, for
// example by a panic, so that it reaches the benchmarks behind them. It returns an error only if
// ctx is done.
func (p *preparation) listing(ctx context.Context, b *binary) (listing, error) {
	l := listing{broken: map[string]error{}}
	var broken []string
	for {
		more := []string{"-test.v"} // so that names are printed before the benchmarks are run
		if len(broken) > 0 {
			more = append(more, "-test.skip="+strings.Join(broken, "|"))
		}
		text, _, err := p.run(ctx, b, p.Bench, "1x", 1, more...)
		if cause := context.Cause(ctx); cause != nil {
			return l, cause
		}
		for _, name := range ab.Names(text) {
			if !slices.Contains(l.names, name) {
				l.names = append(l.names, name)
			}
		}
		l.output, l.err = text, err
		name := ab.Unfinished(text)
		if err == nil || name == "" {
			return l, nil
		}
		if p.CPU > 1 { // results have names with this suffix
			name = fmt.Sprintf("%s-%d", strings.TrimSuffix(name, fmt.Sprintf("-%d", p.CPU)), p.CPU)
		}
		if l.broken[name] != nil { // the go command did not skip it
			return l, nil
		}
		l.names, l.broken[name] = append(l.names, name), err
		broken = append(broken, patternOf(name))
	}
}

// skipped matches the indented messages of a benchmark that skips itself, and its name.
var skipped = regexp.MustCompile(`(?m)((?:^ .*\n)*?)^ *--- SKIP: (\S+)`)

// position matches the file and line before a message of package testing.
var position = regexp.MustCompile(`^\S+\.go:\d+: `)

// skips describes the benchmarks that skip themselves, one line for each reason: "A, B were
// skipped: no network". The output is that of test binaries with -test.v.
func skips(output []byte) (list []string) {
	var reasons []string
	names := map[string][]string{} // by reason
	for _, match := range skipped.FindAllSubmatch(output, -1) {
		name := string(match[2])
		reason := position.ReplaceAllString(strings.Join(strings.Fields(string(match[1])), " "), "")
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		if !slices.Contains(names[reason], name) {
			names[reason] = append(names[reason], name)
		}
	}
	for _, reason := range reasons {
		line := fmt.Sprintf("%s %s skipped", english.Some(names[reason], ", "), english.Plural(len(names[reason]), "was", "were"))
		if reason != "" {
			line += ": " + reason
		}
		list = append(list, line)
	}
	return list
}

// pairs returns a task for each benchmark of either side, with a runner for each side that has it.
func pairs(names [2][]string, runner func(side int, name string) ab.Runner) []ab.Task {
	var tasks []ab.Task
	for _, name := range slices.Concat(names[0], names[1]) {
		if slices.ContainsFunc(tasks, func(t ab.Task) bool { return t.Name == name }) {
			continue
		}
		t := ab.Task{Name: name}
		for side := range t.Sides {
			if slices.Contains(names[side], name) {
				t.Sides[side] = runner(side, name)
			}
		}
		tasks = append(tasks, t)
	}
	return tasks
}

var procs = regexp.MustCompile(`-[0-9]+$`)

// patternOf returns the -bench pattern that matches a name in an output. A suffix such as -8 is
// optional in the pattern: it may be part of the name, or the number of processors.
func patternOf(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		optional := ""
		if i == len(parts)-1 {
			if suffix := procs.FindString(part); suffix != "" {
				part, optional = strings.TrimSuffix(part, suffix), "("+suffix+")?"
			}
		}
		parts[i] = "^" + regexp.QuoteMeta(part) + optional + "$"
	}
	return strings.Join(parts, "/")
}
