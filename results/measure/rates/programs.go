package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"simhashkit/bench/gobench/ab"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/process"
	"simhashkit/results/measure/comparisons"
)

// programs are the files that are run.
type programs struct{ fphash, bench string }

// build builds what is not there yet.
func (p *programs) build(ctx context.Context, folder string) error {
	for _, program := range []struct {
		path       *string
		name, what string
		how        []string
	}{
		{&p.fphash, "fphash", "simhashkit/cmd/fphash", []string{"build", "-C", ".."}},
		{&p.bench, "bench.test", "simhashkit/bench", []string{"test", "-C", "..", "-c"}},
	} {
		if *program.path != "" {
			continue
		}
		*program.path = filepath.Join(folder, program.name)
		if _, err := process.Output(ctx, exec.Command("go", append(program.how, "-o", *program.path, program.what)...)); err != nil {
			return fmt.Errorf("build %s: %w", program.what, err)
		}
	}
	return nil
}

// extraWork is how much the benchmarks of package bench work more than they count: that many
// percent, in each sample or in one of that many.
type extraWork struct{ percent, every int }

// setting sets the variable for it. Numbers have two digits on either side: the length of the
// environment decides where a process has its stack, and that may change its speed.
func (w extraWork) setting() string {
	if w.every > 0 {
		return fmt.Sprintf("FPHASH_EXTRA_WORK=%02d/%02d", w.percent, w.every)
	}
	return fmt.Sprintf("FPHASH_EXTRA_WORK=%02d", w.percent)
}

// run runs benchmarks in a process and returns the results.
func (p programs) run(ctx context.Context, pattern, benchtime string, samples int, extra extraWork) ([]*benchfmt.Result, error) {
	command := exec.Command(p.bench, "-test.run=^$", "-test.bench="+pattern, "-test.cpu=1", "-test.benchtime="+benchtime, "-test.count="+strconv.Itoa(samples))
	command.Env = append(os.Environ(), extra.setting())
	text, err := process.Output(ctx, command)
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", filepath.Base(p.bench), pattern, err, text)
	}
	var results []*benchfmt.Result
	var reader resultfile.Reader
	for r := range reader.Results(text) {
		results = append(results, r.Clone())
	}
	return results, nil
}

// only runs one benchmark and returns that many samples.
func (p programs) only(ctx context.Context, benchmark, benchtime string, samples int, extra extraWork) ([]*benchfmt.Result, error) {
	results, err := p.run(ctx, ab.Pattern(benchmark), benchtime, samples, extra)
	if err == nil && len(results) != samples {
		err = fmt.Errorf("%s: %d results, expected %d", benchmark, len(results), samples)
	}
	return results, err
}

// operation returns roughly how long an operation of a benchmark takes.
func (p programs) operation(ctx context.Context, benchmark string) (time.Duration, error) {
	const sample = 20 * time.Millisecond
	results, err := p.only(ctx, benchmark, sample.String(), 1, extraWork{})
	if err != nil {
		return 0, err
	}
	return max(1, sample/time.Duration(results[0].Iters)), nil
}

// compare runs fphash ab on the benchmark, the new side with extra work, and fills in what comes
// out.
func (p programs) compare(ctx context.Context, r *comparisons.Record, how plan, budget time.Duration) error {
	side := func(percent int) string {
		return fmt.Sprintf("%s %s -test.run='^$' -test.bench={} -test.cpu=1 -test.benchtime=%s -test.count=%d", extraWork{percent, r.Every}.setting(), quoted(p.bench), how.benchtime(), how.samples)
	}
	began := time.Now()
	text, err := process.Output(ctx, exec.Command(p.fphash, "ab", "--old", side(0), "--new", side(r.Extra), "--bench", ab.Pattern(r.Benchmark),
		"--budget", budget.String(), "--seed", strconv.FormatUint(r.Seed, 10), "--format", "jsonl"))
	r.Seconds = time.Since(began).Seconds()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		r.Exit = exit.ExitCode()
	} else if err != nil {
		return err
	}
	if failure := read(text, r); failure != nil {
		return fmt.Errorf("fphash ab of %s: exit code %d: %w", r.Benchmark, r.Exit, errors.Join(failure, err))
	}
	return nil
}

func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// read fills in what fphash ab has written: JSON lines, of which one is a comparison.
func read(text []byte, r *comparisons.Record) error {
	found := 0
	for line := range bytes.Lines(text) {
		var row struct {
			Type    string                            `json:"type"`
			Verdict string                            `json:"verdict"`
			New     struct{ Runs int }                `json:"new"`
			Effect  struct{ Change, Lo, Hi *float64 } `json:"effect"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("line %q: %w", line, err)
		}
		if row.Type == "comparison" {
			found++
			r.Verdict, r.Rounds = row.Verdict, row.New.Runs
			r.Change, r.Lo, r.Hi = row.Effect.Change, row.Effect.Lo, row.Effect.Hi
		}
	}
	if found != 1 || r.Exit < 0 || r.Exit > 2 {
		return fmt.Errorf("%d comparisons; expected one, and an exit code from 0 to 2", found)
	}
	return nil
}
