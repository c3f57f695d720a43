// Package long skips slow tests unless FPHASH_LONG=1 is set, as in .ci/run.
package long

import (
	"os"
	"testing"
)

// Variable is the environment variable that enables slow tests.
const Variable = "FPHASH_LONG"

// Enabled reports whether slow tests should run. If so, some tests also draw more cases.
func Enabled() bool { return os.Getenv(Variable) != "" }

// Skip skips a slow test unless Enabled returns true. The reason completes the sentence "this test
// ...".
func Skip(t testing.TB, reason string) {
	t.Helper()
	if !Enabled() {
		t.Skipf("long: %s; %s=1 runs it", reason, Variable)
	}
}
