//go:build unix

package doctor

import (
	"os/exec"
	"syscall"
)

// killAll makes the command a process group, and lets the end of its context kill all of that: a
// shell's children as well as the shell.
func killAll(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killLeft(cmd) }
}

// killLeft kills what is left of the group.
func killLeft(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
