package gotest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"simhashkit/internal/process"
)

// source is a tree of files that packages are built from.
type source struct {
	name        string   // in messages
	folder      string   // corresponds to Options.Folder
	environment []string // environment of the go command
}

// source returns the working tree, or checks out a revision into a new folder inside temp.
func (p *preparation) source(ctx context.Context, revision, temp string) (*source, error) {
	user := &source{"the working tree", p.Folder, environment()}
	if revision == "" {
		file, err := user.workspace(ctx)
		// GOWORK is set even to its default, as for revisions: the size of the environment moves
		// the stack.
		user.environment = append(user.environment, "GOWORK="+file)
		return user, err
	}
	p.Progress("checking out " + revision)
	lines, err := p.git(ctx, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return nil, err
	}
	top, prefix, _ := strings.Cut(filepath.FromSlash(lines), "\n")
	commit, err := p.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, fmt.Errorf("gotest: there is no revision %q in %s; without a remote, name a local branch; in a shallow clone of actions/checkout, set fetch-depth: 0", revision, top)
	}
	folder := mirrored(temp, top)
	if err := mirror(temp, top); err != nil {
		return nil, err
	}
	// The worktree must be removed even if adding it is interrupted.
	p.benchmarks.closers = append(p.benchmarks.closers, func() error { return p.removeWorktree(folder) })
	// The hooks of the repository are for checkouts by users.
	if _, err := p.git(ctx, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--quiet", "--detach", folder, commit); err != nil {
		return nil, err
	}
	s := &source{revision, filepath.Join(folder, prefix), environment()}
	if _, err := os.Stat(s.folder); err != nil {
		return nil, fmt.Errorf("gotest: revision %s has no folder %s", revision, prefix)
	}
	workspace, err := p.workspace(ctx, user, revision, top, temp)
	s.environment = append(s.environment, "GOWORK="+workspace)
	return s, err
}

// removeWorktree removes a worktree, even if adding it was interrupted or the context is done.
func (p *preparation) removeWorktree(folder string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := p.git(ctx, "worktree", "remove", "--force", "--force", folder); err == nil {
		return nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("gotest: %w", err)
	}
	// This removes the records of worktrees whose folder does not exist.
	_, err := p.git(ctx, "worktree", "prune")
	return err
}

// git runs git in the user's folder and returns its output without the newline.
func (p *preparation) git(ctx context.Context, args ...string) (string, error) {
	text, err := (&source{folder: p.Folder, environment: environment()}).output(ctx, strings.Join(args, " "), exec.Command("git", args...))
	return strings.TrimSuffix(string(text), "\n"), err
}

// environment returns the environment of this program without variables that redirect git.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"}, name)
	})
}

// mirrored returns the place of an absolute path below temp.
func mirrored(temp, path string) string {
	return filepath.Join(temp, strings.TrimPrefix(path, filepath.VolumeName(path)))
}

// mirror prepares the place of a repository below temp. Everything beside the repository and beside
// its parent folders gets a link, so that relative paths in go.mod and go.work that lead out of the
// repository find the same files. Without changes of these files, both sides record the same build.
func mirror(temp, top string) error {
	for path := top; filepath.Dir(path) != path; path = filepath.Dir(path) {
		parent := filepath.Dir(path)
		if err := os.MkdirAll(mirrored(temp, parent), 0o777); err != nil {
			return fmt.Errorf("gotest: %w", err)
		}
		// Errors may not matter: the go command reports the files that it does not find.
		entries, _ := os.ReadDir(parent)
		for _, e := range entries {
			if original := filepath.Join(parent, e.Name()); e.Name() != filepath.Base(path) {
				_ = os.Symlink(original, mirrored(temp, original))
			}
		}
	}
	return nil
}

// workspace returns the go.work that the go command uses in the user's folder, or "off".
func (s *source) workspace(ctx context.Context) (string, error) {
	text, err := s.goCommand(ctx, "env", "GOWORK")
	return cmp.Or(strings.TrimSpace(string(text)), "off"), err
}

// workspace returns the go.work for building a revision in the same way as the working tree, or
// "off". If git tracks the go.work, the one of the revision is used, if any. Otherwise, the
// revision gets a copy of it.
func (p *preparation) workspace(ctx context.Context, user *source, revision, top, temp string) (string, error) {
	file, err := user.workspace(ctx)
	if err != nil || file == "off" {
		return file, err // "off" also ignores a go.work above the temporary folder
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(file)) // as in top
	if err != nil {
		return "", fmt.Errorf("gotest: %w", err)
	}
	file = filepath.Join(folder, filepath.Base(file))
	place := mirrored(temp, file)
	if inside, err := filepath.Rel(top, file); err == nil && filepath.IsLocal(inside) {
		if _, err := os.Stat(place); err == nil {
			return place, nil
		}
		known, err := p.git(ctx, "ls-files", "--", file)
		if err != nil {
			return "", err
		}
		if known != "" {
			p.benchmarks.Notes = append(p.benchmarks.Notes, fmt.Sprintf("%s was built without a workspace, since it does not have %s of the working tree", revision, filepath.ToSlash(inside)))
			return "off", nil
		}
	} else if real, err := filepath.EvalSymlinks(filepath.Dir(place)); err != nil || real != filepath.Dir(place) {
		return place, nil // a link, through which relative paths lead to the revision
	}
	return place, user.copyWorkspace(ctx, file, temp, place)
}

// copyWorkspace copies a go.work to its place below temp. The copy has no modules that the revision
// does not have.
func (s *source) copyWorkspace(ctx context.Context, file, temp, place string) error {
	for from, to := range map[string]string{file: place, file + ".sum": place + ".sum"} {
		text, err := os.ReadFile(from)
		if errors.Is(err, os.ErrNotExist) && from != file {
			continue // no module needs a go.work.sum
		}
		if err == nil {
			_ = os.Remove(to) // the link to the original
			err = cmp.Or(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, text, 0o666))
		}
		if err != nil {
			return fmt.Errorf("gotest: %w", err)
		}
	}
	text, err := s.goCommand(ctx, "work", "edit", "-json", file)
	if err != nil {
		return err
	}
	var work struct {
		Use     []struct{ DiskPath string }
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(text, &work); err != nil {
		return fmt.Errorf("gotest: %s: %w", file, err)
	}
	args := []string{"work", "edit"}
	for _, use := range work.Use {
		path := filepath.Join(filepath.Dir(place), use.DiskPath)
		if filepath.IsAbs(use.DiskPath) {
			path = mirrored(temp, use.DiskPath)
		}
		args = append(args, "-dropuse="+use.DiskPath)
		if _, err := os.Stat(path); err == nil {
			args = append(args, "-use="+path)
		}
	}
	for _, r := range work.Replace {
		if filepath.IsAbs(r.New.Path) {
			old := strings.TrimSuffix(r.Old.Path+"@"+r.Old.Version, "@")
			args = append(args, "-replace="+old+"="+mirrored(temp, r.New.Path))
		}
	}
	_, err = s.goCommand(ctx, append(args, place)...)
	return err
}

func (s *source) goCommand(ctx context.Context, args ...string) ([]byte, error) {
	return s.output(ctx, args[0], exec.Command("go", args...))
}

// output runs a program in the folder and returns its standard output. Errors contain the task.
func (s *source) output(ctx context.Context, task string, command *exec.Cmd) ([]byte, error) {
	command.Dir, command.Env = s.folder, s.environment
	text, err := process.Output(ctx, command)
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, fmt.Errorf("gotest: %s %s: %w", command.Args[0], task, err)
	}
	return text, nil
}
