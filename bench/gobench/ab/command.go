package ab

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"simhashkit/internal/process"
)

// placeholder stands in a command for a regular expression that chooses benchmarks, as go test
// -bench takes it.
const placeholder = "{}"

// longestSilence is how long a command may always print nothing in its first run, in which it may
// have to build something. Tests have less time.
var longestSilence = time.Minute

// Commands returns the tasks of two command lines for the shell, which print results in Go
// benchmark format. If both contain {}, each benchmark that match chooses is a task, and a regular
// expression for it takes the place of {}; otherwise every run has all benchmarks. Commands first
// runs each command once, to list its benchmarks and to fill the caches of the system. That run may
// take any time, but must not be silent for a minute, or for the budget of a benchmark if that is
// longer.
func Commands(ctx context.Context, old, new, match string, budget time.Duration) ([]Task, error) {
	patience := max(budget, longestSilence)
	if strings.Contains(old, placeholder) != strings.Contains(new, placeholder) {
		return nil, fmt.Errorf("ab: %s stands in one command only; expected it in both or in none", placeholder)
	}
	var names [2][]string
	for i, line := range []string{old, new} {
		text, err := FirstRun(ctx, process.Shell(withPattern(line, match)), patience)
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
	if !strings.Contains(old, placeholder) {
		tasks := Pairs(names[0], names[1], func(int, string) Runner { return nil }) // to count them
		return []Task{{Name: "command", Old: shell(old, match), New: shell(new, match), Benchmarks: len(tasks)}}, nil
	}
	return Pairs(names[0], names[1], func(i int, name string) Runner { return shell([]string{old, new}[i], Pattern(name)) }), nil
}

// withPattern returns the command line with the pattern in it.
func withPattern(line, pattern string) string {
	word := "'" + strings.ReplaceAll(pattern, "'", `'\''`) + "'"
	for _, quoted := range []string{"'" + placeholder + "'", `"` + placeholder + `"`, placeholder} {
		line = strings.ReplaceAll(line, quoted, word)
	}
	return line
}

// shell returns a runner of the command line with the pattern in it.
func shell(line, pattern string) Runner {
	line = withPattern(line, pattern)
	return func(ctx context.Context) ([]byte, error) {
		text, err := process.Run(ctx, process.Shell(line))
		return text, orSilent(text, err)
	}
}

// orSilent returns err, or an error if there is none and nothing was printed.
func orSilent(text []byte, err error) error {
	if err == nil && len(text) == 0 {
		return errors.New("it printed nothing")
	}
	return err
}
