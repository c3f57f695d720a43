//go:build js || wasip1 || plan9

package main

import (
	"os"
	"syscall"
)

func endSignals() []os.Signal { return []os.Signal{syscall.SIGTERM} }
