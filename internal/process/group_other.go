//go:build !unix

package process

import "os/exec"

func separate(*exec.Cmd) {}

// stop ends the process. That it has ended already is no error.
func stop(command *exec.Cmd) { _ = command.Process.Kill() }

func kill(command *exec.Cmd) { _ = command.Process.Kill() }
