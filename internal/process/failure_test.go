package process

import (
	"context"
	"errors"
	"os/exec"
	"testing"
)

// A reason is the exit code, with the line of standard error that says most.
func TestReason(t *testing.T) {
	skipWithoutShell(t)
	for command, want := range map[string]string{
		"echo out of >&2; echo paper >&2; exit 3":                                                   "exit status 3: paper",
		"printf 'goroutines\\npanic: oh no\\n\\ngoroutine 1 [running]:\\n\\tx.go:3\\n' >&2; exit 2": "exit status 2: panic: oh no",
		"printf 'fatal error: all asleep\\n\\n\\tx.go:3\\n' >&2; exit 2":                            "exit status 2: fatal error: all asleep",
	} {
		_, err := Output(context.Background(), Shell(command))
		var failure *Failure
		if !errors.As(err, &failure) || failure.Reason() != want {
			t.Errorf("%s: %v", command, err)
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Errorf("%s: there is no exit code in %v", command, err)
		}
	}
	var failure *Failure
	if _, err := Output(context.Background(), Shell("exit 3")); err == nil || errors.As(err, &failure) {
		t.Errorf("%v", err)
	}
}
