//go:build !js && !wasip1 && !plan9

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// endSignals returns the signals that end fphash ab, which then removes its worktrees: a CI system
// ends the job, the terminal is closed, or the reader of the output has ended.
func endSignals() []os.Signal {
	all := []os.Signal{syscall.SIGTERM, syscall.SIGPIPE}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		all = append(all, syscall.SIGHUP)
	}
	return all
}
