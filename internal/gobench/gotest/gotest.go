// Package gotest makes tasks for package ab from the benchmarks of Go packages. Each side is a git
// revision or the working tree.
//
// A revision is checked out into a git worktree in a temporary folder, so the user's files are
// never changed. go test -c builds the test binaries, and each process runs one benchmark in the
// folder of its package. The binaries are built with -trimpath, so that equal sources give equal
// bytes. Otherwise, the length of a folder's name would move code. Each run has a new copy of its
// binary.
//
// Runs have a fixed number of iterations, the same on both sides. go test's own search for a number
// takes up to three times as long as the measurement, and its result differs between processes.
package gotest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"simhashkit/internal/gobench/ab"
)

// Options defines the benchmarks and the sources to compare.
type Options struct {
	Folder   string        // folder that Packages is relative to; "" means the current one
	Packages []string      // patterns for go test; none means the package in Folder
	Old, New string        // git revisions; "" means the working tree with its uncommitted edits
	Bench    string        // regular expression for go test -bench; "" means all benchmarks
	Tags     string        // build tags
	CPU      int           // GOMAXPROCS of the benchmarks; 0 means 1
	Budget   time.Duration // of all runs, for ab.Patience
	Same     bool          // also measure packages whose test binaries are identical
	Progress func(step string)
}

// Benchmarks holds the tasks for Go packages. Close removes their temporary files.
type Benchmarks struct {
	Tasks   []ab.Task // empty if all packages are in Same
	Notes   []string
	Same    []string // packages that are left out, since their test binaries are identical
	closers []func() error
}

// Prepare builds the packages of both sides, lists their benchmarks and finds their numbers of
// iterations. It returns an error if a side does not build or has no benchmarks.
func Prepare(ctx context.Context, o Options) (b *Benchmarks, err error) {
	o.Folder, o.Bench, o.CPU = cmp.Or(o.Folder, "."), cmp.Or(o.Bench, "."), cmp.Or(o.CPU, 1)
	if len(o.Packages) == 0 {
		o.Packages = []string{"."}
	}
	if _, err := regexp.Compile(o.Bench); err != nil {
		return nil, fmt.Errorf("gotest: benchmarks %q: %w", o.Bench, err)
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	b = &Benchmarks{}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Close())
			b = nil
		}
	}()
	temp, err := os.MkdirTemp("", "fphash-ab-")
	if err != nil {
		return b, fmt.Errorf("gotest: %w", err)
	}
	b.closers = append(b.closers, func() error { return os.RemoveAll(temp) })
	if temp, err = filepath.EvalSymlinks(temp); err != nil { // the go command prints resolved paths
		return b, fmt.Errorf("gotest: %w", err)
	}
	p := preparation{Options: o, temp: temp, benchmarks: b}
	return b, p.prepare(ctx)
}

// Close removes worktrees and binaries.
func (b *Benchmarks) Close() error {
	var all []error
	for _, closer := range slices.Backward(b.closers) {
		all = append(all, closer())
	}
	b.closers = nil
	return errors.Join(all...)
}

type preparation struct {
	Options
	temp       string
	benchmarks *Benchmarks
}

func (p *preparation) prepare(ctx context.Context) error {
	var s *source
	var order []string
	packages := map[string]*[2]*binary{} // by import path; nil if a side does not have the package
	for i, revision := range []string{p.Old, p.New} {
		var err error
		if i == 0 || p.New != p.Old {
			if s, err = p.source(ctx, revision, filepath.Join(p.temp, fmt.Sprint(i))); err != nil {
				return err
			}
		}
		binaries, err := p.build(ctx, s, filepath.Join(p.temp, fmt.Sprintf("bin%d", i)))
		if err != nil {
			return err
		}
		for _, b := range binaries {
			if packages[b.importPath] == nil {
				packages[b.importPath] = &[2]*binary{}
				order = append(order, b.importPath)
			}
			packages[b.importPath][i] = b
		}
	}
	for _, path := range order {
		of := *packages[path]
		if p.leftOut(of) {
			p.benchmarks.Same = append(p.benchmarks.Same, path)
		} else if err := p.packageTasks(ctx, path, of); err != nil {
			return err
		}
	}
	if len(p.benchmarks.Tasks) == 0 && len(p.benchmarks.Same) == 0 {
		return fmt.Errorf("gotest: no benchmark of %s matches %q", strings.Join(p.Packages, " "), p.Bench)
	}
	return nil
}

// leftOut reports whether the package is not measured because both binaries are identical.
func (p *preparation) leftOut(of [2]*binary) bool {
	if p.Same || of[0] == nil || of[1] == nil {
		return false
	}
	a, errA := os.ReadFile(of[0].path)
	b, errB := os.ReadFile(of[1].path)
	return errA == nil && errB == nil && bytes.Equal(a, b) // otherwise, the runs report the error
}

type binary struct {
	importPath string
	folder     string // the folder of the package, in which the binary runs
	path       string
	source     *source
}

type listed struct {
	ImportPath, Dir           string
	TestGoFiles, XTestGoFiles []string
	Error                     *struct{ Err string }
}

// reproducible has the flags with which equal sources give equal binaries.
var reproducible = []string{"-trimpath", "-buildvcs=false"}

func (p *preparation) build(ctx context.Context, s *source, folder string) ([]*binary, error) {
	if err := os.Mkdir(folder, 0o777); err != nil {
		return nil, fmt.Errorf("gotest: %w", err)
	}
	packages, err := p.list(ctx, s)
	if err != nil {
		return nil, err
	}
	var binaries []*binary
	for _, l := range packages {
		if !l.hasBenchmarks() {
			continue
		}
		p.Progress(fmt.Sprintf("building %s of %s", l.ImportPath, s.name))
		b := &binary{importPath: l.ImportPath, folder: l.Dir, path: filepath.Join(folder, fmt.Sprintf("%d.test", len(binaries))), source: s}
		args := slices.Concat([]string{"test", "-c", "-o", b.path}, reproducible, p.tags())
		if _, err := s.goCommand(ctx, append(args, b.importPath)...); err != nil {
			return nil, fmt.Errorf("%w (building the benchmarks of %s in %s)", err, l.ImportPath, s.name)
		}
		binaries = append(binaries, b)
	}
	if len(binaries) == 0 {
		return nil, fmt.Errorf("gotest: no benchmarks in %s: none of the packages %s has a test file with a func Benchmark", s.name, strings.Join(p.Packages, " "))
	}
	return binaries, nil
}

func (p *preparation) tags() []string {
	if p.Tags == "" {
		return nil
	}
	return []string{"-tags=" + p.Tags}
}

// list lists the packages that a side has.
func (p *preparation) list(ctx context.Context, s *source) ([]listed, error) {
	args := append([]string{"list", "-e", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Error"}, p.tags()...)
	text, err := s.goCommand(ctx, append(append(args, "--"), p.Packages...)...)
	if err != nil {
		return nil, err
	}
	var packages []listed
	var firstErr error
	for decoder := json.NewDecoder(bytes.NewReader(text)); decoder.More(); {
		var l listed
		if err := decoder.Decode(&l); err != nil {
			return nil, fmt.Errorf("gotest: go list: %w", err)
		}
		if l.Error != nil && l.Dir == "" {
			if firstErr == nil {
				// users do not know the temporary folder of a revision
				firstErr = fmt.Errorf("gotest: %s: %s", s.name, strings.ReplaceAll(l.Error.Err, s.folder+string(filepath.Separator), ""))
			}
			continue
		}
		packages = append(packages, l)
	}
	if len(packages) == 0 && firstErr != nil {
		return nil, firstErr
	}
	return packages, nil
}

// hasBenchmarks reports whether a test file seems to have a benchmark. The build reports files that
// cannot be read.
func (l listed) hasBenchmarks() bool {
	return slices.ContainsFunc(slices.Concat(l.TestGoFiles, l.XTestGoFiles), func(name string) bool {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		return err != nil || bytes.Contains(text, []byte("func Benchmark"))
	})
}

// packageTasks lists the benchmarks of a package on both sides, and makes a task for each.
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
		// the report must contain the failure, but not the figures of a single iteration
		if lists[i].err != nil {
			broken.Name = path
			broken.Sides[i] = failingRunner(lists[i].output, lists[i].err)
		}
	}
	for _, skipped := range skips(slices.Concat(lists[0].output, lists[1].output)) {
		p.benchmarks.Notes = append(p.benchmarks.Notes, path+": "+skipped)
	}
	if broken.Name != "" {
		p.benchmarks.Tasks = append(p.benchmarks.Tasks, broken)
	}
	plans := map[string]plan{}
	for _, t := range pairs([2][]string{lists[0].names, lists[1].names}, func(i int, name string) ab.Runner {
		return func(ctx context.Context) ([]byte, error) {
			command := of[i].command(p.CPU, patternOf(name), fmt.Sprintf("%dx", plans[name].iterations), plans[name].samples)
			var err error
			if command.Path, err = of[i].copy(); err != nil {
				return nil, err
			}
			return runProcess(ctx, command, ab.Patience(p.Budget))
		}
	}) {
		calibrated, err := p.calibrate(ctx, of, lists, &t)
		if err != nil {
			return err
		}
		plans[t.Name] = calibrated
		t.Name = path + " " + t.Name
		p.benchmarks.Tasks = append(p.benchmarks.Tasks, t)
	}
	return nil
}

// copy copies the test binary to a new file, which replaces the copy of the last run. The pages of
// a file stay where they are in memory, and their places can change times by several percent. In a
// new file for every run, such differences are noise between runs, instead of a difference of the
// sides.
func (b *binary) copy() (path string, err error) {
	path = filepath.Join(filepath.Dir(filepath.Dir(b.path)), "run.test")
	text, err := os.ReadFile(b.path)
	if err == nil {
		if err = os.Remove(path); err == nil || errors.Is(err, os.ErrNotExist) {
			err = os.WriteFile(path, text, 0o777)
		}
	}
	if err != nil {
		return "", fmt.Errorf("gotest: %w", err)
	}
	return path, nil
}

var results = regexp.MustCompile(`(?m)^Benchmark.*\n?`)

// failingRunner returns a runner that returns the error and the output of a failed run, without its
// results.
func failingRunner(text []byte, err error) ab.Runner {
	rest := results.ReplaceAll(text, nil)
	return func(context.Context) ([]byte, error) { return rest, err }
}
