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

// Process is one of a cluster.
type Process struct {
	command *exec.Cmd
	Ended   <-chan struct{}
}

// Start starts a process of the cluster, in a group of its own, which ends with the test.
func (s *Site) Start(t *testing.T, program string, args ...string) *Process {
	t.Helper()
	var log bytes.Buffer
	command := exec.Command(program, args...)
	command.Env, command.Dir, command.Stdout, command.Stderr = s.Env, s.Folder, &log, &log
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.WaitDelay = 10 * time.Second // what is orphaned may hold the pipes
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	p := &Process{command, ended}
	t.Cleanup(func() {
		p.Kill()
		<-ended
		if t.Failed() {
			t.Logf("%s %s: %s", program, args, Tail(log.String()))
		}
	})
	return p
}

// Kill ends a process and its children at once, as a machine does that loses power.
func (p *Process) Kill() { _ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL) }

// Run runs a job to its end, and returns what it logs. Meanwhile is called when it has begun,
// unless it is nil.
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

// Gate is fphash, but that one of its filters waits until the gate is open.
type Gate struct {
	Program        string
	filter, folder string
}

// NewGate returns one that is closed.
func NewGate(t *testing.T, program, filter string) *Gate {
	t.Helper()
	folder := t.TempDir()
	g := &Gate{filepath.Join(folder, "fphash"), filter, folder}
	script := fmt.Sprintf("#!/bin/sh\n: >'%[1]s/run.'$1.$$\nwhile [ \"$1\" = %[3]s ] && [ ! -e '%[1]s/open' ]; do sleep 0.1; done\nexec '%[2]s' \"$@\"\n", folder, program, filter)
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

// KillAt kills something when as many wait at the gate, and opens it.
func (g *Gate) KillAt(t *testing.T, waiting int, kill func(), ended <-chan struct{}) {
	for tick := time.Tick(50 * time.Millisecond); g.Runs(g.filter) < waiting; {
		select {
		case <-ended:
			t.Errorf("the job has ended before fphash %s ran %d times", g.filter, waiting)
			return
		case <-tick:
		}
	}
	kill()
	if err := os.WriteFile(filepath.Join(g.folder, "open"), nil, 0o666); err != nil {
		t.Error(err)
	}
}
