package gotest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
)

// repository is a scratch repository, with a module in its folder "module".
type repository struct {
	t   *testing.T
	top string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	tools.Need(t, "git", "go")
	tools.NeedExecutable(t)
	for _, v := range []string{"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull, "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS=", "GOWORK=", "GOOS=", "GOARCH=",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com"} {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	t.Setenv("TMPDIR", t.TempDir()) // nothing may be left in this folder
	if !long.Enabled() {            // -trimpath compiles the standard library again
		former := reproducible
		t.Cleanup(func() { reproducible = former })
		reproducible = []string{"-buildvcs=false"}
	}
	r := &repository{t, filepath.Join(t.TempDir(), "repository")}
	r.write("module/go.mod", "module example.com/m\n\ngo 1.24\n")
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repository) module() string { return filepath.Join(r.top, "module") }

func (r *repository) write(path, text string) {
	r.t.Helper()
	path = filepath.Join(r.top, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	command := exec.Command("git", args...)
	command.Dir = r.top
	text, err := command.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, text)
	}
	return string(text)
}

func (r *repository) commit() {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "x")
}

// benchmark writes a package with a benchmark that reports a number, which shows which source was
// built.
func (r *repository) benchmark(folder, number string) {
	r.t.Helper()
	r.write(filepath.Join("module", folder, "x.go"), "package x\n\nconst Number = "+number+"\n")
	r.write(filepath.Join("module", folder, "x_test.go"), benchmarkText)
}

const benchmarkText = `package x

import "testing"

var sink int

func BenchmarkNumber(b *testing.B) {
	b.Run("n=1", func(b *testing.B) {
		for i := range b.N {
			sink += i
		}
		b.ReportMetric(Number, "number")
	})
}
`

// state returns everything that a run may leave behind.
func (r *repository) state() string {
	r.t.Helper()
	left, err := os.ReadDir(os.TempDir())
	if err != nil {
		r.t.Fatal(err)
	}
	var names []string
	for _, l := range left {
		if strings.HasPrefix(l.Name(), "fphash") {
			names = append(names, l.Name())
		}
	}
	return r.git("status", "--porcelain") + r.git("worktree", "list") + r.git("branch", "--list") + strings.Join(names, "\n")
}

// numbers returns the name of each task and the numbers that its sides report.
func numbers(t *testing.T, b *Benchmarks) []string {
	t.Helper()
	var list []string
	for _, task := range b.Tasks {
		line := task.Name
		for _, r := range task.Sides {
			switch {
			case r == nil:
				line += " -"
				continue
			default:
				text, err := r(context.Background())
				fields := strings.Fields(string(text))
				i := slices.Index(fields, "number")
				if err != nil || i < 0 {
					t.Fatalf("%s: %v\n%s", task.Name, err, text)
				}
				line += " " + fields[i-1]
			}
		}
		list = append(list, line)
	}
	return list
}
