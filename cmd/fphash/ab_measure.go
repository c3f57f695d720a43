package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"simhashkit/bench/gobench/ab"
	"simhashkit/bench/gobench/ab/conditions"
	"simhashkit/bench/gobench/compare"
)

// measure runs the sides and returns what was found, with notes on the conditions.
func (f *abFlags) measure(ctx context.Context, s *abSides, p *progress) (*ab.Result, error) {
	if len(s.tasks) == 0 {
		return &ab.Result{Report: &compare.Report{Alpha: cmp.Or(f.options.Alpha, compare.DefaultAlpha), Same: s.same, Notes: s.notes}}, nil
	}
	watch, release := f.bind()
	defer release()
	o := f.options
	o.Old, o.New = s.old, s.new
	o.Progress = func(b ab.Progress) { p.show(func() string { return abProgress(b) }) }
	result, err := ab.Run(ctx, s.tasks, o)
	if err != nil {
		return nil, err
	}
	notes := append(watch.Notes(), s.notes...)
	result.Report.Same = s.same
	result.Report.Notes = append(result.Report.Notes, notes...)
	return result, nil
}

// bind binds this goroutine, and the processes that it starts, to the least busy processors where
// that can be done, and starts to watch them.
func (f *abFlags) bind() (watch *conditions.Monitor, release func()) {
	allowed, err := conditions.Allowed()
	b := conditions.Binding{Processors: allowed, Allowed: len(allowed), Wanted: f.cpu}
	release = func() {}
	if f.pin == pinAuto && err == nil {
		chosen := conditions.LeastBusy(f.cpu, allowed)
		if undo, err := conditions.Bind(chosen); err == nil {
			b.Processors, b.Bound, release = chosen, true, undo
		}
	}
	return conditions.Watch(b), release
}

// abProgress is the line that shows how far a run has come.
func abProgress(p ab.Progress) string {
	line := fmt.Sprintf("round %d", p.Round)
	if p.Comparisons > 0 {
		line += fmt.Sprintf("  decided %d/%d", p.Decided, p.Comparisons)
	}
	line += fmt.Sprintf("  %s elapsed", p.Elapsed.Round(time.Second))
	if p.Budget > 0 {
		line += fmt.Sprintf(", at most %s left", max(0, p.Budget-p.Elapsed).Round(time.Second))
	}
	return line + "  " + p.Task
}
