package recipes

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"simhashkit/internal/testing/tools"
)

// repository is a git repository with a module in one of its folders.
type repository struct {
	t    *testing.T
	top  string
	path string // PATH of the commands that run in it
	dir  string // folder of the module
	base string // the default branch
}

// newRepository makes a repository, and commits the module of testdata with vectors to its branch
// main, in this folder of the repository. Its commands find fphash.
func newRepository(t *testing.T, folder string) *repository {
	t.Helper()
	r := newModule(t, folder)
	r.path = filepath.Dir(tools.Fphash(t, realKit, t.TempDir())) + string(filepath.ListSeparator) + r.path
	r.sh("fphash data generate --vectors 300 --nnz 60 --dimensions 2000 --weights tfidf --plant 0.97:100 --out vectors.svm")
	r.commit("vectors")
	return r
}

// newModule is newRepository without vectors and fphash, which takes less time.
func newModule(t *testing.T, folder string) *repository {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the recipes are for a POSIX shell")
	}
	tools.Need(t, "sh", "bash", "git", "go")
	top := t.TempDir()
	r := &repository{t: t, top: top, path: os.Getenv("PATH"), dir: filepath.Join(top, folder), base: "main"}
	if err := os.CopyFS(r.dir, os.DirFS(filepath.Join("testdata", "module"))); err != nil {
		t.Fatal(err)
	}
	r.write("go.mod", "module example.com/dedup\n\ngo 1.26.0\n")
	r.write("go.work", "go 1.26.0\n\nuse .\n")
	r.git("-C", top, "init", "--quiet", "--initial-branch=main")
	r.git("config", "user.name", "Somebody")
	r.git("config", "user.email", "somebody@example.com")
	r.commit("first")
	return r
}

// command prepares a command in the folder of the module. Its environment has no variables of a CI
// system or of a user of the recipes.
func (r *repository) command(name string, args ...string) *exec.Cmd {
	command := exec.Command(name, args...)
	command.Dir = r.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GITHUB_") && !strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "FPHASH") && !strings.HasPrefix(v, "GOWORK=") {
			command.Env = append(command.Env, v)
		}
	}
	command.Env = append(command.Env, "PATH="+r.path, "GOFLAGS=")
	return command
}

func (r *repository) run(name string, args ...string) {
	r.t.Helper()
	if out, err := r.command(name, args...).CombinedOutput(); err != nil {
		r.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

func (r *repository) git(args ...string) { r.t.Helper(); r.run("git", args...) }
func (r *repository) sh(script string)   { r.t.Helper(); r.run("sh", "-c", script) }
func (r *repository) commit(title string) {
	r.t.Helper()
	r.git("add", "--all")
	r.git("commit", "--quiet", "--allow-empty", "--message", title)
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// configure commits the settings of the gate to the current branch.
func (r *repository) configure(settings string) {
	r.t.Helper()
	r.write("fphash-gate.conf", settings)
	r.commit("settings")
}

// stubKit returns a folder with the action of simhashkit, a program fphash with this body of main,
// or none, and this text of gate.sh.
func stubKit(t *testing.T, main, gate string) (folder string) {
	t.Helper()
	kit := &repository{t: t, dir: t.TempDir()}
	kit.write("go.mod", "module simhashkit\n\ngo 1.26.0\n")
	kit.write("bench/recipes/action.yml", (&repository{t: t}).read("action.yml"))
	if main != "" {
		kit.write("cmd/fphash/main.go", "package main\n\nfunc main() { "+main+" }\n")
	}
	kit.write("bench/recipes/gate.sh", gate)
	kit.run("chmod", "+x", "bench/recipes/gate.sh")
	return kit.dir
}

func (r *repository) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// replace changes a text in a file. It fails if the file does not contain the text.
func (r *repository) replace(name, old, new string) {
	r.t.Helper()
	text := r.read(name)
	if !strings.Contains(text, old) {
		r.t.Fatalf("%s has no %q", name, old)
	}
	r.write(name, strings.Replace(text, old, new, 1))
}

// Changes of the module, some of which the gate must find.
func (r *repository) weakenHash() {
	r.t.Helper()
	r.replace("sketch/hash.go", "return x ^ x>>31", "return (x ^ x>>31) &^ 0xffff") // 16 dead bits
}

func (r *repository) slowDown() {
	r.t.Helper()
	r.replace("sketch/sketch.go", "rounds = 1", "rounds = 2")
}
func (r *repository) changeNothing() {
	r.t.Helper()
	r.replace("sketch/sketch.go", "with weight 1.", "with weight 1, and why.")
}
