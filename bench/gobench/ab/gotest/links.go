package gotest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// depth is how deep a worktree lies in the temporary folder: relative paths may lead that far out
// of a repository.
const depth = 8

// nested returns a path that deep in a folder.
func nested(folder string) string { return filepath.Join(folder, strings.Repeat("d/", depth-1)+"tree") }

// linkOutside makes symbolic links where relative paths in go.mod and go.work lead out of the
// worktree, as "replace example.com/x => ../x" does. Links leave the files unchanged, so that both
// sides record the same build. All links are in the temporary folder.
func (p *preparation) linkOutside(ctx context.Context, s *source, top, worktree, temp string) error {
	text, err := p.goCommand(ctx, s.folder, s.environment, "env", "GOMOD", "GOWORK")
	if err != nil {
		return err
	}
	files := strings.Split(string(text), "\n")
	for i := 0; i < len(files); i++ {
		if filepath.Ext(files[i]) != ".mod" && filepath.Ext(files[i]) != ".work" {
			continue // off, or no module
		}
		paths, modules, err := p.pathsOf(ctx, s, files[i])
		if err != nil {
			return err
		}
		files = append(files, modules...)
		inside, err := filepath.Rel(worktree, filepath.Dir(files[i]))
		if err != nil || !filepath.IsLocal(inside) {
			continue // its paths mean what they say
		}
		for _, path := range paths {
			if err := link(filepath.Join(top, inside, path), filepath.Join(worktree, inside, path), worktree, temp); err != nil {
				return err
			}
		}
	}
	return nil
}

// link makes path lead to original, if path lies in the temporary folder and outside the worktree.
func link(original, path, worktree, temp string) error {
	inTree, err := filepath.Rel(worktree, path)
	if err != nil || filepath.IsLocal(inTree) {
		return nil
	}
	if inTemp, err := filepath.Rel(temp, path); err != nil || !filepath.IsLocal(inTemp) {
		return nil // too far up: the go command says that nothing is there
	}
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("gotest: %w", err)
	}
	if err := os.Symlink(original, path); err != nil {
		return fmt.Errorf("gotest: %w", err)
	}
	return nil
}

// pathsOf returns the relative paths that a go.mod or go.work names, and the go.mod files of the
// modules that a go.work uses.
func (p *preparation) pathsOf(ctx context.Context, s *source, file string) (paths, modules []string, err error) {
	named, err := p.readModuleFile(ctx, s.folder, s.environment, file)
	if err != nil {
		return nil, nil, err
	}
	add := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		paths = append(paths, path)
		return filepath.Join(filepath.Dir(file), path)
	}
	for _, r := range named.Replace {
		if r.New.Version == "" {
			add(r.New.Path)
		}
	}
	for _, u := range named.Use {
		module := filepath.Join(add(u.DiskPath), "go.mod")
		if _, err := os.Stat(module); err == nil {
			modules = append(modules, module)
		}
	}
	return paths, modules, nil
}
