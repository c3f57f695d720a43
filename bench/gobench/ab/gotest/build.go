package gotest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// binary is the test binary of a package.
type binary struct {
	importPath string
	folder     string // of the package, in which it runs
	path       string
	source     *source
}

// listed is a package as go list prints it.
type listed struct {
	ImportPath, Dir           string
	TestGoFiles, XTestGoFiles []string
	Error                     *struct{ Err string }
}

// build builds the test binaries of the packages that have benchmarks.
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
		has, err := l.hasBenchmarks()
		if err != nil {
			return nil, err
		}
		if !has {
			continue
		}
		p.Progress(fmt.Sprintf("building %s of %s", l.ImportPath, s.name))
		b := &binary{importPath: l.ImportPath, folder: l.Dir, path: filepath.Join(folder, fmt.Sprintf("%d.test", len(binaries))), source: s}
		args := append([]string{"test", "-c", "-trimpath", "-buildvcs=false", "-o", b.path}, p.tags()...)
		if _, err := p.goCommand(ctx, s.folder, s.environment, append(args, b.importPath)...); err != nil {
			return nil, fmt.Errorf("%w (building the benchmarks of %s in %s)", err, l.ImportPath, s.name)
		}
		binaries = append(binaries, b)
	}
	if len(binaries) == 0 {
		return nil, fmt.Errorf("gotest: no benchmarks in %s: none of the packages %v has a test file with a func Benchmark", s.name, p.Packages)
	}
	return binaries, nil
}

func (p *preparation) tags() []string {
	if p.Tags == "" {
		return nil
	}
	return []string{"-tags=" + p.Tags}
}

// list lists the packages of a side. It leaves out packages that the revision does not have: their
// benchmarks are new or missing.
func (p *preparation) list(ctx context.Context, s *source) ([]listed, error) {
	args := append([]string{"list", "-e", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Error"}, p.tags()...)
	text, err := p.goCommand(ctx, s.folder, s.environment, append(append(args, "--"), p.Packages...)...)
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
				// the folder of a revision is none that the user knows
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

// hasBenchmarks reports whether a test file seems to have a benchmark. Other packages need not be
// built.
func (l listed) hasBenchmarks() (bool, error) {
	for _, name := range slices.Concat(l.TestGoFiles, l.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil {
			return false, fmt.Errorf("gotest: %w", err)
		}
		if bytes.Contains(text, []byte("func Benchmark")) {
			return true, nil
		}
	}
	return false, nil
}

// leaveOutSame drops the binaries that are the same on both sides, whose times could differ by
// noise only.
func (p *preparation) leaveOutSame(sides *[2][]*binary) error {
	same := map[string]bool{}
	for _, old := range sides[0] {
		at := slices.IndexFunc(sides[1], func(b *binary) bool { return b.importPath == old.importPath })
		if at < 0 {
			continue
		}
		a, errA := os.ReadFile(old.path)
		b, errB := os.ReadFile(sides[1][at].path)
		if err := cmp.Or(errA, errB); err != nil {
			return fmt.Errorf("gotest: %w", err)
		}
		if bytes.Equal(a, b) {
			same[old.importPath] = true
			p.benchmarks.Same = append(p.benchmarks.Same, old.importPath)
		}
	}
	for i := range sides {
		sides[i] = slices.DeleteFunc(sides[i], func(b *binary) bool { return same[b.importPath] })
	}
	return nil
}
