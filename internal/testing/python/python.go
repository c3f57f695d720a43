// Package python runs Python scripts in tests, which check our files with Python libraries, or
// write files with them for our readers.
package python

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Variable is the environment variable with the Python to run. If it is set, tests fail if that
// Python lacks a module; otherwise they are skipped.
const Variable = "FPHASH_PYTHON"

// Run runs a script and returns its output. It skips the test if there is no Python with these
// modules, unless Variable is set.
func Run(t testing.TB, modules []string, script string, args ...string) string {
	t.Helper()
	program := cmp.Or(os.Getenv(Variable), "python3")
	if output, err := exec.CommandContext(t.Context(), program, "-c", "import "+strings.Join(modules, ", ")).CombinedOutput(); err != nil {
		lacking := strings.Join(modules, ", ")
		if os.Getenv(Variable) != "" {
			t.Fatalf("%s=%s: expected a Python with %s: %v\n%s", Variable, program, lacking, err, output)
		}
		t.Skipf("%s with %s is not available: set %s to use another Python", program, lacking, Variable)
	}
	command := exec.CommandContext(t.Context(), program, append([]string{script}, args...)...)
	var complaints bytes.Buffer
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", script, strings.Join(args, " "), err, complaints.String())
	}
	return string(out)
}
