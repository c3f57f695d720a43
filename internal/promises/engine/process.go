//go:build unix

package engine

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Site is where the processes of a cluster run.
type Site struct {
	Folder string
	Env    []string
}

// Start starts a process of the cluster, in a group of its own, which ends with the test.
func (s *Site) Start(t *testing.T, program string, args ...string) *exec.Cmd {
	t.Helper()
	var log bytes.Buffer
	command := exec.Command(program, args...)
	command.Env, command.Dir, command.Stdout, command.Stderr = s.Env, s.Folder, &log, &log
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.WaitDelay = 10 * time.Second // what is orphaned may hold the pipes
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		Kill(command)
		_ = command.Wait()
		if t.Failed() {
			t.Logf("%s %s: %s", program, args, Tail(log.String()))
		}
	})
	return command
}

// Kill ends a process and its children at once, as a machine does that loses power.
func Kill(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }

// Run runs a job to its end, and returns what it logs. Meanwhile is called when it has begun, unless
// it is nil.
func (s *Site) Run(t *testing.T, meanwhile func(ended <-chan struct{}), program string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	var log bytes.Buffer
	command.Env, command.Dir, command.Stdout, command.Stderr = s.Env, s.Folder, &log, &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended, failed := make(chan struct{}), error(nil)
	go func() {
		failed = command.Wait()
		close(ended)
	}()
	if meanwhile != nil {
		meanwhile(ended)
	}
	<-ended
	if failed != nil {
		t.Fatalf("%v: %s", failed, Tail(log.String()))
	}
	return log.String()
}

// Tail returns the end of a log.
func Tail(log string) string { return log[max(0, len(log)-8000):] }

// Port returns one of this machine that is free.
func Port(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// Gate is fphash, but that searches for pairs wait until it is open.
type Gate struct {
	Program string
	folder  string
}

// NewGate returns one that is closed.
func NewGate(t *testing.T, program string) *Gate {
	t.Helper()
	folder := t.TempDir()
	g := &Gate{filepath.Join(folder, "fphash"), folder}
	script := fmt.Sprintf("#!/bin/sh\n: >'%[1]s/run.'$1.$$\nwhile [ \"$1\" = pairs ] && [ ! -e '%[1]s/open' ]; do sleep 0.1; done\nexec '%[2]s' \"$@\"\n", folder, program)
	if err := os.WriteFile(g.Program, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return g
}

// Runs returns how often a filter was run.
func (g *Gate) Runs(filter string) int {
	runs, _ := filepath.Glob(filepath.Join(g.folder, "run."+filter+".*"))
	return len(runs)
}

// KillAt kills a process when as many searches for pairs have begun, and opens the gate.
func (g *Gate) KillAt(t *testing.T, searches int, process *exec.Cmd, ended <-chan struct{}) {
	for tick := time.Tick(50 * time.Millisecond); g.Runs("pairs") < searches; {
		select {
		case <-ended:
			t.Errorf("the job has ended before %d searches had begun", searches)
			return
		case <-tick:
		}
	}
	Kill(process)
	if err := os.WriteFile(filepath.Join(g.folder, "open"), nil, 0o666); err != nil {
		t.Error(err)
	}
}
