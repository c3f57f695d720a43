package gotest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"simhashkit/internal/process"
)

// workspaceFile returns the go.work that the go command uses in the user's folder, or "off".
func (p *preparation) workspaceFile(ctx context.Context) (string, error) {
	text, err := p.goCommand(ctx, p.Folder, environment(), "env", "GOWORK")
	if err != nil {
		return "", err
	}
	if file := strings.TrimSpace(string(text)); file != "" {
		return file, nil
	}
	return "off", nil
}

// workspace returns the environment with which go.work works in the worktree as at the user's. A
// go.work that git knows is in the worktree too, if the revision has it. One that lies elsewhere,
// or that git does not know, names modules of the working tree: a copy of it names those of the
// revision.
func (p *preparation) workspace(ctx context.Context, revision, top, worktree string) ([]string, error) {
	file, err := p.workspaceFile(ctx)
	if err != nil {
		return nil, err
	}
	if file == "off" {
		return []string{"GOWORK=off"}, nil // a go.work above the temporary folder is not meant
	}
	inside, ok := within(top, file)
	if !ok {
		return p.moveWorkspace(ctx, file, top, worktree, worktree+"-work")
	}
	moved := filepath.Join(worktree, inside)
	if _, err := os.Stat(moved); err == nil {
		return []string{"GOWORK=" + moved}, nil
	}
	known, err := p.git(ctx, "ls-files", "--", filepath.Join(top, inside))
	if err != nil {
		return nil, err
	}
	// not to be committed, as many people keep it: the revision is built with it as the working
	// tree is
	if known == "" {
		return p.moveWorkspace(ctx, file, top, worktree, filepath.Dir(moved))
	}
	p.benchmarks.Notes = append(p.benchmarks.Notes, fmt.Sprintf("%s has no %s, as the working tree has: it was built without a workspace", revision, filepath.ToSlash(inside)))
	return []string{"GOWORK=off"}, nil
}

// moveWorkspace writes a copy of a go.work into a folder. In it, modules of the repository are
// those of the worktree.
func (p *preparation) moveWorkspace(ctx context.Context, file, top, worktree, folder string) ([]string, error) {
	work, err := p.readModuleFile(ctx, p.Folder, environment(), file)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("gotest: %w", err)
	}
	moved := filepath.Join(folder, filepath.Base(file))
	for from, to := range map[string]string{file: moved, file + ".sum": moved + ".sum"} {
		text, err := os.ReadFile(from)
		if errors.Is(err, os.ErrNotExist) && from != file {
			continue // no module in it needs one
		}
		if err == nil {
			err = os.WriteFile(to, text, 0o666)
		}
		if err != nil {
			return nil, fmt.Errorf("gotest: %w", err)
		}
	}
	there := func(path string) string { // the path in the worktree, if it is one of the repository
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		if inside, ok := within(top, path); ok {
			path = filepath.Join(worktree, inside)
		}
		return path
	}
	args := []string{"work", "edit"}
	for _, use := range work.Use {
		path := there(use.DiskPath)
		args = append(args, "-dropuse="+use.DiskPath)
		// a module that the revision does not have yet is left out
		if _, err := os.Stat(path); err == nil {
			args = append(args, "-use="+path)
		}
	}
	for _, r := range work.Replace {
		if r.New.Version != "" {
			continue // a version is no path
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		args = append(args, "-replace="+old+"="+there(r.New.Path))
	}
	if _, err := p.goCommand(ctx, p.Folder, environment(), append(args, moved)...); err != nil {
		return nil, err
	}
	return []string{"GOWORK=" + moved}, nil
}

// moduleFile is the paths in a go.mod or go.work.
type moduleFile struct {
	Use     []struct{ DiskPath string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

func (p *preparation) readModuleFile(ctx context.Context, folder string, environment []string, path string) (m moduleFile, err error) {
	text, err := p.goCommand(ctx, folder, environment, strings.TrimPrefix(filepath.Ext(path), "."), "edit", "-json", path)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("gotest: %s: %w", path, err)
	}
	return m, nil
}

// within returns path relative to folder, and false if path lies outside.
func within(folder, path string) (string, bool) {
	for _, p := range []*string{&folder, &path} { // git resolves links, the go command does not
		if real, err := filepath.EvalSymlinks(*p); err == nil {
			*p = real
		}
	}
	relative, err := filepath.Rel(folder, path)
	return relative, err == nil && filepath.IsLocal(relative)
}

// goCommand runs the go command.
func (p *preparation) goCommand(ctx context.Context, folder string, environment []string, args ...string) ([]byte, error) {
	return output(ctx, folder, environment, args[0], exec.Command("go", args...))
}

// output runs a program and returns its standard output. Errors name the program and the task.
func output(ctx context.Context, folder string, environment []string, task string, command *exec.Cmd) ([]byte, error) {
	command.Dir, command.Env = folder, environment
	text, err := process.Output(ctx, command)
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, fmt.Errorf("gotest: %s %s: %w", command.Args[0], task, err)
	}
	return text, nil
}
