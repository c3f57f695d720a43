package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed testdata/template
var template embed.FS

// repository is a scratch repository: a module on branch main, and each commit on a branch of its
// own from there.
type repository struct{ folder string }

// newRepository makes one in a folder that does not exist yet.
func newRepository(folder string, commits []commit) (*repository, error) {
	r := &repository{folder}
	files, err := fs.Sub(template, "testdata/template")
	if err != nil {
		return nil, err
	}
	if err := os.CopyFS(folder, files); err != nil {
		return nil, err
	}
	// a go.mod would end the module that this program belongs to
	if err := os.Rename(filepath.Join(folder, "go.mod.txt"), filepath.Join(folder, "go.mod")); err != nil {
		return nil, err
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"}, {"config", "user.name", "history"}, {"config", "user.email", "history@example.com"}, {"add", "--all"}, {"commit", "--quiet", "--message=first"},
	} {
		if err := r.git(args...); err != nil {
			return nil, err
		}
	}
	for i, c := range commits {
		if err := r.commit(i, c); err != nil {
			return nil, fmt.Errorf("commit %d, %s: %w", i+1, c.message, err)
		}
	}
	return r, nil
}

func branchOf(i int) string { return fmt.Sprintf("commit-%d", i+1) }

func (r *repository) commit(i int, c commit) error {
	if err := r.git("checkout", "--quiet", "-b", branchOf(i), "main"); err != nil {
		return err
	}
	path := filepath.Join(r.folder, c.file)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := c.apply(string(text))
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(changed), 0o666); err != nil {
		return err
	}
	return r.git("commit", "--quiet", "--all", "--message="+c.message)
}

func (r *repository) git(args ...string) error {
	command := exec.Command("git", args...)
	command.Dir = r.folder
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
	}
	return nil
}
