package ab

import (
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

// Pairs returns a task for each benchmark that either side has, named like it; runner is asked for
// a runner of side 0, the old one, or 1, if that side has it.
func Pairs(old, new []string, runner func(side int, name string) Runner) []Task {
	var tasks []Task
	for _, name := range union(old, new) {
		t := Task{Name: name}
		for i, side := range []struct {
			names []string
			set   *Runner
		}{{old, &t.Old}, {new, &t.New}} {
			if slices.Contains(side.names, name) {
				*side.set = runner(i, name)
			}
		}
		tasks = append(tasks, t)
	}
	return tasks
}

// union returns the names that either has, those of a first.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, name := range b {
		if !slices.Contains(a, name) {
			all = append(all, name)
		}
	}
	return all
}

var procs = regexp.MustCompile(`-[0-9]+$`)

// Pattern returns the regular expression by which go test -bench chooses this benchmark, given its
// name in an output, where -8 may stand for eight threads or belong to it.
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
