package ab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/process"
)

// placeholder is replaced in a command by a regular expression for go test -bench.
const placeholder = "{}"

// longestSilence is how long the first run of a command may print nothing. The run may have to
// build.
var longestSilence = time.Minute

// Commands returns the tasks of two shell commands that print results in Go benchmark format. If
// both contain {}, each benchmark that matches the regular expression match is a task, and a
// pattern for it replaces {}. Otherwise, every run has all benchmarks. Commands runs both once to
// list the benchmarks, and stops a command that prints nothing for too long.
func Commands(ctx context.Context, old, new, match string, budget time.Duration) ([]Task, error) {
	patience := max(budget/10, longestSilence)
	if strings.Contains(old, placeholder) != strings.Contains(new, placeholder) {
		return nil, fmt.Errorf("ab: only one command contains %s; expected it in both or in none", placeholder)
	}
	var names [2][]string
	var took time.Duration
	for i, line := range []string{old, new} {
		began := time.Now()
		text, err := FirstRun(ctx, process.Shell(withPattern(line, match)), patience)
		took += time.Since(began)
		err = orSilent(text, err)
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		names[i] = Names(text)
		if err != nil && len(names[i]) == 0 {
			return nil, fmt.Errorf("ab: command %q: %w", line, err)
		}
		if len(names[i]) == 0 {
			return nil, fmt.Errorf("ab: command %q printed no benchmark results; expected lines like: BenchmarkName 1000 12.5 ns/op", line)
		}
	}
	tasks := Pairs(names, func(i int, name string) Runner { return shell([]string{old, new}[i], Pattern(name)) })
	if !strings.Contains(old, placeholder) {
		return []Task{{Name: "command", Sides: [2]Runner{shell(old, match), shell(new, match)}, Benchmarks: len(tasks), Round: took}}, nil
	}
	for i := range tasks {
		tasks[i].Round = took / time.Duration(len(tasks))
	}
	return tasks, nil
}

func withPattern(line, pattern string) string {
	word := "'" + strings.ReplaceAll(pattern, "'", `'\''`) + "'"
	for _, quoted := range []string{"'" + placeholder + "'", `"` + placeholder + `"`, placeholder} {
		line = strings.ReplaceAll(line, quoted, word)
	}
	return line
}

// shell returns a runner of the command line with the pattern in place of {}.
func shell(line, pattern string) Runner {
	line = withPattern(line, pattern)
	return func(ctx context.Context) ([]byte, error) {
		text, err := process.Run(ctx, process.Shell(line))
		return text, orSilent(text, err)
	}
}

// orSilent returns err. If err is nil and nothing was printed, it returns an error.
func orSilent(text []byte, err error) error {
	if err == nil && len(text) == 0 {
		return errors.New("it printed nothing")
	}
	return err
}

// Names returns the full names of the benchmarks in an output, in order of appearance.
func Names(text []byte) []string {
	var names []string
	var reader resultfile.Reader
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

// Pairs returns a task for each benchmark of either side, with a runner for each side that has it.
func Pairs(names [2][]string, runner func(side int, name string) Runner) []Task {
	var tasks []Task
	for _, name := range slices.Concat(names[0], names[1]) {
		if slices.ContainsFunc(tasks, func(t Task) bool { return t.Name == name }) {
			continue
		}
		t := Task{Name: name}
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

// Pattern returns the -bench pattern that matches a name in an output. A suffix such as -8 is
// optional in the pattern: it may be part of the name, or the number of processors.
func Pattern(name string) string {
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
