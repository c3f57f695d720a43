package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"simhashkit/bench/gobench/ab"
	"simhashkit/bench/gobench/ab/gotest"
	"simhashkit/internal/wholefile"
)

// abSides are two programs, ready to be run alternately.
type abSides struct {
	tasks    []ab.Task
	old, new string // labels
	ignore   string // what differs between their benchmarks' names
	binaries [2][]string
	notes    []string
	same     []string // packages that are not measured
	close    func() error
}

// kinds of sides.
type abKind int

const (
	abPackages abKind = iota
	abCommands
	abCases
)

// kind says what the sides are.
func (f *abFlags) kind() abKind {
	switch {
	case f.old != "" || f.new != "":
		return abCommands
	case len(f.cases.Kernels) > 0 || len(f.cases.Hashes) > 0:
		return abCases
	}
	return abPackages
}

// flags that are for one kind of sides only.
var abFlagsOf = map[abKind][]string{abPackages: {"tags", "cpu", "same"}, abCases: {"run", "weights", "nnz", "bits", "suite", "data", "data-base"}}

var abKindNames = map[abKind]string{abPackages: "packages", abCases: "the cases of fphash bench, with --kernel or --hash"}

// checkSides refuses flags that are about different kinds of sides, and sides that are not two.
func (f *abFlags) checkSides(flags *pflag.FlagSet, packages []string) error {
	kind := f.kind()
	for _, other := range []abKind{abPackages, abCases} {
		for _, name := range abFlagsOf[other] {
			if other != kind && flags.Changed(name) {
				return fmt.Errorf("--%s is for %s", name, abKindNames[other])
			}
		}
	}
	switch revisions := f.base != "" || f.head != "" || len(packages) > 0; {
	case kind != abPackages && revisions:
		return errors.New("expected one kind of sides: packages with --base, or --old and --new, or --kernel and --hash")
	case kind == abCommands && len(f.cases.Kernels)+len(f.cases.Hashes) > 0:
		return errors.New("--old and --new are commands, --kernel and --hash cases of fphash bench; expected one or the other")
	case kind == abPackages && f.options.Control:
		if f.base != "" && f.head != "" {
			return errors.New("--control runs one side against itself; expected --base or --head, not both")
		}
	case kind == abPackages && f.base == "":
		return errors.New("expected two sides: --base REVISION with packages, --old and --new with commands, or two of --kernel or --hash; or --control with one side")
	case kind == abCommands && f.options.Control:
		if (f.old != "") == (f.new != "") {
			return errors.New("--control runs one side against itself; expected --old or --new, not both")
		}
	case kind == abCommands && (f.old == "" || f.new == ""):
		return errors.New("expected two commands, --old and --new; or --control with one")
	}
	return nil
}

// sides builds and calibrates.
func (f *abFlags) sides(ctx context.Context, packages []string, progress func(step string)) (*abSides, error) {
	switch f.kind() {
	case abCommands:
		return f.commands(ctx, progress)
	case abCases:
		return f.caseSides(ctx)
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
	s.binaries = [2][]string{programOf(old), programOf(new)}
	return s, err
}

// programOf returns the file that a simple command runs, and nothing if that is not to be seen.
func programOf(command string) []string {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return nil
	}
	return []string{path}
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
	s.notes = append(b.Notes, notesOfSame(b.Same)...)
	s.tasks, s.same, s.close, s.binaries = b.Tasks, b.Same, b.Close, [2][]string{b.Old, b.New}
	return s, nil
}

// saveSamples writes what the sides have printed, and where it comes from.
func (f *abFlags) saveSamples(command string, s *abSides, r *ab.Result) error {
	if f.save == "" {
		return nil
	}
	for _, side := range []struct {
		name, label string
		text        []byte
	}{{"old.txt", s.old, r.Old}, {"new.txt", s.new, r.New}} {
		write := func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "# command: %s\n# side: %s\n%s", command, side.label, side.text)
			return err
		}
		if err := wholefile.Write(filepath.Join(f.save, side.name), write); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	return nil
}
