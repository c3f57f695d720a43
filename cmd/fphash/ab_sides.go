package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/pflag"

	"simhashkit/bench/gobench/ab"
	"simhashkit/bench/gobench/ab/gotest"
	"simhashkit/internal/wholefile"
)

// abSides are the two programs that ab runs alternately.
type abSides struct {
	tasks    []ab.Task
	old, new string // labels
	notes    []string
	same     []string // packages that are not measured
	close    func() error
}

// checkSides refuses flags of both kinds of sides at once, and anything but two sides.
func (f *abFlags) checkSides(flags *pflag.FlagSet, packages []string) error {
	if f.old == "" && f.new == "" {
		switch {
		case f.options.Control && f.base != "" && f.head != "":
			return errors.New("--control runs one side against itself; expected --base or --head, not both")
		case !f.options.Control && f.base == "":
			return errors.New("expected two sides: --base REVISION with packages, or --old and --new with commands; or --control with one side")
		}
		return nil
	}
	for _, name := range []string{"tags", "cpu", "same"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s is for packages", name)
		}
	}
	switch both := f.old != "" && f.new != ""; {
	case f.base != "" || f.head != "" || len(packages) > 0:
		return errors.New("expected one kind of sides: packages with --base, or --old and --new")
	case f.options.Control && both:
		return errors.New("--control runs one side against itself; expected --old or --new, not both")
	case !f.options.Control && !both:
		return errors.New("expected two commands, --old and --new; or --control with one")
	}
	return nil
}

// sides builds both sides and calibrates their benchmarks.
func (f *abFlags) sides(ctx context.Context, packages []string, progress func(step string)) (*abSides, error) {
	if f.old != "" || f.new != "" {
		return f.commands(ctx, progress)
	}
	return f.revisions(ctx, packages, progress)
}

func nothing() error { return nil }

func (f *abFlags) commands(ctx context.Context, progress func(step string)) (*abSides, error) {
	old, new := f.old, f.new
	s := &abSides{old: "old", new: "new", close: nothing}
	if f.options.Control {
		old = f.old + f.new
		new = old
		s.old, s.new = "control", "again"
	}
	progress("a first run of each command")
	var err error
	s.tasks, err = ab.Commands(ctx, old, new, f.bench, f.options.Budget)
	return s, err
}

func (f *abFlags) revisions(ctx context.Context, packages []string, progress func(step string)) (*abSides, error) {
	o := gotest.Options{Packages: packages, Old: f.base, New: f.head, Bench: f.bench, Tags: f.tags, CPU: f.cpu, Budget: f.options.Budget, Same: f.same || f.options.Control, Progress: progress}
	s := &abSides{old: f.base, new: f.head}
	if s.new == "" {
		s.new = "working tree"
	}
	if f.options.Control {
		o.Old = f.base + f.head
		o.New = o.Old
		s.old, s.new = "control", "again"
	}
	if s.old == s.new { // the same revision twice is a test of this test
		s.new += " again"
	}
	b, err := gotest.Prepare(ctx, o)
	if err != nil {
		return nil, err
	}
	s.notes = b.Notes
	for _, path := range b.Same {
		s.notes = append(s.notes, path+" was not measured: both sides have the same test binary, byte for byte, and only files that it reads could make a difference; --same measures it")
	}
	s.tasks, s.same, s.close = b.Tasks, b.Same, b.Close
	return s, nil
}

// saveSamples writes the output of both sides and the command that produced it.
func (f *abFlags) saveSamples(command string, s *abSides, r *ab.Result) error {
	if f.save == "" {
		return nil
	}
	for i, side := range []struct{ name, label string }{{"old.txt", s.old}, {"new.txt", s.new}} {
		write := func(w io.Writer) error {
			if _, err := fmt.Fprintf(w, "# command: %s\n# side: %s\n", command, side.label); err != nil {
				return err
			}
			return r.Save(w, i == 1, f.thresholds)
		}
		if err := wholefile.Write(filepath.Join(f.save, side.name), write); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	return nil
}
