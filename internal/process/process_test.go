package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func skipWithoutShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
}

func TestOutput(t *testing.T) {
	skipWithoutShell(t)
	text, err := Output(context.Background(), Shell("echo out; echo err >&2"))
	if string(text) != "out\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	text, err = Output(context.Background(), Shell("echo out; echo err >&2; exit 3"))
	if string(text) != "out\n" || err == nil || err.Error() != "exit status 3: err" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err = Output(context.Background(), Shell("exit 3")); err == nil || err.Error() != "exit status 3" {
		t.Errorf("%v", err)
	}
	long := Shell("i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1")
	if _, err = Output(context.Background(), long); err == nil || !strings.HasSuffix(err.Error(), "line 1999") || !strings.HasPrefix(err.Error(), "exit status 1: ...\nline ") || len(err.Error()) > mostOfTail+100 {
		t.Errorf("%v", err)
	}
}

// expectEnded waits for the end of a process. It accepts a zombie, which its adoptive parent has
// not reaped yet.
func expectEnded(t *testing.T, pid string) {
	t.Helper()
	ended := fmt.Sprintf("i=0; while [ $i -lt 600 ]; do ps -o stat= -p %[1]s | grep -qv Z || exit 0; sleep 0.1; i=$((i+1)); done; exit 1", strings.TrimSpace(pid))
	if _, err := Output(context.Background(), Shell(ended)); err != nil {
		t.Errorf("the program's child still runs: %v", err)
	}
}

// A program and its children are stopped when the context ends. A file shows whether the grandchild
// survived.
func TestOutputEndsWithTheContext(t *testing.T) {
	skipWithoutShell(t)
	file := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	go func() {
		for {
			if text, err := os.ReadFile(file); err == nil && strings.HasSuffix(string(text), "\n") {
				break
			}
			time.Sleep(time.Millisecond)
		}
		cancel(reason)
	}()
	text, err := Output(ctx, Shell(fmt.Sprintf("echo started; sleep 600 & echo $! >'%s'; wait", file)))
	if string(text) != "started\n" || !errors.Is(err, reason) {
		t.Errorf("%q, %v", text, err)
	}
	pid, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	expectEnded(t, string(pid))
	if text, err := Output(ctx, Shell("echo more")); text != nil || !errors.Is(err, reason) {
		t.Errorf("%q, %v", text, err)
	}
}

// Processes that a program leaves behind with its pipes are stopped, too.
func TestLeftProcesses(t *testing.T) {
	skipWithoutShell(t)
	text, err := Output(context.Background(), Shell("sleep 600 & echo $!"))
	if !errors.Is(err, ErrLeftProcesses) {
		t.Fatalf("%q, %v", text, err)
	}
	expectEnded(t, string(text))
}

func TestTailUpsetsNoTerminal(t *testing.T) {
	var tail Tail
	fmt.Fprint(&tail, "a\tb\x1b[2J\x7f\xffc\r\n\n")
	if got := tail.String(); got != "a\tb[2J?c" {
		t.Errorf("%q", got)
	}
}

// Reason returns the exit status with the most informative line of standard error.
func TestReason(t *testing.T) {
	skipWithoutShell(t)
	for command, want := range map[string]string{
		"echo out of >&2; echo paper >&2; exit 3":                                                   "exit status 3: paper",
		"printf 'goroutines\\npanic: oh no\\n\\ngoroutine 1 [running]:\\n\\tx.go:3\\n' >&2; exit 2": "exit status 2: panic: oh no",
		"printf 'fatal error: all asleep\\n\\n\\tx.go:3\\n' >&2; exit 2":                            "exit status 2: fatal error: all asleep",
	} {
		_, err := Output(context.Background(), Shell(command))
		var failure *Failure
		if !errors.As(err, &failure) || failure.Reason() != want {
			t.Errorf("%s: %v", command, err)
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Errorf("%s: no exit status in %v", command, err)
		}
	}
	var failure *Failure
	if _, err := Output(context.Background(), Shell("exit 3")); err == nil || errors.As(err, &failure) {
		t.Errorf("%v", err)
	}
}

// The output of a program is returned, however long it runs; silence stops the program.
func TestRunUntilSilent(t *testing.T) {
	skipWithoutShell(t)
	text, err := RunUntilSilent(context.Background(), Shell("echo one; echo two"), time.Hour)
	if string(text) != "one\ntwo\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, err = RunUntilSilent(context.Background(), Shell("sleep 600"), time.Nanosecond); !errors.Is(err, ErrSilent) || err.Error() != "nothing was printed for 1ns" {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	if _, err = RunUntilSilent(ctx, Shell("echo done"), time.Hour); !errors.Is(err, reason) {
		t.Errorf("%v", err)
	}
}

// Every write restarts the timer.
func TestListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const patience = time.Second
		var silent atomic.Bool // set by the timer's goroutine
		var tail Tail
		l := listener{&tail, time.AfterFunc(patience, func() { silent.Store(true) }), patience}
		for range 3 {
			time.Sleep(patience - 1)
			if n, err := l.Write([]byte("a\n")); n != 2 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		}
		time.Sleep(patience - 1)
		if synctest.Wait(); silent.Load() || tail.String() != "a\na\na" {
			t.Errorf("silent: %v, %q", silent.Load(), tail.String())
		}
		time.Sleep(time.Nanosecond)
		if synctest.Wait(); !silent.Load() {
			t.Error("silence was not detected")
		}
	})
}
