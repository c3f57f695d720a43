package ab

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
)

// Names returns the names of the benchmarks in an output, with the word Benchmark and in order of
// appearance.
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

// Unfinished returns the name of the benchmark that was running when an output ended, "" if it is
// not known. go test prints the name of a benchmark before its figures, and with -v on a line of
// its own before it runs.
func Unfinished(text []byte) string {
	text = bytes.TrimSpace(text)
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, '\n')+1:]))
	if len(fields) != 1 || !strings.HasPrefix(fields[0], "Benchmark") {
		return ""
	}
	return fields[0]
}

// Pairs returns a task for each benchmark that either side has. It asks runner for a runner of each
// side that has it: 0 is the old side, 1 the new one.
func Pairs(old, new []string, runner func(side int, name string) Runner) []Task {
	var tasks []Task
	for _, name := range old {
		t := Task{Name: name, Old: runner(0, name)}
		if slices.Contains(new, name) {
			t.New = runner(1, name)
		}
		tasks = append(tasks, t)
	}
	for _, name := range new {
		if !slices.Contains(old, name) {
			tasks = append(tasks, Task{Name: name, New: runner(1, name)})
		}
	}
	return tasks
}

var procs = regexp.MustCompile(`-[0-9]+$`)

// Pattern returns the regular expression by which go test -bench chooses the benchmark with this
// name in an output. A suffix such as -8 may be the number of threads or part of the name.
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
