//go:build !unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// EndSignals returns the signals after which a program must remove its files and exit. A closed
// console of Windows counts as SIGTERM.
func EndSignals() []os.Signal { return []os.Signal{syscall.SIGTERM} }

func separate(*exec.Cmd) {}

// stop kills the process. It ignores the error of a process that has ended.
func stop(command *exec.Cmd) { _ = command.Process.Kill() }

func kill(command *exec.Cmd) { _ = command.Process.Kill() }
