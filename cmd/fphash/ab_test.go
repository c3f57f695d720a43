package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What differs from one time to the next.
var abVaries = []struct {
	what    *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(` in [0-9.]+m?s of at most`), " in TIME of at most"},
	{regexp.MustCompile(`(?m)^(note  |- |note: )?(other programs|the processor has|a fixed comp|the hypervisor|the clock freq|there is one processor).*\n`), ""},
}

func skipWithoutShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
}

// Commands that always print the same give a report that is always the same.
func TestABGolden(t *testing.T) {
	skipWithoutShell(t)
	print := func(lines string) string { return "printf 'pkg: example\\n" + lines + "'" }
	line := func(name, figures string) string { return "Benchmark" + name + ` 1000 ` + figures + `\n` }
	fast := print(line("Sum", "100 ns/op 0 allocs/op") + line("Sort", "7 ns/op 0 allocs/op"))
	slow := print(line("Sum", "120 ns/op 0 allocs/op") + line("Sort", "7 ns/op 0 allocs/op"))
	fewer := print(line("Sum", "100 ns/op 0 allocs/op"))
	for _, tc := range []struct {
		name string
		args []string
	}{
		{"help-ab", []string{"--help"}},
		{"ab-slower", []string{"--old", fast, "--new", slow}},
		{"ab-same", []string{"--old", fast, "--new", fast}},
		{"ab-missing", []string{"--old", fast, "--new", fewer}},
		{"ab-missing-accepted", []string{"--old", fast, "--new", fewer, "--accept", "missing", "--format", "markdown"}},
		{"ab-failing", []string{"--old", fast, "--new", fast + "; test -e absent || { echo warming up >&2; echo oh no >&2; exit 3; }"}},
		{"ab-budget", []string{"--old", fast, "--new", slow, "--budget", "1ns"}},
		{"ab-csv", []string{"--old", fast, "--new", slow, "--format", "csv"}},
		{"ab-control", []string{"--control", "--old", fast, "--budget", "1ns"}},

		{"ab-nothing", nil},
		{"ab-no-results", []string{"--old", "echo hello", "--new", fast}},
		{"ab-fails", []string{"--old", "echo oh no >&2; exit 3", "--new", fast}},
		{"ab-one-command", []string{"--old", fast}},
		{"ab-mixed-sides", []string{"--old", fast, "--new", fast, "--base", "main"}},
		{"ab-mixed-kinds", []string{"--old", fast, "--new", fast, "--kernel", "avx2"}},
		{"ab-stray-flag", []string{"--old", fast, "--new", fast, "--run", "Sum"}},
		{"ab-one-kernel", []string{"--kernel", "generic"}},
		{"ab-three-kernels", []string{"--kernel", "generic,avx2,avx512"}},
		{"ab-kernels-and-hashes", []string{"--kernel", "generic,avx2", "--hash", "md5,xxh64"}},
		{"ab-same-kernels", []string{"--kernel", "generic,generic"}},
		{"ab-no-hash", []string{"--hash", "xxh64,xxh65"}},
		{"ab-control-two", []string{"--control", "--kernel", "generic,naive"}},
		{"ab-no-case", []string{"--kernel", "generic,naive", "--run", "MemoryRead"}},
		{"ab-bad-pin", []string{"--old", fast, "--new", fast, "--pin", "all"}},
		{"ab-bad-budget", []string{"--old", fast, "--new", fast, "--budget", "-1s"}},
		{"ab-bad-threshold", []string{"--old", fast, "--new", fast, "--threshold", "3"}},
		{"ab-bad-format", []string{"--old", fast, "--new", fast, "--format", "xml"}},
		{"ab-bad-accept", []string{"--old", fast, "--new", fast, "--accept", "all"}},
		{"ab-bad-ignore", []string{"--old", fast, "--new", fast, "--ignore", "("}},
		{"ab-bad-cpu", []string{"--base", "main", "--cpu", "0"}},
		{"ab-bad-alpha", []string{"--old", fast, "--new", fast, "--alpha", "0"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			args := append([]string{"ab"}, tc.args...)
			if len(tc.args) > 1 && !slices.Contains(tc.args, "--pin") {
				args = append(args, "--pin", "none", "--seed", "1")
			}
			code, stdout, stderr := execute(t, "", args...)
			for _, v := range abVaries {
				stdout, stderr = v.what.ReplaceAllString(stdout, v.instead), v.what.ReplaceAllString(stderr, v.instead)
			}
			var quotedArgs []string
			for _, a := range args {
				quotedArgs = append(quotedArgs, quoted(a))
			}
			compareGolden(t, tc.name, fmt.Sprintf("$ fphash %s\nexit code %d\n--- stdout\n%s--- stderr\n%s", strings.Join(quotedArgs, " "), code, stdout, stderr))
		})
	}
}

// This program's own cases, run by this program: naive loops are several times slower than the
// generic kernel.
func TestABKernels(t *testing.T) {
	t.Setenv(asProgram, "1")
	save := t.TempDir()
	// clear after a dozen rounds, however long they take
	code, stdout, stderr := execute(t, "", "ab", "--kernel", "generic,naive", "--run", "Accumulate/weights=f32/f=64", "--nnz", "32", "--save", save, "--budget", "10m")
	if code != exitNo || !strings.Contains(stdout, "kernel=generic → kernel=naive") || !strings.Contains(stdout, "Accumulate/weights=f32/f=64/nnz=32") || strings.Count(stdout, " REGRESSION\n") != 1 {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	// What is saved says the same.
	code, stdout, stderr = execute(t, "", "compare", "--ignore", "/kernel", filepath.Join(save, "old.txt"), filepath.Join(save, "new.txt"))
	if code != exitNo || strings.Count(stdout, " REGRESSION\n") != 1 {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// Two hashes on the user's own vectors.
func TestABData(t *testing.T) {
	t.Setenv(asProgram, "1")
	code, stdout, stderr := execute(t, "", "ab", "--control", "--hash", "xxh64", "--kernel", "generic", "--data", "testdata/small.svm", "--weights", "f32", "--bits", "64", "--budget", "1ms", "--accept", "samples", "--format", "jsonl")
	if code != exitSuccess || !strings.Contains(stdout, "/data=small.svm/nnz=mixed") || !strings.Contains(stdout, `"type":"noise"`) {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// chdirToModule makes a module in a repository of its own the current folder. Temporary files are
// made elsewhere, in a folder where nothing else is.
func chdirToModule(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull, "GOFLAGS": "", "GOWORK": "off", "GOTOOLCHAIN": "local", "GOOS": "", "GOARCH": "", "TMPDIR": t.TempDir()} {
		t.Setenv(name, value)
	}
	t.Chdir(t.TempDir())
	text := "package x\n\nimport \"testing\"\n\nvar n int\n\nfunc BenchmarkCount(b *testing.B) {\n\tfor range b.N {\n\t\tn++\n\t}\n}\n"
	for path, text := range map[string]string{"go.mod": "module example.com/x\n\ngo 1.24\n", "x_test.go": text} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"init -q -b main", "add -A", "-c user.name=a -c user.email=a@example.com commit -q -m x"} {
		if text, err := exec.Command("git", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, text)
		}
	}
}

// checkNothingLeft checks that worktrees and temporary files are gone.
func checkNothingLeft(t *testing.T) {
	t.Helper()
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "fphash*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if text, err := exec.Command("git", "worktree", "list", "--porcelain").CombinedOutput(); err != nil || strings.Count(string(text), "worktree ") != 1 {
		t.Errorf("worktrees: %v\n%s", err, text)
	}
}

// A module against its only revision.
func TestABRevisions(t *testing.T) {
	chdirToModule(t)
	code, stdout, stderr := execute(t, "", "ab", "--base", "main", "--budget", "1ms", "--accept", "samples")
	if code != exitSuccess || !strings.Contains(stdout, "main → working tree") || !strings.Contains(stdout, "pkg: example.com/x") || !strings.Contains(stdout, "same test binary") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	checkNothingLeft(t)
}

// waitFor waits until a file is there.
func waitFor(path string) {
	for {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestABInterrupted(t *testing.T) {
	skipWithoutShell(t)
	file := filepath.Join(t.TempDir(), "file")
	// The third run of the command never ends by itself.
	command := fmt.Sprintf("echo BenchmarkX 1 2 ns/op; echo >>%[1]s.runs; test $(grep -c '' %[1]s.runs) -lt 3 || { touch %[1]s; sleep 600; }", file)
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		waitFor(file)
		cancel(errInterrupted)
	}()
	var stdout, stderr strings.Builder
	err := runContext(ctx, []string{"ab", "--old", command, "--new", "echo BenchmarkX 1 2 ns/op", "--pin", "none"}, strings.NewReader(""), &stdout, &stderr)
	if !errors.Is(err, errInterrupted) || stdout.String() != "" || exitCode(err, io.Discard) != exitFailed {
		t.Errorf("%v\n%s%s", err, stdout.String(), stderr.String())
	}
}

// A job that is called off gets a SIGTERM, one whose terminal is closed a SIGHUP: what it has made
// is removed all the same.
func TestABTerminated(t *testing.T) {
	skipWithoutShell(t)
	chdirToModule(t)
	file := filepath.Join(t.TempDir(), "file")
	// The benchmark says that it runs, and does not end.
	slow := fmt.Sprintf("package x\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nfunc BenchmarkSlow(b *testing.B) {\n\tos.WriteFile(%q, nil, 0o666)\n\ttime.Sleep(time.Hour)\n}\n", file)
	if err := os.WriteFile("slow_test.go", []byte(slow), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) {
			continue // as under nohup, which the command respects
		}
		command := exec.Command(os.Args[0], "ab", "--base", "main")
		command.Env = append(os.Environ(), asProgram+"=1")
		var stderr strings.Builder
		command.Stderr = &stderr
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(file)
		if err := command.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := command.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitFailed || !strings.Contains(stderr.String(), "fphash: interrupted: part of a run is no verdict") {
			t.Errorf("%v: %v\n%s", s, err, stderr.String())
		}
		checkNothingLeft(t)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

// Nobody reads the report: worktrees are removed nevertheless.
func TestABBrokenPipe(t *testing.T) {
	skipWithoutShell(t)
	chdirToModule(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	command := exec.Command(os.Args[0], "ab", "--base", "main", "--budget", "1ms", "--accept", "samples")
	command.Env = append(os.Environ(), asProgram+"=1")
	command.Stdout = w
	var exit *exec.ExitError
	if err := command.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
		t.Errorf("%v", err)
	}
	checkNothingLeft(t)
}
