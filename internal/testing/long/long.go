// Package long skips tests that take long, unless FPHASH_LONG=1 asks for them, as .ci/run does.
package long

import (
	"os"
	"testing"
)

// Variable names the environment variable that asks for the long tests.
const Variable = "FPHASH_LONG"

// Enabled reports whether long tests should run. Then tests draw more cases, too.
func Enabled() bool { return os.Getenv(Variable) != "" }

// Skip skips a test that takes long, unless long tests should run. The reason completes the
// sentence "this test ...".
func Skip(t testing.TB, reason string) {
	t.Helper()
	if !Enabled() {
		t.Skipf("long: %s; %s=1 runs it", reason, Variable)
	}
}
