// Package process runs programs and, when a context ends, stops them with all processes that they
// have started.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"time"
)

// grace is how long a program has to end after it was asked to.
const grace = 2 * time.Second

// longest is how long Run lets a program run: as long as go test does. Tests have less time.
var longest = 10 * time.Minute

// Run is Output for programs that may hang, such as other people's benchmarks: after ten minutes
// the command and what it has started are ended, and that is an error.
func Run(ctx context.Context, command *exec.Cmd) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, longest, fmt.Errorf("process: it has not ended within %v", longest))
	defer cancel()
	return Output(ctx, command)
}

// Shell returns a command line for the shell of the system: sh -c, or cmd /c on Windows.
func Shell(line string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		return exec.Command("cmd", "/c", line)
	}
	return exec.Command("sh", "-c", line)
}

// ErrLeftProcesses is the error of a program that has ended, but not what it started.
var ErrLeftProcesses = errors.New("it ended, but left processes behind that hold its standard output or error")

// Output runs the command as Wait does and returns what it wrote to standard output. If it fails,
// the error has the end of what it wrote to standard error. The command must have no Stdout or
// Stderr of its own.
func Output(ctx context.Context, command *exec.Cmd) ([]byte, error) {
	var stdout bytes.Buffer
	return collect(ctx, command, &stdout, &stdout)
}

// collect is Output of a command that writes to stdout, which keeps it in kept.
func collect(ctx context.Context, command *exec.Cmd, stdout io.Writer, kept *bytes.Buffer) ([]byte, error) {
	var stderr Tail
	command.Stdout, command.Stderr = stdout, &stderr
	err := Wait(ctx, command)
	if err != nil && context.Cause(ctx) == nil {
		err = newFailure(err, stderr.String())
	}
	return kept.Bytes(), err
}

// Wait starts the command and waits for its end. If the context ends first, the command and what it
// has started are ended too, and the error is the context's cause. So are processes that it leaves
// behind with its pipes; the error is ErrLeftProcesses.
//
// The command inherits what the calling thread is bound to. It must have no Cancel, WaitDelay or
// SysProcAttr of its own.
func Wait(ctx context.Context, command *exec.Cmd) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	separate(command)
	command.WaitDelay = grace // for whoever holds its pipes open
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
