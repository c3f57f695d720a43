package main

import (
	"cmp"
	"context"
	"fmt"

	"simhashkit/bench/gobench/ab"
	"simhashkit/bench/gobench/ab/conditions"
	"simhashkit/bench/gobench/compare"
)

// measure runs both sides and returns the result, with notes on the state of the machine.
func (f *abFlags) measure(ctx context.Context, s *abSides, p *progress) (*ab.Result, error) {
	if len(s.tasks) == 0 {
		return &ab.Result{Report: &compare.Report{Alpha: cmp.Or(f.options.Alpha, compare.DefaultAlpha), Same: s.same, Notes: s.notes}}, nil
	}
	watch, release := f.bind()
	defer release()
	o := f.options
	o.Old, o.New = s.old, s.new
	o.Progress = func(b ab.Progress) { p.report(abStatus(b)) }
	result, err := ab.Run(ctx, s.tasks, o)
	if err != nil {
		return nil, err
	}
	notes := append(watch.Notes(), s.notes...)
	result.Report.Same = s.same
	result.Report.Notes = append(result.Report.Notes, notes...)
	return result, nil
}

// bind binds this goroutine and its child processes to the least busy processors, where the system
// allows it, and starts to watch these.
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

func abStatus(p ab.Progress) status {
	s := status{step: "measuring", count: p.Round, unit: "rounds", left: max(0, p.Budget-p.Elapsed), detail: p.Task}
	if p.Comparisons > 0 {
		s.detail = fmt.Sprintf("decided %d/%d  %s", p.Decided, p.Comparisons, p.Task)
	}
	return s
}
