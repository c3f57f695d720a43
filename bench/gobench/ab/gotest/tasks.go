package gotest

import (
	"bytes"
	"context"
	"fmt"

	"simhashkit/bench/gobench/ab"
)

// tasks lists the benchmarks of both sides and makes a task of each.
func (p *preparation) tasks(ctx context.Context, sides [2][]*binary) error {
	var order []string
	packages := map[string]*[2]*binary{}
	for i, binaries := range sides {
		for _, b := range binaries {
			if packages[b.importPath] == nil {
				packages[b.importPath] = &[2]*binary{}
				order = append(order, b.importPath)
			}
			packages[b.importPath][i] = b
		}
	}
	for _, path := range order {
		if err := p.packageTasks(ctx, path, *packages[path]); err != nil {
			return err
		}
	}
	if len(p.benchmarks.Tasks) == 0 {
		return fmt.Errorf("gotest: no benchmark of %v matches %q", p.Packages, p.Bench)
	}
	return nil
}

func (p *preparation) packageTasks(ctx context.Context, path string, of [2]*binary) error {
	var names [2][]string
	var broken ab.Task
	for i, b := range of {
		if b == nil {
			continue
		}
		p.Progress(fmt.Sprintf("listing the benchmarks of %s in %s", path, b.source.name))
		text, _, err := b.run(ctx, p.CPU, p.Bench, "1x", 1)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		names[i] = ab.Names(text)
		// what has failed is to be in the report; the figures of one iteration are not
		if err != nil {
			broken.Name = path
			*sideOf(&broken, i) = fails(text, err)
		}
	}
	if broken.Name != "" {
		p.benchmarks.Tasks = append(p.benchmarks.Tasks, broken)
	}
	plans := map[string]plan{}
	for _, t := range ab.Pairs(names[0], names[1], func(i int, name string) ab.Runner {
		return func(ctx context.Context) ([]byte, error) { return of[i].runPlan(ctx, p.CPU, name, plans[name]) }
	}) {
		name := t.Name
		p.Progress("calibrating " + name)
		have := of
		if t.Old == nil {
			have[0] = nil
		}
		if t.New == nil {
			have[1] = nil
		}
		calibrated, failing, err := p.calibrate(ctx, have, name)
		if err != nil {
			return err
		}
		plans[name] = calibrated
		for i, runner := range failing {
			if runner != nil {
				*sideOf(&t, i) = runner
			}
		}
		t.Name = path + " " + name
		p.benchmarks.Tasks = append(p.benchmarks.Tasks, t)
	}
	return nil
}

// sideOf returns where a task has its old side, 0, or its new one, 1.
func sideOf(t *ab.Task, i int) *ab.Runner {
	if i == 0 {
		return &t.Old
	}
	return &t.New
}

// fails returns a runner that fails as a run has failed, without that run's results.
func fails(text []byte, err error) ab.Runner {
	said := withoutResults(text)
	return func(context.Context) ([]byte, error) { return said, err }
}

// withoutResults drops the lines of results from an output.
func withoutResults(text []byte) []byte {
	var rest []byte
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("Benchmark")) {
			rest = append(rest, line...)
		}
	}
	return rest
}
