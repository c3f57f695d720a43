package process

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Failure is how a program ended, and what it said last.
type Failure struct {
	Err    error  // the exit code or the signal
	Stderr string // the end of what it wrote to standard error
}

func newFailure(err error, stderr string) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		err = fmt.Errorf("process: %w", err)
	}
	if stderr != "" {
		return &Failure{err, stderr}
	}
	return err
}

func (f *Failure) Error() string { return fmt.Sprintf("%v: %s", f.Err, f.Stderr) }

func (f *Failure) Unwrap() error { return f.Err }

// Reason is the error with one line of what the program said: the last one, or that with which the
// Go runtime begins when it prints stacks.
func (f *Failure) Reason() string {
	lines := strings.Split(f.Stderr, "\n")
	said := lines[len(lines)-1]
	for _, line := range lines {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			said = line
			break
		}
	}
	return fmt.Sprintf("%v: %s", f.Err, strings.TrimSpace(said))
}
