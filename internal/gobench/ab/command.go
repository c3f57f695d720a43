package ab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"simhashkit/internal/gobench/samples"
	"simhashkit/internal/process"
)

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

// unfinished returns the benchmark that was running when the output ended, or "" if the output does
// not end with a name.
func unfinished(text []byte) string {
	text = bytes.TrimSpace(text)
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, '\n')+1:]))
	if len(fields) != 1 || !strings.HasPrefix(fields[0], "Benchmark") {
		return ""
	}
	return fields[0]
}
