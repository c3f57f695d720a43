// Package proof tests the scripts in .ci that record the proof.
package proof

import (
	"os/exec"
	"strings"
	"testing"

	"simhashkit/internal/testing/tools"
)

// run sources the scripts, runs a command with the text as its input, and returns the last line of
// its output.
func run(t *testing.T, command, text string) (out string, ok bool) {
	t.Helper()
	tools.Need(t, "bash")
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", ". .ci/lib/steps.sh; . .ci/lib/skipped.sh; "+command)
	cmd.Dir, cmd.Stdin = "../../..", strings.NewReader(text)
	b, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return lines[len(lines)-1], err == nil
}

// A figure of the proof is the number that a test counted, or the smallest number of several tests.
// If no test ran, or a test did too little, the step fails, although the go command succeeds.
func TestFiguresAreCounted(t *testing.T) {
	const none = "testing: warning: no tests to run\nPASS\nok  \tsimhashkit/asm/hamming\t0.1s [no tests to run]\n"
	for _, c := range []struct {
		command, text, want string
		ok                  bool
	}{
		{"counted 500 'random cases'", "    a_test.go:3: 700 random cases\n    a_test.go:3: 500 random cases\nPASS\n", "500", true},
		{"counted 500 'random cases'", "    a_test.go:3: 700 random cases\n    a_test.go:3: 499 random cases\nPASS\n", "499 random cases are too few: 500 were asked for", false},
		{"counted 500 'random cases'", none, "no test has counted random cases", false},
		{"counted 500 'damaged inputs'", "    a_test.go:3: 250 of 1000 damaged inputs\n", "1000", true},
		{"executed 3000", "fuzz: elapsed: 1s, execs: 1200 (9/sec)\nfuzz: elapsed: 2s, execs: 3001 (9/sec), new interesting: 0\nPASS\n", "3001", true},
		{"executed 3000", "fuzz: elapsed: 1s, execs: 2999 (9/sec)\n", "2999 executions are too few: 3000 were asked for", false},
		{"executed 3000", "testing: warning: no fuzz tests to fuzz\nPASS\n", "0 executions are too few: 3000 were asked for", false},
		{"random_cases unit 300", "", "300", true},
		{"random_pattern() { echo '^TestGone$'; }; random_cases unit 300", "", "no test has counted random cases", false},
		{"skips", "=== RUN   TestA\n    a_test.go:7: this user reads everything\n--- SKIP: TestA (0.00s)\n=== RUN   TestB\n--- PASS: TestB (0.00s)\nok  \tsimhashkit/a\t0.1s\n",
			"simhashkit/a TestA: this user reads everything", true},
	} {
		if out, ok := run(t, c.command, c.text); out != c.want || ok != c.ok {
			t.Errorf("%s: %q, success %v; expected %q, %v", c.command, out, ok, c.want, c.ok)
		}
	}
}
