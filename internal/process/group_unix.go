//go:build unix

package process

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// EndSignals returns the signals after which a program must remove its files and exit: a CI system
// sends SIGTERM to end the job, a closed terminal sends SIGHUP, and a closed pipe SIGPIPE.
func EndSignals() []os.Signal {
	all := []os.Signal{syscall.SIGTERM, syscall.SIGPIPE}
	if !signal.Ignored(syscall.SIGHUP) { // nohup makes the process ignore SIGHUP
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// separate puts the command into its own process group, so that the whole group can be stopped and
// Ctrl-C does not reach it directly.
func separate(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// stop asks the group to end. It ignores the error of a group that has ended.
func stop(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }

func kill(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
