package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	folder := t.TempDir()
	results, out := filepath.Join(folder, "bench.txt"), filepath.Join(folder, "report.html")
	if code, _, stderr := execute(t, "", "bench", "--run", twoCases, "--samples", "1", "--time", "1us", "-o", results); code != exitSuccess {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	code, stdout, stderr := execute(t, "", "report", results, "-o", out)
	if code != exitSuccess || stdout != "" || !strings.Contains(stderr, "report.html, from 2 rows\n") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	page, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<!DOCTYPE html>", "<h3 id=\"file-1\">File 1: " + results, "command: <code>fphash bench --", "</html>"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %s", want)
		}
	}

	// With nothing to read, the page is as it was.
	empty := filepath.Join(folder, "empty.txt")
	if err := os.WriteFile(empty, []byte("no benchmarks\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ file, want string }{
		{empty, "empty.txt: no benchmark rows; expected a result file as fphash bench writes it"},
		{filepath.Join(folder, "absent.txt"), "no such file"},
	} {
		code, _, stderr := execute(t, "", "report", results, tc.file, "-o", out)
		if code != exitFailed || !strings.Contains(stderr, tc.want) {
			t.Errorf("exit code %d: %s", code, stderr)
		}
		if now, err := os.ReadFile(out); err != nil || string(now) != string(page) {
			t.Errorf("after an error the page is another: %v", err)
		}
	}
}

// Newcomers may not have run fphash bench; a file that was named is another matter.
func TestReportWithoutResults(t *testing.T) {
	t.Chdir(t.TempDir())
	code, stdout, stderr := execute(t, "", "report")
	if want := "fphash: there is no ./fphash-bench.txt: run fphash bench first, or name result files\n"; code != exitFailed || stdout != "" || stderr != want {
		t.Errorf("exit code %d\n%s%s\nwant %s", code, stdout, stderr, want)
	}
	if code, _, stderr := execute(t, "", "report", "fphash-bench.txt"); code != exitFailed || strings.Contains(stderr, "run fphash bench") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

func TestReportHelp(t *testing.T) {
	_, stdout, _ := execute(t, "", "report", "--help")
	compareGolden(t, "help-report", stdout)
}
