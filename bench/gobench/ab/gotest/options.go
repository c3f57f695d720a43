package gotest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"simhashkit/bench/gobench/ab"
)

// Options says which benchmarks of which sources are compared.
type Options struct {
	Folder   string   // in which the packages are meant; "": the current one
	Packages []string // patterns, as of go test; none: the package in Folder
	Old, New string   // git revisions; "": the working tree as it is, uncommitted edits too
	Bench    string   // regular expression, as of go test; "": all benchmarks
	Tags     string   // build tags
	CPU      int      // GOMAXPROCS of the benchmarks; 0: 1
	// of a benchmark: one that prints nothing for that long while it is listed or calibrated is
	// taken to hang (see ab.Patience); 0: ab.DefaultBudget
	Budget   time.Duration
	Same     bool // measure packages too whose test binaries are the same on both sides
	Progress func(step string)
}

// Benchmarks are tasks made of Go packages. Close removes what they need.
type Benchmarks struct {
	Tasks   []ab.Task // none where all packages are in Same
	Notes   []string
	Same    []string // packages that are left out: their test binaries are the same, byte for byte
	closers []func() error
}

// Prepare builds the packages of both sides, lists their benchmarks and finds out how many
// iterations fill a sample. It fails if a side does not build or has no benchmarks. Close removes
// the folders that it makes; if it fails, it removes them itself.
func Prepare(ctx context.Context, o Options) (b *Benchmarks, err error) {
	if o.Folder == "" {
		o.Folder = "."
	}
	if len(o.Packages) == 0 {
		o.Packages = []string{"."}
	}
	if o.Bench == "" {
		o.Bench = "."
	}
	if o.CPU == 0 {
		o.CPU = 1
	}
	if o.Budget == 0 {
		o.Budget = ab.DefaultBudget
	}
	if o.CPU < 0 {
		return nil, fmt.Errorf("gotest: %d CPUs: expected a positive one", o.CPU)
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
	if temp, err = filepath.EvalSymlinks(temp); err != nil { // as the go command says it
		return b, fmt.Errorf("gotest: %w", err)
	}
	p := preparation{Options: o, temp: temp, benchmarks: b}
	return b, p.prepare(ctx)
}

// Close removes worktrees and binaries.
func (b *Benchmarks) Close() error {
	var all []error
	for i := len(b.closers) - 1; i >= 0; i-- {
		all = append(all, b.closers[i]())
	}
	b.closers = nil
	return errors.Join(all...)
}

// preparation holds the state of Prepare.
type preparation struct {
	Options
	temp       string
	benchmarks *Benchmarks
}

func (p *preparation) prepare(ctx context.Context) error {
	sources := map[string]*source{}
	var sides [2][]*binary
	for i, revision := range []string{p.Old, p.New} {
		s := sources[revision]
		if s == nil {
			var err error
			if s, err = p.source(ctx, revision, filepath.Join(p.temp, fmt.Sprint(i))); err != nil {
				return err
			}
			sources[revision] = s
		}
		var err error
		if sides[i], err = p.build(ctx, s, filepath.Join(p.temp, fmt.Sprintf("bin%d", i))); err != nil {
			return err
		}
	}
	if !p.Same {
		if err := p.leaveOutSame(&sides); err != nil {
			return err
		}
	}
	return p.tasks(ctx, sides)
}
