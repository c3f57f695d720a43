package main

import (
	"bytes"
	"os"
	"strings"
)

// peak returns the most memory that was in use.
func peak() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "peak memory unknown"
	}
	for line := range bytes.Lines(status) {
		if text, ok := strings.CutPrefix(string(line), "VmHWM:"); ok {
			return "peak memory " + strings.TrimSpace(text)
		}
	}
	return "peak memory unknown"
}
