//go:build !js && !wasip1 && !plan9

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// endSignals returns the signals that make fphash ab remove its worktrees and exit: a CI system
// sends SIGTERM to end the job, a closed terminal sends SIGHUP, and a closed pipe SIGPIPE.
func endSignals() []os.Signal {
	all := []os.Signal{syscall.SIGTERM, syscall.SIGPIPE}
	if !signal.Ignored(syscall.SIGHUP) { // nohup makes the process ignore SIGHUP
		all = append(all, syscall.SIGHUP)
	}
	return all
}
