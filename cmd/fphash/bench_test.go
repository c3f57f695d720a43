package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
)

const twoCases = "Accumulate/weights=f32/f=64/kernel=(naive|generic)/nnz=32$"

func readResults(t *testing.T, path string) resultfile.File {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	f, err := resultfile.Read(file, path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestBench(t *testing.T) {
	out := filepath.Join(t.TempDir(), "result file.txt")
	code, stdout, stderr := execute(t, "", "bench", "--run", twoCases, "--samples", "2", "--time", "1ms", "-o", out)
	if code != exitSuccess {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	f := readResults(t, out)
	if len(f.Rows) != 2 {
		t.Fatalf("%d rows, want 2", len(f.Rows))
	}
	for _, r := range f.Rows {
		if len(r.Samples) != 2 || r.Unit != "ns/nnz" {
			t.Errorf("row %+v", r)
		}
	}
	head := map[string]string{}
	for _, h := range f.Head {
		head[h.Name] = h.Value
	}
	if !strings.Contains(head["command"], "--samples=2") || !strings.Contains(head["command"], "--out='") || head["date"] == "" || head["go"] == "" || head["kernels"] == "" {
		t.Errorf("head %v", head)
	}
	if !strings.Contains(stdout, "× naive") || !strings.Contains(stderr, out) {
		t.Errorf("stdout\n%s\nstderr\n%s", stdout, stderr)
	}
}

func TestBenchOnOwnData(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	code, stdout, stderr := execute(t, "", "bench", "--data", "testdata/small.svm", "--run", "data=", "--hash", "xxh64", "--weights", "f32,i32", "--samples", "1", "--time", "1us", "-o", out)
	// The file has fractions, so integer weights are no answer, and the exit code says so.
	if code != exitNo || !strings.Contains(stdout, "data=small.svm") || !strings.Contains(stdout, "weight 0.5 is no int32") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	for _, r := range readResults(t, out).Rows {
		if wantError := strings.Contains(r.Name, "weights=i32"); wantError != (r.Err != "") {
			t.Errorf("%s: error %q", r.Name, r.Err)
		}
	}
}

func TestInterruptedBenchKeepsTheOldFile(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	if err := os.WriteFile(out, []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errInterrupted)
	var stderr bytes.Buffer
	err := runContext(ctx, []string{"bench", "--run", twoCases, "-o", out}, strings.NewReader(""), io.Discard, &stderr)
	if code := exitCode(err, &stderr); code != exitFailed || !strings.Contains(stderr.String(), "interrupted: nothing written") {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	if text, _ := os.ReadFile(out); string(text) != "old\n" {
		t.Errorf("the file holds %q", text)
	}
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := &progress{w: &out, terminal: true, width: 20, every: time.Second, now: func() time.Time { return now }}
	line := func() string { return "0123456789012345678901234567890" }
	p.show(line)
	now = now.Add(time.Second / 2)
	p.show(func() string { t.Error("asked for a line too soon"); return "" })
	now = now.Add(time.Second)
	p.show(func() string { return "short" })
	p.clear()
	p.clear()
	if want := "\r012345678901234567…\x1b[K\rshort\x1b[K\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	p = newProgress(&out)
	p.now = func() time.Time { return now }
	p.last = now
	p.show(line)
	now = now.Add(time.Minute)
	p.show(func() string {
		return benchProgress(bench.Progress{Step: "round 2/8", Case: 3, Cases: 9, Name: "Hash/n=1", Elapsed: 61 * time.Second, Remaining: 1500 * time.Millisecond})
	})
	p.clear()
	if want := "round 2/8  case 3/9  1m1s elapsed, about 2s left  Hash/n=1\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{"a=b,c": "a=b,c", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "a|b": "'a|b'"} {
		if got := quoted(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
