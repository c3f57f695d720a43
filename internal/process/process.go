// Package process runs programs. When a context ends, it stops them with all their child processes.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// grace is the time for a program to end after stop.
const grace = 2 * time.Second

// Shell returns a command line for the shell of the system: sh -c, or cmd /c on Windows.
func Shell(line string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		return exec.Command("cmd", "/c", line)
	}
	return exec.Command("sh", "-c", line)
}

// ErrLeftProcesses is returned if a program ended before processes that it had started.
var ErrLeftProcesses = errors.New("child processes still hold its output open")

// Output runs the command as Wait does and returns its standard output. If the command fails, the
// error contains the end of its standard error. The command's Stdout and Stderr must not be set.
func Output(ctx context.Context, command *exec.Cmd) ([]byte, error) {
	var stdout bytes.Buffer
	return collect(ctx, command, &stdout, &stdout)
}

// collect is Output for a command that writes to stdout, which also copies the output to kept.
func collect(ctx context.Context, command *exec.Cmd, stdout io.Writer, kept *bytes.Buffer) ([]byte, error) {
	var stderr Tail
	command.Stdout, command.Stderr = stdout, &stderr
	err := Wait(ctx, command)
	if err != nil && context.Cause(ctx) == nil {
		err = newFailure(err, stderr.String())
	}
	return kept.Bytes(), err
}

// Wait starts the command and waits for it. If the context ends first, Wait stops the command with
// all its child processes and returns the context's cause. If the command leaves processes behind
// that hold its pipes open, Wait stops them and returns ErrLeftProcesses.
//
// The command inherits the CPU affinity of the calling thread. Its Cancel, WaitDelay and
// SysProcAttr must not be set.
func Wait(ctx context.Context, command *exec.Cmd) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	separate(command)
	command.WaitDelay = grace // for processes that hold its pipes open
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		stop(command)
		select {
		case <-ended:
		case <-time.After(grace):
		}
		kill(command)
	}()
	err := command.Wait()
	close(ended)
	<-stopped
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		kill(command)
		return ErrLeftProcesses
	}
	return err
}

// Failure is the error of a failed program, with its last messages.
type Failure struct {
	Err    error  // the exit status
	Stderr string // the end of its standard error
}

func newFailure(err error, stderr string) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		err = fmt.Errorf("process: %w", err)
	}
	if stderr != "" {
		return &Failure{err, stderr}
	}
	return err
}

func (f *Failure) Error() string { return fmt.Sprintf("%v: %s", f.Err, f.Stderr) }

func (f *Failure) Unwrap() error { return f.Err }

// Reason returns the error with one line of standard error: the first line of a panic if there is
// one, else the last line.
func (f *Failure) Reason() string {
	lines := strings.Split(f.Stderr, "\n")
	said := lines[len(lines)-1]
	for _, line := range lines {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			said = line
			break
		}
	}
	return fmt.Sprintf("%v: %s", f.Err, strings.TrimSpace(said))
}

// ErrSilent is returned for a program that was stopped because it printed nothing for too long.
var ErrSilent = errors.New("nothing was printed")

// RunUntilSilent is Output for programs that may hang, but otherwise print their progress. If a
// program prints nothing for the duration of patience, RunUntilSilent stops it and returns an error
// that wraps ErrSilent.
func RunUntilSilent(ctx context.Context, command *exec.Cmd, patience time.Duration) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silent := time.AfterFunc(patience, func() { cancel(fmt.Errorf("%w for %v", ErrSilent, patience)) })
	defer silent.Stop()
	var stdout bytes.Buffer
	return collect(ctx, command, listener{&stdout, silent, patience}, &stdout)
}

// listener restarts the timer on every write.
type listener struct {
	io.Writer
	silent   *time.Timer
	patience time.Duration
}

func (l listener) Write(p []byte) (int, error) {
	l.silent.Reset(l.patience)
	return l.Writer.Write(p)
}

// mostOfTail is the maximum number of bytes that Tail keeps.
const mostOfTail = 4 << 10

// Tail keeps the end of the text written to it, such as the last messages of a program.
type Tail struct {
	text []byte
	cut  bool
}

// Write never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if more := len(t.text) - mostOfTail; more > 0 {
		t.text, t.cut = append(t.text[:0], t.text[more:]...), true
	}
	return len(p), nil
}

// String returns the kept lines without control characters. It begins with "..." if earlier lines
// were dropped.
func (t *Tail) String() string {
	text := strings.ToValidUTF8(string(t.text), "?")
	if t.cut {
		if _, rest, ok := strings.Cut(text, "\n"); ok {
			text = rest
		}
		text = "...\n" + text
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text))
}
