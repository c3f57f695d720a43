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
	if len(p.benchmarks.Tasks) == 0 && len(p.benchmarks.Same) == 0 {
		return fmt.Errorf("gotest: no benchmark of %v matches %q", p.Packages, p.Bench)
	}
	return nil
}

func (p *preparation) packageTasks(ctx context.Context, path string, of [2]*binary) error {
	var lists [2]listing
	var broken ab.Task
	for i, b := range of {
		if b == nil {
			continue
		}
		p.Progress(fmt.Sprintf("listing the benchmarks of %s in %s", path, b.source.name))
		var err error
		if lists[i], err = p.listing(ctx, b); err != nil {
			return err
		}
		// what has failed is to be in the report; the figures of one iteration are not
		if lists[i].err != nil {
			broken.Name = path
			*sideOf(&broken, i) = failingRunner(lists[i].output, lists[i].err)
		}
	}
	if broken.Name != "" {
		p.benchmarks.Tasks = append(p.benchmarks.Tasks, broken)
	}
	plans := map[string]plan{}
	for _, t := range ab.Pairs(lists[0].names, lists[1].names, func(i int, name string) ab.Runner {
		return func(ctx context.Context) ([]byte, error) { return of[i].runPlan(ctx, p.CPU, name, plans[name]) }
	}) {
		calibrated, err := p.calibrateTask(ctx, of, lists, &t)
		if err != nil {
			return err
		}
		plans[t.Name] = calibrated
		t.Name = path + " " + t.Name
		p.benchmarks.Tasks = append(p.benchmarks.Tasks, t)
	}
	return nil
}

// calibrateTask calibrates the sides of a task that neither hang nor fail, and gives the others a
// failing runner.
func (p *preparation) calibrateTask(ctx context.Context, of [2]*binary, lists [2]listing, t *ab.Task) (plan, error) {
	p.Progress("calibrating " + t.Name)
	for i := range of {
		if hangs := lists[i].hanging[t.Name]; hangs != nil {
			of[i] = nil
			*sideOf(t, i) = failingRunner(nil, hangs)
		} else if *sideOf(t, i) == nil {
			of[i] = nil
		}
	}
	calibrated, failing, err := p.calibrate(ctx, of, t.Name)
	for i, runner := range failing {
		if runner != nil {
			*sideOf(t, i) = runner
		}
	}
	return calibrated, err
}

// sideOf returns the old runner of a task for 0 and the new one for 1.
func sideOf(t *ab.Task, i int) *ab.Runner {
	if i == 0 {
		return &t.Old
	}
	return &t.New
}

// failingRunner returns a runner that fails as a run did, with its output but without its results.
func failingRunner(text []byte, err error) ab.Runner {
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
