package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

const twoCases = "Accumulate/weights=f32/f=64/kernel=(naive|generic)/nnz=32$"

func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{"a=b,c": "a=b,c", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "a|b": "'a|b'"} {
		if got := quoted(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// writeFile writes a file into a temporary folder and returns its path.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// If a run fails, the run and the command print the reason, and the old file is unchanged.
func TestFailedRunKeepsTheOldFile(t *testing.T) {
	t.Setenv(asProgram, "1")
	t.Setenv("FPHASH_KERNEL", "sse2") // this process has already read the variable, and further runs refuse its value
	out := writeFile(t, "out.txt", "old\n")
	code, stdout, stderr := execute(t, "", "bench", "--run", twoCases, "--runs", "3", "--samples", "1", "--time", "1us", "--force", "-o", out)
	if code != exitFailed || stdout != "" || !strings.Contains(stderr, `unknown kernel "sse2"`) || !strings.HasSuffix(stderr, "fphash: run 2 of 3: exit status 2; nothing was written\n") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if text, _ := os.ReadFile(out); string(text) != "old\n" {
		t.Errorf("the file holds %q", text)
	}
}

// Ctrl-C ends the current run, and the old file is unchanged.
func TestInterruptedRunsKeepTheOldFile(t *testing.T) {
	t.Setenv(asProgram, "1")
	t.Setenv(waitForInterrupt, "1")
	out := writeFile(t, "out.txt", "old\n")
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	stderr := &watcher{word: waitForInterrupt, found: func() { cancel(errInterrupted) }}
	err := runContext(ctx, []string{"bench", "--run", twoCases, "--runs", "2", "--samples", "1", "--time", "1us", "--force", "-o", out}, strings.NewReader(""), io.Discard, stderr)
	if code := exitCode(err, stderr); code != exitFailed || !strings.HasSuffix(stderr.String(), "fphash: interrupted; nothing was written\n") {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	if text, _ := os.ReadFile(out); string(text) != "old\n" {
		t.Errorf("the file holds %q", text)
	}
}

// watcher calls found when a given word has been written to it.
type watcher struct {
	strings.Builder
	word  string
	found func()
}

func (w *watcher) Write(p []byte) (int, error) {
	n, err := w.Builder.Write(p)
	if strings.Contains(w.String(), w.word) {
		w.found()
	}
	return n, err
}

// If a case gives a wrong answer, the command's answer is no, regardless of the number of its rows
// and of correct cases.
func TestWrongCaseIsNo(t *testing.T) {
	right := resultfile.Row{Name: "Hash/n=1", Unit: "ns/op"}
	wrong := []resultfile.Row{{Name: "Hash/n=2", Err: "wrong"}, {Name: "Hash/n=2", Unit: "B/op", Err: "wrong"}}
	for _, c := range []struct {
		rows []resultfile.Row
		code int
		want string
	}{
		{nil, exitSuccess, ""},
		{[]resultfile.Row{right, right}, exitSuccess, ""},
		{append([]resultfile.Row{right}, wrong...), exitNo, "1 case gave a wrong answer or could not run"},
		{append(wrong, right), exitNo, "1 case gave a wrong answer or could not run"},
	} {
		err := verdict(c.rows)
		if code := exitCode(err, io.Discard); code != c.code {
			t.Errorf("%v: exit code %d, expected %d", c.rows, code, c.code)
		}
		if err != nil && err.Error() != c.want {
			t.Errorf("%v: %v, expected %s", c.rows, err, c.want)
		}
	}
}
