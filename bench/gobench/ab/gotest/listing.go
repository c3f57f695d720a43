package gotest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"simhashkit/bench/gobench/ab"
	"simhashkit/internal/process"
)

// listing is the benchmarks of a binary.
type listing struct {
	names   []string
	hanging map[string]error // of these, those that never ended
	output  []byte           // by the last of its runs
	err     error            // of the last of its runs, but for benchmarks that hang
}

// listing runs every benchmark once. If one hangs, further runs without it list the rest. It fails
// only if the context is done.
func (p *preparation) listing(ctx context.Context, b *binary) (listing, error) {
	l := listing{hanging: map[string]error{}}
	var skipped []string
	for {
		more := []string{"-test.v"} // so that names are printed before the benchmarks are run
		if len(skipped) > 0 {
			more = append(more, "-test.skip="+strings.Join(skipped, "|"))
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
		if !errors.Is(err, process.ErrSilent) || name == "" {
			return l, nil
		}
		if p.CPU > 1 { // as names are where there are figures
			name = fmt.Sprintf("%s-%d", strings.TrimSuffix(name, fmt.Sprintf("-%d", p.CPU)), p.CPU)
		}
		if l.hanging[name] != nil { // it was not to be skipped
			return l, nil
		}
		l.names, l.hanging[name] = append(l.names, name), err
		skipped = append(skipped, ab.Pattern(name))
	}
}
