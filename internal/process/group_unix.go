//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// separate puts the command into a process group of its own, so that all of it can be ended, and
// Ctrl-C does not reach it before this program.
func separate(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// stop asks the group to end. That it has ended already is no error.
func stop(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }

func kill(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
