package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// Help that could not be written is a failure, named once, as everything else is.
func TestOutputThatIsFull(t *testing.T) {
	for _, line := range []string{"--help", "help sketch", "--version", "kernels", "notices"} {
		err := runContext(t.Context(), strings.Fields(line), strings.NewReader(""), &fullDisk{}, &bytes.Buffer{})
		if !errors.Is(err, errFull) || exitCode(err, &bytes.Buffer{}) != exitFailed || strings.Count(err.Error(), errFull.Error()) != 1 {
			t.Errorf("fphash %s: %v", line, err)
		}
	}
}
