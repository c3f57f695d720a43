//go:build !unix

package process

import "os/exec"

func separate(*exec.Cmd) {}

// stop kills the process. It ignores the error of a process that has ended.
func stop(command *exec.Cmd) { _ = command.Process.Kill() }

func kill(command *exec.Cmd) { _ = command.Process.Kill() }
