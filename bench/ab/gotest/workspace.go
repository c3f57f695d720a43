package gotest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"simhashkit/bench/ab/process"
)

// workspace returns what the environment of the go command needs such that a go.work does in the worktree what it does at the user's. A go.work that lies in the repository
// is in the worktree too, unless it is not committed; one that lies elsewhere names modules of the working tree, which would then be built instead of those of the revision.
func (p *preparation) workspace(ctx context.Context, top, worktree string) ([]string, error) {
	text, err := p.goCommand(ctx, p.Folder, environment(), "env", "GOWORK")
	if err != nil {
		return nil, err
	}
	file := strings.TrimSpace(string(text))
	if file == "" || file == "off" {
		return []string{"GOWORK=off"}, nil // a go.work above the temporary folder is not meant
	}
	if inside, ok := within(top, file); ok {
		moved := filepath.Join(worktree, inside)
		if _, err := os.Stat(moved); err != nil {
			return []string{"GOWORK=off"}, nil // the revision has none
		}
		return []string{"GOWORK=" + moved}, nil
	}
	return p.moveWorkspace(ctx, file, top, worktree)
}

// moveWorkspace writes a go.work in which the modules of the repository are those of the worktree.
func (p *preparation) moveWorkspace(ctx context.Context, file, top, worktree string) ([]string, error) {
	text, err := p.goCommand(ctx, p.Folder, environment(), "work", "edit", "-json", file)
	if err != nil {
		return nil, err
	}
	var work struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(text, &work); err != nil {
		return nil, fmt.Errorf("gotest: %s: %w", file, err)
	}
	original, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("gotest: %w", err)
	}
	folder := worktree + "-work"
	if err := os.Mkdir(folder, 0o777); err != nil {
		return nil, fmt.Errorf("gotest: %w", err)
	}
	moved := filepath.Join(folder, "go.work")
	if err := os.WriteFile(moved, original, 0o666); err != nil {
		return nil, fmt.Errorf("gotest: %w", err)
	}
	args := []string{"work", "edit"}
	for _, use := range work.Use {
		path := use.DiskPath
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		if inside, ok := within(top, path); ok {
			path = filepath.Join(worktree, inside)
		}
		args = append(args, "-dropuse="+use.DiskPath)
		if _, err := os.Stat(path); err == nil { // a module that the revision does not have yet is left out
			args = append(args, "-use="+path)
		}
	}
	if _, err := p.goCommand(ctx, p.Folder, environment(), append(args, moved)...); err != nil {
		return nil, err
	}
	return []string{"GOWORK=" + moved}, nil
}

// within returns the path relative to a folder that it lies in.
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
	command := exec.Command("go", args...)
	command.Dir, command.Env = folder, environment
	text, err := process.Output(ctx, command)
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, fmt.Errorf("gotest: go %s: %w", args[0], err)
	}
	return text, nil
}
