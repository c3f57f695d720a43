// Package tools finds the programs on this machine that tests need, and builds fphash for them. It
// runs scripts in Python, which check our files with its libraries, or write files for our readers.
// Blocks reads the code in our pages.
package tools

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
)

// Need skips a test if one of the programs is not on the path. In continuous integration with long
// tests, it fails the test: all programs are installed there.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			Missing(t, "there is no "+name+" on the path")
		}
	}
}

// Missing skips or fails a test like Need, if something other than a program is missing.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") != "" && long.Enabled() {
		t.Fatal(what)
	}
	t.Skip(what)
}

// NeedExecutable skips a test if programs in the folder for temporary files cannot run, as on a
// disk that is mounted with noexec.
func NeedExecutable(t testing.TB) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return
	}
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(program).Run(); errors.Is(err, fs.ErrPermission) {
		Missing(t, "programs in "+os.TempDir()+" cannot run")
	}
}

// Fphash builds fphash from the module at root and copies it into a folder. It uses go run with cp,
// because go run caches the program for all test packages, but go build links it each time.
func Fphash(t testing.TB, root, folder string) (program string) {
	t.Helper()
	Need(t, "go", "cp")
	NeedExecutable(t)
	program, err := filepath.Abs(filepath.Join(folder, "fphash"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(program), 0o777); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "go", "run", "-exec", "cp", "./cmd/fphash", program)
	command.Dir, command.Env = root, append(os.Environ(), "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// pythonVariable is the environment variable with the Python to run. If it is set, tests fail if
// that Python lacks a module; otherwise they are skipped.
const pythonVariable = "FPHASH_PYTHON"

// Python runs a Python script and returns its output. It skips the test if there is no Python with
// these modules, unless FPHASH_PYTHON is set.
func Python(t testing.TB, modules []string, script string, args ...string) string {
	t.Helper()
	program := cmp.Or(os.Getenv(pythonVariable), "python3")
	if output, err := exec.CommandContext(t.Context(), program, "-c", "import "+strings.Join(modules, ", ")).CombinedOutput(); err != nil {
		lacking := strings.Join(modules, ", ")
		if os.Getenv(pythonVariable) != "" {
			t.Fatalf("%s=%s: expected a Python with %s: %v\n%s", pythonVariable, program, lacking, err, output)
		}
		t.Skipf("%s with %s is not available: set %s to use another Python", program, lacking, pythonVariable)
	}
	command := exec.CommandContext(t.Context(), program, append([]string{script}, args...)...)
	var complaints bytes.Buffer
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", script, strings.Join(args, " "), err, complaints.String())
	}
	return string(out)
}

// Block is a block of code in a document.
type Block struct {
	Language  string // "" for commands
	Code      string
	NotTested bool // the text before the block says "not tested: " and why
}

var (
	fenced    = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	notTested = regexp.MustCompile(`(?i)\bnot\s+tested:\s+\w`)
)

// Blocks returns the fenced blocks of a document. A reason not to test a block is in the paragraph
// before it.
func Blocks(document string) (list []Block) {
	end := 0
	for _, at := range fenced.FindAllStringSubmatchIndex(document, -1) {
		before := strings.TrimSpace(document[end:at[0]])
		before = before[strings.LastIndex(before, "\n\n")+1:]
		list, end = append(list, Block{document[at[2]:at[3]], document[at[4]:at[5]], notTested.MatchString(before)}), at[1]
	}
	return list
}
