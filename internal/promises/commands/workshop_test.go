package commands

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"simhashkit/internal/testing/tools"
)

// workshop is a folder in which the commands of the documentation run. It is a user's module in a
// git repository, with the files that the commands use. This module is beside it.
type workshop struct {
	t   *testing.T
	dir string
	env []string
}

// newWorkshop returns a workshop. It skips the test if a shell, git or Go is missing.
func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the documentation is for a POSIX shell")
	}
	tools.Need(t, "sh", "git", "go")
	ours, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	w := &workshop{t: t, dir: filepath.Join(home, "yours")}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "GITHUB_") && !strings.HasPrefix(v, "FPHASH") {
			w.env = append(w.env, v)
		}
	}
	w.env = append(w.env, "HOME="+home, "PATH="+filepath.Join(home, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"), "GOPROXY=off", "GOSUMDB=off", "GOFLAGS=-mod=mod")
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		text, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		w.env = append(w.env, name+"="+strings.TrimSpace(string(text)))
	}
	tools.Fphash(t, root, filepath.Join(home, "bin"))
	if err := os.Symlink(ours, filepath.Join(home, "simhashkit")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(w.dir, os.DirFS(filepath.Join(root, "bench", "recipes", "testdata", "module"))); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(root, "internal", "bench", "doctor", "testdata", "examples", "hash.py"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(w.dir, "hash.py"), string(script))
	write(t, filepath.Join(w.dir, "go.mod"), "module example.com/dedup\n\ngo 1.26.0\n")
	w.run("git init --quiet --initial-branch=main && git config user.name Somebody && git config user.email somebody@example.com && git add --all && git commit --quiet --message first", 0)
	return w
}

// run runs a command with the shell, and expects one of the given exit codes.
func (w *workshop) run(command string, codes ...int) {
	w.t.Helper()
	c := exec.Command("sh", "-c", command)
	c.Dir, c.Env = w.dir, w.env
	began := time.Now()
	out, err := c.CombinedOutput()
	w.t.Logf("%5.1fs  %s", time.Since(began).Seconds(), command)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	code := c.ProcessState.ExitCode()
	if code == 2 && bytes.Contains(out, []byte("too few to find any change")) {
		w.t.Log("had too little time") // the machine is slow or busy
		return
	}
	if !slices.Contains(codes, code) {
		w.t.Errorf("%s\nexit code %d, want %v\n%s", command, code, codes, out)
	}
}

// shortened lists changes to commands of the documentation that make them faster. Other tests check
// their results.
var shortened = []struct {
	pattern     *regexp.Regexp
	replacement string
}{
	{regexp.MustCompile(`^go run \./cmd/fphash`), "fphash"},
	{regexp.MustCompile(`^fphash bench`), "fphash bench --samples 1 --time 1us"},
	{regexp.MustCompile(`^fphash compare`), "fphash compare --accept unclear"}, // short measurements are noisy
	{regexp.MustCompile(`--runs 6`), "--runs 2"},
	{regexp.MustCompile(`^(fphash bench .*)--run ('?Sketch)`), "$1--kernel generic --run $2"},
	{regexp.MustCompile(`--run Sketch$`), "--run 'Sketch.*nnz=100$$'"},
	{regexp.MustCompile(`--run Quality `), "--run Quality --weights unit "},
	{regexp.MustCompile(`--run 'Accumulate/weights=f32'`), "--run 'Accumulate/weights=f32/f=64/.*nnz=100'"},
	{regexp.MustCompile(`--full --samples 10`), "--full --samples 2 --kernel generic"},
	{regexp.MustCompile(`--suite (kernels|hashes)`), "--suite $1 --kernel generic --run '^Hash/'"},
	{regexp.MustCompile(`^fphash doctor (.*--hash)`), "fphash doctor --keyings 10 $1"},
	{regexp.MustCompile(`^fphash doctor (.*--family)`), "fphash doctor --pattern dense1e3 $1"},
	{regexp.MustCompile(`^fphash doctor (.*-- )`), "fphash doctor --keyings 10 $1"},
	{regexp.MustCompile(`--hash 'python3 hash.py'`), "$0 --pattern dense1e3"},
	{regexp.MustCompile(`^fphash ab (--base|--old)`), "fphash ab --budget 4s --accept unclear $1"},
	{regexp.MustCompile(`^\.\./simhashkit/bench/recipes/gate\.sh`), "FPHASH_BUDGET=20s FPHASH_TIME_FLAGS='--accept unclear' $0"},
	{regexp.MustCompile(`-count 10`), "$0 -benchtime 1x"},
	{regexp.MustCompile(`n=1000000\$`), "n=10000$$"},
}

// mayFind matches the commands that may exit with 1: a short measurement may find a regression, and
// some hashes are weak.
var mayFind = regexp.MustCompile(`^fphash (ab|compare|bench|choose|doctor|report)|gate\.sh`)

// measuresAll matches the commands that measure everything without further flags.
var measuresAll = regexp.MustCompile(`^(go run \./cmd/)?fphash bench`)

// try runs a command of the documentation, and accepts any verdict. Commands that measure are
// shortened.
func (w *workshop) try(command string) {
	w.t.Helper()
	codes := []int{0}
	if mayFind.MatchString(command) {
		codes = append(codes, 1)
	}
	if !strings.Contains(command, "--hash") {
		if !strings.Contains(command, "--text ") { // with --text, choose does not compare hashes
			command = regexp.MustCompile(`^((?:go run \./cmd/)?fphash (?:bench|choose))`).ReplaceAllString(command, "$1 --hash xxh64")
		}
	}
	if measuresAll.MatchString(command) && !strings.Contains(command, " --run ") && !strings.Contains(command, " --suite ") {
		command = measuresAll.ReplaceAllString(command, "$0 --weights f32 --pattern dense1e3")
	}
	for _, s := range shortened {
		command = s.pattern.ReplaceAllString(command, s.replacement)
	}
	w.run(command, codes...)
}

// write writes a file.
func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// follow runs the commands of a document, except those that are not tested, and adds blocks of the
// language conf to the configuration of the gate. It skips commands that leaveOut matches,
// unless it is nil.
func (w *workshop) follow(document string, leaveOut *regexp.Regexp) {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(root, document))
	if err != nil {
		w.t.Fatal(err)
	}
	tried := 0
	for _, block := range tools.Blocks(string(text)) {
		switch {
		case block.NotTested:
		case block.Language == "":
			for command := range strings.Lines(strings.ReplaceAll(block.Code, "\\\n", "")) {
				if command = strings.TrimSpace(command); command != "" && (leaveOut == nil || !leaveOut.MatchString(command)) {
					w.try(command)
					tried++
				}
			}
		case block.Language == "conf":
			former, err := os.ReadFile(filepath.Join(w.dir, "fphash-gate.conf"))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				w.t.Fatal(err)
			}
			write(w.t, filepath.Join(w.dir, "fphash-gate.conf"), string(former)+block.Code)
		}
	}
	if tried == 0 {
		w.t.Errorf("%s shows no commands", document)
	}
}

var (
	examplesOf    = regexp.MustCompile(`(?ms)^Examples:\n(.*?)\n\n`)
	subcommandsOf = regexp.MustCompile(`(?m)^  ([a-z][a-z-]*) +[A-Z]`) // in lists below "Usage:"
)

// examples returns the examples in the help of a command and those below it.
func (w *workshop) examples(command string) (list []string) {
	w.t.Helper()
	c := exec.Command("sh", "-c", command+" --help")
	c.Env = w.env
	help, err := c.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	if block := examplesOf.FindSubmatch(help); block != nil {
		for line := range strings.Lines(strings.ReplaceAll(string(block[1]), "\\\n", "")) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	_, lists, _ := strings.Cut(string(help), "\nUsage:\n")
	_, lists, _ = strings.Cut(lists, "\n") // the usage line
	lists, _, _ = strings.Cut(lists, "\nTopics of fphash help:\n")
	for _, found := range subcommandsOf.FindAllStringSubmatch(lists, -1) {
		if name := found[1]; name != "help" && name != "completion" {
			list = append(list, w.examples(command+" "+name)...)
		}
	}
	return list
}
