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
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
)

func skipWithoutShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
}

// chdirToModule changes to the folder of a new module in a new repository. It sets the folder for
// temporary files to a new, empty folder.
func chdirToModule(t *testing.T) {
	t.Helper()
	tools.Need(t, "git", "go")
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

const trimpathTakes = "compiles the standard library again, with -trimpath"

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

// ab compares the working tree of a module with its only revision.
func TestABRevisions(t *testing.T) {
	long.Skip(t, trimpathTakes)
	chdirToModule(t)
	code, stdout, stderr := execute(t, "", "ab", "--base", "main", "--budget", "1ms", "--accept", "samples,unclear", "--same", "--seed", "1", "--save", "saved", "--", ".", "./...")
	if code != exitSuccess || !strings.Contains(stdout, "main → working tree") || !strings.Contains(stdout, "pkg: example.com/x") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	// The saved files contain the command with its packages.
	want := "# command: fphash ab --base main --budget 1ms --accept samples,unclear --same --seed 1 --save saved -- . ./...\n"
	for _, name := range []string{"old.txt", "new.txt"} {
		if text, err := os.ReadFile(filepath.Join("saved", name)); err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%s: %v, %.200q, want %q", name, err, text, want)
		}
	}
	// A package that is the same on both sides is never a regression.
	for _, format := range []string{"text", "html", "markdown", "jsonl"} {
		code, stdout, stderr = execute(t, "", "ab", "--base", "main", "--format", format)
		if both := stdout + stderr; code != exitSuccess || !strings.Contains(both, "same test binary") {
			t.Errorf("%s: exit code %d\n%s%s", format, code, stdout, stderr)
		}
	}
	checkNothingLeft(t)
}

// Every example of the help runs in a repository with the revisions and packages that it names.
func TestABExamples(t *testing.T) {
	long.Skip(t, "builds and runs every example of the help")
	skipWithoutShell(t)
	chdirToModule(t)
	text := "package encoding\n\nimport \"testing\"\n\nvar n int\n\nfunc BenchmarkParse(b *testing.B) {\n\tfor range b.N {\n\t\tn++\n\t}\n}\n"
	if err := errors.Join(os.Mkdir("encoding", 0o777), os.WriteFile("encoding/x_test.go", []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"git add -A", "git -c user.name=a -c user.email=a@example.com commit -q -m x", "git tag v1.2.0", "git tag v1.3.0",
		"go test -c -o old.test ./encoding", "cp old.test new.test"} {
		if text, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, text)
		}
	}
	command, _, err := newRoot().Find([]string{"ab"})
	if err != nil {
		t.Fatal(err)
	}
	examples := strings.Split(strings.ReplaceAll(strings.TrimSpace(command.Example), "\\\n", " "), "\n")
	if len(examples) != 3 {
		t.Errorf("%d examples: %q", len(examples), examples)
	}
	for _, example := range examples {
		// the budget allows one round, which is too short for a verdict
		line := strings.TrimSpace(example) + " --budget 1ms --accept samples,unclear"
		stdout, err := exec.Command("sh", "-c", line).CombinedOutput()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == exitNo {
			err = nil // a regression by chance
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", line, err, stdout)
		}
	}
	checkNothingLeft(t)
}

// waitFor waits until a file exists.
func waitFor(path string) {
	for {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// An interrupted run writes a report of its rounds. Before the first round, there is none.
func TestABInterrupted(t *testing.T) {
	skipWithoutShell(t)
	for _, rounds := range []int{0, 3} {
		file := filepath.Join(t.TempDir(), "file")
		// Commands runs the command once. After the rounds, it never ends by itself.
		command := fmt.Sprintf("echo BenchmarkX 1 2 ns/op; echo >>'%[1]s.runs'; test $(grep -c '' '%[1]s.runs') -lt %[2]d || { touch '%[1]s'; sleep 600; }", file, rounds+2)
		ctx, cancel := context.WithCancelCause(context.Background())
		go func() {
			waitFor(file)
			cancel(errInterrupted)
		}()
		saved := filepath.Join(t.TempDir(), "saved")
		var stdout, stderr strings.Builder
		err := runContext(ctx, []string{"ab", "--old", command, "--new", "echo BenchmarkX 1 2 ns/op", "--pin", "none", "--save", saved}, strings.NewReader(""), &stdout, &stderr)
		if !errors.Is(err, errInterrupted) || exitCode(err, io.Discard) != exitFailed {
			t.Errorf("%d rounds: %v", rounds, err)
		}
		text, _ := os.ReadFile(filepath.Join(saved, "old.txt"))
		if rounds == 0 && (stdout.String() != "" || len(text) > 0) {
			t.Errorf("%s%s", stdout.String(), text)
		} else if got := stdout.String(); rounds > 0 && (!strings.Contains(got, "GAP   interrupted: the run was stopped after ") || !strings.Contains(got, "note  3 rounds in ") || strings.Count(string(text), "# round: ") != 3) {
			t.Errorf("%s%s", got, text)
		}
	}
}

// ab removes its worktrees and temporary files after SIGTERM, which CI systems send to end a job,
// and after SIGHUP, which a closed terminal sends.
func TestABTerminated(t *testing.T) {
	long.Skip(t, trimpathTakes)
	skipWithoutShell(t)
	chdirToModule(t)
	file := filepath.Join(t.TempDir(), "file")
	// The benchmark creates a file to show that it runs, and does not end.
	slow := fmt.Sprintf("package x\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nfunc BenchmarkSlow(b *testing.B) {\n\tos.WriteFile(%q, nil, 0o666)\n\ttime.Sleep(time.Hour)\n}\n", file)
	if err := os.WriteFile("slow_test.go", []byte(slow), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) {
			continue // SIGHUP is ignored, as under nohup
		}
		command := exec.Command("fphash", "ab", "--base", "main")
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
		if err := command.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitFailed || !strings.Contains(stderr.String(), "fphash: interrupted before the first round") {
			t.Errorf("%v: %v\n%s", s, err, stderr.String())
		}
		checkNothingLeft(t)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

// ab removes its worktrees even if the reader of the report has exited.
func TestABBrokenPipe(t *testing.T) {
	long.Skip(t, trimpathTakes)
	skipWithoutShell(t)
	chdirToModule(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	command := exec.Command("fphash", "ab", "--base", "main", "--budget", "1ms", "--accept", "samples,unclear")
	command.Stdout = w
	var exit *exec.ExitError
	if err := command.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
		t.Errorf("%v", err)
	}
	checkNothingLeft(t)
}
