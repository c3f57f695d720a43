package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simhashkit/bench/doctor"
)

func TestDoctorGolden(t *testing.T) {
	for _, tc := range []struct{ name, args string }{
		{"help-doctor", "doctor --help"},
		{"doctor-family", "doctor --family fnv1a64 --encoding dec --pattern dense1e3,pow2 --weights unit,signed"},
		{"doctor-good", "doctor --family splitmix64 --pattern dense1e3"},
		{"doctor-undecided", "doctor --family splitmix64 --pattern dense1e3 --keyings 20 --strict"},
		{"doctor-json", "doctor --family fnv1a64 --encoding be64 --pattern dense1e3 --format json"},
		{"doctor-few-vectors", "doctor --family xxh64 --data testdata/small.svm"},
		{"doctor-nothing", "doctor"},
		{"doctor-two", "doctor --hash cat -- cat"},
		{"doctor-family-as-command", "doctor --hash xxh64"},
		{"doctor-encoded-command", "doctor --hash cat --encoding dec"},
		{"doctor-no-family", "doctor --family xxh46"},
		{"doctor-too-wide", "doctor --family xxh64 --bits 128"},
		{"doctor-bad-pattern", "doctor --hash cat --pattern zigzag"},
		{"doctor-bad-format", "doctor --hash cat --format xml"},
		{"doctor-bad-name", "doctor --hash cat --name a/b"},
		{"doctor-no-keyings", "doctor --hash cat --keyings 0"},
		{"doctor-no-bits", "doctor --hash cat --bits 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, stdout, stderr := execute(t, "", strings.Fields(tc.args)...)
			compareGolden(t, tc.name, fmt.Sprintf("$ fphash %s\nexit code %d\n--- stdout\n%s--- stderr\n%s", tc.args, code, stdout, progressLines.ReplaceAllString(stderr, "")))
		})
	}
}

// progressLines are shown by commands that take more than ten seconds, as they do on a slow
// machine.
var progressLines = regexp.MustCompile(`(?m)^(preparing|asking|measuring|comparing all pairs)  ?.*\n|^fphash: [0-9]+ keys to ask.*\n`)

// figures that are measured, and differ from run to run.
var timed = regexp.MustCompile(`[0-9.e+]+ ns per key|command [0-9]+ times? \([^)]*\)`)

// The index itself is no hash: two thirds of its bits are constant on dense indices.
func TestDoctorOverAPipe(t *testing.T) {
	if _, err := exec.LookPath("cat"); err != nil {
		t.Skip("no cat here")
	}
	code, stdout, stderr := execute(t, "", "doctor", "--pattern", "dense1e3", "--", "cat")
	compareGolden(t, "doctor-cat", fmt.Sprintf("exit code %d\n--- stdout\n%s--- stderr\n%s", code, timed.ReplaceAllString(stdout, "…"), progressLines.ReplaceAllString(stderr, "")))

	code, stdout, stderr = execute(t, "", "doctor", "--pattern", "dense1e3", "--format", "json", "--hash", "exec cat")
	var answer struct {
		Hash, Verdict string
		Cases         []struct{ ConstantBits []int }
		Asked         struct{ Keys int }
	}
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
		t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	if code != exitNo || answer.Hash != "exec cat" || answer.Verdict != "weak" || len(answer.Cases) != 1 || len(answer.Cases[0].ConstantBits) < 50 || answer.Asked.Keys < 25_000 {
		t.Errorf("exit code %d: %+v", code, answer)
	}
}

// The results file has the rows that the report draws, and they are exact: fphash compare finds two
// of them equal.
func TestDoctorResults(t *testing.T) {
	if _, err := exec.LookPath("cat"); err != nil {
		t.Skip("no cat here")
	}
	t.Chdir(t.TempDir())
	for _, out := range []string{"a.txt", "b.txt"} {
		if code, _, stderr := execute(t, "", "doctor", "--pattern", "dense1e3", "--name", "identity", "-o", out, "--", "cat"); code != exitNo {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
	}
	text, err := os.ReadFile("a.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# command: fphash doctor --pattern=dense1e3 --name=identity --out=a.txt -- cat\n", "\nUnit effective-bits assume=exact\n",
		"\nBenchmarkQuality/hash=identity/pattern=dense1e3/weights=unit/f=64 1 ", "\nBenchmarkNearDuplicates/hash=identity/pattern=dense1e3/weights=unit/f=64/k=3 1 ",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the results lack %q:\n%s", want, text)
		}
	}
	if code, stdout, stderr := execute(t, "", "compare", "a.txt", "b.txt"); code != exitSuccess {
		t.Errorf("compare exits with %d:\n%s%s", code, stdout, stderr)
	}
}

// What goes wrong with a command is said with the end of its own messages, and the exit code is 2.
func TestDoctorSaysWhatIsWrong(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here")
	}
	for _, tc := range []struct{ args, want []string }{
		{[]string{"--hash", "echo 'no such key' >&2; cat >/dev/null; exit 7"}, []string{"exit status 7", "its standard error ends:\nno such key"}},
		{[]string{"--hash", "echo hello; cat"}, []string{"although there were no keys (\"hello\\n\")"}},
		{[]string{"--hash", "sleep 60", "--timeout", "200ms"}, []string{"no answer within 200ms"}},
		{[]string{"--bits", "32", "--hash", "cat"}, []string{"wider than 32 bits"}},
		{[]string{"--", filepath.Join(t.TempDir(), "absent")}, []string{"no such file"}},
	} {
		code, stdout, stderr := execute(t, "", append([]string{"doctor"}, tc.args...)...)
		for _, want := range tc.want {
			if code != exitFailed || stdout != "" || !strings.Contains(stderr, want) {
				t.Errorf("%q: exit code %d\n%s%s\nwant %q", tc.args, code, stdout, stderr, want)
			}
		}
	}
}

// The examples in the help are those that package doctor tests.
func TestDoctorHelpHasTheExamples(t *testing.T) {
	_, help, _ := execute(t, "", "doctor", "--help")
	for _, example := range []string{doctor.PythonExample, doctor.GoExample} {
		for line := range strings.Lines(example) {
			if text := strings.TrimSpace(line); !strings.Contains(help, text) {
				t.Errorf("the help lacks %q", text)
			}
		}
		if lines := strings.Count(example, "\n"); lines > 30 {
			t.Errorf("an example of %d lines", lines)
		}
	}
	for _, name := range []string{"hash.py", "hash.go"} {
		if _, err := os.Stat(filepath.Join("..", "..", "bench", "doctor", "testdata", "examples", name)); err != nil {
			t.Error(err)
		}
	}
}
