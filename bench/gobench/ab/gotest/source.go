package gotest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// source is a tree of files that packages are built from.
type source struct {
	name        string   // for people
	folder      string   // that corresponds to Options.Folder
	environment []string // of the go command
}

// source returns the working tree, or checks a revision out into a new folder deep in temp.
func (p *preparation) source(ctx context.Context, revision, temp string) (*source, error) {
	if revision == "" {
		file, err := p.workspaceFile(ctx)
		if err != nil {
			return nil, err
		}
		// Said also where the go command would find it by itself, as it is said of revisions:
		// benchmarks inherit the environment, whose size moves their stack.
		return &source{name: "the working tree", folder: p.Folder, environment: append(environment(), "GOWORK="+file)}, nil
	}
	p.Progress("checking out " + revision)
	folder := nested(temp)
	top, err := p.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	prefix, err := p.git(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	commit, err := p.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, fmt.Errorf("gotest: there is no revision %q in %s; a shallow clone may lack it, as actions/checkout makes without fetch-depth: 0", revision, top)
	}
	// The worktree is to be removed even if adding it is interrupted.
	p.benchmarks.closers = append(p.benchmarks.closers, func() error { return p.removeWorktree(folder) })
	// Hooks of the repository are for people who check out to work.
	if _, err := p.git(ctx, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--quiet", "--detach", folder, commit); err != nil {
		return nil, err
	}
	s := &source{name: revision, folder: filepath.Join(folder, filepath.FromSlash(prefix)), environment: environment()}
	if _, err := os.Stat(s.folder); err != nil {
		return nil, fmt.Errorf("gotest: revision %s has no folder %s", revision, prefix)
	}
	workspace, err := p.workspace(ctx, revision, top, folder)
	if err != nil {
		return nil, err
	}
	s.environment = append(s.environment, workspace...)
	return s, p.linkOutside(ctx, s, top, folder, temp)
}

// removeWorktree removes what git worktree add has made, even if that was interrupted, and even if
// the context is done.
func (p *preparation) removeWorktree(folder string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, removeErr := p.git(ctx, "worktree", "remove", "--force", "--force", folder)
	if removeErr == nil {
		return nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("gotest: %w", err)
	}
	// git forgets worktrees whose folder is gone.
	if _, err := p.git(ctx, "worktree", "prune"); err != nil {
		return err
	}
	return nil
}

// git runs git in the user's folder and returns its output without the newline.
func (p *preparation) git(ctx context.Context, args ...string) (string, error) {
	text, err := output(ctx, p.Folder, environment(), strings.Join(args, " "), exec.Command("git", args...))
	return strings.TrimSuffix(string(text), "\n"), err
}

// environment is that of this program without the variables by which a git hook would make git look
// elsewhere.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"}, name)
	})
}
