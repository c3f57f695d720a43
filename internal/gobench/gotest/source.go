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
	// relative paths may lead up to eight folders out of a repository; see linkOutside
	folder := filepath.Join(temp, strings.Repeat("d/", 7)+"tree")
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
		return nil, fmt.Errorf("gotest: there is no revision %q in %s; without a remote, name a local branch; in a shallow clone of actions/checkout, set fetch-depth: 0", revision, top)
	}
	// The worktree must be removed even if adding it is interrupted.
	p.benchmarks.closers = append(p.benchmarks.closers, func() error { return p.removeWorktree(folder) })
	// The hooks of the repository are for checkouts by users.
	if _, err := p.git(ctx, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--quiet", "--detach", folder, commit); err != nil {
		return nil, err
	}
	s := &source{revision, filepath.Join(folder, filepath.FromSlash(prefix)), environment()}
	if _, err := os.Stat(s.folder); err != nil {
		return nil, fmt.Errorf("gotest: revision %s has no folder %s", revision, prefix)
	}
	workspace, err := p.workspace(ctx, user, revision, top, folder)
	if err != nil {
		return nil, err
	}
	s.environment = append(s.environment, "GOWORK="+workspace)
	return s, s.linkOutside(ctx, top, folder, temp)
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

// linkOutside makes symbolic links for relative paths in go.mod and go.work that lead out of the
// worktree, such as "replace example.com/x => ../x". With links, the files need no changes, so that
// both sides record the same build. All links are in the temporary folder.
func (s *source) linkOutside(ctx context.Context, top, worktree, temp string) error {
	text, err := s.goCommand(ctx, "env", "GOMOD", "GOWORK")
	if err != nil {
		return err
	}
	files := strings.Split(string(text), "\n")
	for i := 0; i < len(files); i++ {
		if filepath.Ext(files[i]) != ".mod" && filepath.Ext(files[i]) != ".work" {
			continue // off, or no module
		}
		paths, modules, err := s.pathsOf(ctx, files[i])
		if err != nil {
			return err
		}
		files = append(files, modules...)
		inside, err := filepath.Rel(worktree, filepath.Dir(files[i]))
		if err != nil || !filepath.IsLocal(inside) {
			continue // the paths of a file outside the worktree need no links
		}
		for _, path := range paths {
			if err := link(filepath.Join(top, inside, path), filepath.Join(worktree, inside, path), worktree, temp); err != nil {
				return err
			}
		}
	}
	return nil
}

// link makes path a symbolic link to original, if path is in the temporary folder and outside the
// worktree.
func link(original, path, worktree, temp string) error {
	inTree, err := filepath.Rel(worktree, path)
	if err != nil || filepath.IsLocal(inTree) {
		return nil
	}
	if inTemp, err := filepath.Rel(temp, path); err != nil || !filepath.IsLocal(inTemp) {
		return nil // path is above the temporary folder; the go command reports that it does not exist
	}
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
		err = os.Symlink(original, path)
	}
	if err != nil {
		return fmt.Errorf("gotest: %w", err)
	}
	return nil
}

// pathsOf returns the relative paths in a go.mod or go.work, and the go.mod files of a go.work.
func (s *source) pathsOf(ctx context.Context, file string) (paths, modules []string, err error) {
	named, err := s.readModuleFile(ctx, file)
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

// workspace returns the go.work that the go command uses in the user's folder, or "off".
func (s *source) workspace(ctx context.Context) (string, error) {
	text, err := s.goCommand(ctx, "env", "GOWORK")
	return cmp.Or(strings.TrimSpace(string(text)), "off"), err
}

// workspace returns the go.work for building a worktree in the same way as the working tree, or
// "off". If git tracks the go.work, the one of the revision is used, if any. A go.work that is
// untracked or outside the repository names modules of the working tree, so workspace makes a copy
// that names those of the revision.
func (p *preparation) workspace(ctx context.Context, user *source, revision, top, worktree string) (string, error) {
	file, err := user.workspace(ctx)
	if err != nil || file == "off" {
		return file, err // "off" also ignores a go.work above the temporary folder
	}
	inside, ok := within(top, file)
	if !ok {
		return user.moveWorkspace(ctx, file, top, worktree, worktree+"-work")
	}
	moved := filepath.Join(worktree, inside)
	if _, err := os.Stat(moved); err == nil {
		return moved, nil
	}
	known, err := p.git(ctx, "ls-files", "--", filepath.Join(top, inside))
	if err != nil {
		return "", err
	}
	// an untracked go.work also applies to the revision
	if known == "" {
		return user.moveWorkspace(ctx, file, top, worktree, filepath.Dir(moved))
	}
	p.benchmarks.Notes = append(p.benchmarks.Notes, fmt.Sprintf("%s was built without a workspace, since it does not have %s of the working tree", revision, filepath.ToSlash(inside)))
	return "off", nil
}

// moveWorkspace copies a go.work into a folder. In the copy, the modules of the repository are
// those of the worktree.
func (s *source) moveWorkspace(ctx context.Context, file, top, worktree, folder string) (string, error) {
	work, err := s.readModuleFile(ctx, file)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", fmt.Errorf("gotest: %w", err)
	}
	moved := filepath.Join(folder, filepath.Base(file))
	for from, to := range map[string]string{file: moved, file + ".sum": moved + ".sum"} {
		text, err := os.ReadFile(from)
		if errors.Is(err, os.ErrNotExist) && from != file {
			continue // no module needs a go.work.sum
		}
		if err == nil {
			err = os.WriteFile(to, text, 0o666)
		}
		if err != nil {
			return "", fmt.Errorf("gotest: %w", err)
		}
	}
	there := func(path string) string { // the path in the worktree, if it is in the repository
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
			continue // the replacement is not a path
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		args = append(args, "-replace="+old+"="+there(r.New.Path))
	}
	_, err = s.goCommand(ctx, append(args, moved)...)
	return moved, err
}

type moduleFile struct {
	Use     []struct{ DiskPath string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

func (s *source) readModuleFile(ctx context.Context, path string) (m moduleFile, err error) {
	text, err := s.goCommand(ctx, strings.TrimPrefix(filepath.Ext(path), "."), "edit", "-json", path)
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
	for _, p := range []*string{&folder, &path} { // git resolves symbolic links, the go command does not
		if real, err := filepath.EvalSymlinks(*p); err == nil {
			*p = real
		}
	}
	relative, err := filepath.Rel(folder, path)
	return relative, err == nil && filepath.IsLocal(relative)
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
