package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
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

// expectEnded waits for the end of a process, and accepts one that is a zombie of whoever has
// adopted it for a moment.
func expectEnded(t *testing.T, pid string) {
	t.Helper()
	ended := fmt.Sprintf("i=0; while [ $i -lt 600 ]; do ps -o stat= -p %[1]s | grep -qv Z || exit 0; sleep 0.1; i=$((i+1)); done; exit 1", strings.TrimSpace(pid))
	if _, err := Output(context.Background(), Shell(ended)); err != nil {
		t.Errorf("the program's child still runs: %v", err)
	}
}

// A program has as long as Run lets it run, and no longer. That ends it as the end of any context
// does, which TestOutputEndsWithTheContext looks at.
func TestRunEndsWhatHangs(t *testing.T) {
	skipWithoutShell(t)
	former := longest
	defer func() { longest = former }()
	longest = time.Nanosecond
	if _, err := Run(context.Background(), Shell("sleep 600")); err == nil || err.Error() != "process: it has not ended within 1ns" {
		t.Errorf("%v", err)
	}
	longest = former
	if text, err := Run(context.Background(), Shell("echo done")); string(text) != "done\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	if _, err := Run(ctx, Shell("echo done")); !errors.Is(err, reason) {
		t.Errorf("%v", err)
	}
}

// The program and what it has started end with the context. A file says whether the grandchild has
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

// What a program leaves behind with its pipes is ended, too.
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
