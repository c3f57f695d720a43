// Package python runs scripts in tests, for what libraries of Python make of our files and we of
// theirs.
package python

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Variable names the environment variable that says which Python to run.
const Variable = "FPHASH_PYTHON"

// Run runs a script and returns what it prints. The test is skipped where there is no Python, or
// not these modules.
func Run(t testing.TB, modules []string, script string, args ...string) string {
	t.Helper()
	program := cmp.Or(os.Getenv(Variable), "python3")
	if err := exec.Command(program, "-c", "import "+strings.Join(modules, ", ")).Run(); err != nil {
		t.Skipf("%s with %s is not here: %s may name another Python", program, strings.Join(modules, ", "), Variable)
	}
	command := exec.Command(program, append([]string{script}, args...)...)
	var complaints bytes.Buffer
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", script, strings.Join(args, " "), err, complaints.String())
	}
	return string(out)
}
