//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// separate puts the command into its own process group, so that the whole group can be stopped and
// Ctrl-C does not reach it directly.
func separate(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// stop asks the group to end. It ignores the error of a group that has ended.
func stop(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }

func kill(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
