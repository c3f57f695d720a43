package ab

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"simhashkit/internal/process"
)

// placeholder stands in a command for a regular expression that chooses benchmarks, as go test
// -bench takes it.
const placeholder = "{}"

// Commands returns the tasks of two command lines, for the shell of the system, that print results
// in Go benchmark format. Where {} stands in both, a regular expression takes its place, so that
// each benchmark that match chooses is a task; otherwise every run has all benchmarks. Each command
// is run once before anything is measured, which shows what benchmarks it has, and fills the caches
// of the system.
func Commands(ctx context.Context, old, new, match string) ([]Task, error) {
	if strings.Contains(old, placeholder) != strings.Contains(new, placeholder) {
		return nil, fmt.Errorf("ab: %s stands in one command only; expected it in both or in none", placeholder)
	}
	var names [2][]string
	for i, line := range []string{old, new} {
		text, err := shell(line, match)(ctx)
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
		return []Task{{Name: "command", Old: shell(old, match), New: shell(new, match)}}, nil
	}
	return Pairs(names[0], names[1], func(i int, name string) Runner { return shell([]string{old, new}[i], Pattern(name)) }), nil
}

// shell returns a runner of the command line with the pattern in it.
func shell(line, pattern string) Runner {
	word := "'" + strings.ReplaceAll(pattern, "'", `'\''`) + "'"
	for _, quoted := range []string{"'" + placeholder + "'", `"` + placeholder + `"`, placeholder} {
		line = strings.ReplaceAll(line, quoted, word)
	}
	return func(ctx context.Context) ([]byte, error) {
		text, err := process.Run(ctx, process.Shell(line))
		if err == nil && len(text) == 0 {
			return nil, errors.New("it printed nothing")
		}
		return text, err
	}
}
