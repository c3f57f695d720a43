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

// With older results the page begins with what has changed; that needs no rows of ours.
func TestReportCompares(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report.html")
	t.Chdir("testdata/compare")
	code, stdout, stderr := execute(t, "", "report", "--old", "main=old.txt", "slower.txt", "-o", out)
	if code != exitSuccess || stdout != "" || !strings.HasSuffix(stderr, "report.html, from 12 rows\n") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	page, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<section id="comparison"`, "Old: main. New: slower.txt.", "Regressions in 3 of 9 comparisons, and 1 gap"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(string(page), `<section id="speed"`) {
		t.Error("the page has sections on hashes")
	}
	if code, _, stderr := execute(t, "", "report", "--old", "absent.txt", "slower.txt", "-o", out); code != exitFailed || !strings.Contains(stderr, "absent.txt") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// Trends are those of the machine of a file that need not be filed, or of the newest results.
func TestReportTrends(t *testing.T) {
	folder := t.TempDir()
	root, out := filepath.Join(folder, "results"), filepath.Join(folder, "report.html")
	old := filepath.Join("testdata", "compare", "quality-old.txt")
	if code, _, stderr := execute(t, "", "results", "add", "--store", root, old); code != exitSuccess {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	text, err := os.ReadFile(old)
	if err != nil {
		t.Fatal(err)
	}
	later := filepath.Join(folder, "later.txt")
	if err := os.WriteFile(later, []byte(strings.Replace(string(text), "# date: 2026-11-18", "# date: 2026-11-19", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ args, says, page string }{
		{"--store ROOT", ", from 1 occasion in ", "There is only one occasion, 2026-11-18"},
		{"--store ROOT LATER", ", from ", "2026-11-18 to 2026-11-19"},
		{"--store ROOT --run nothing LATER", ", from ", "No benchmark of two occasions or more matches <code>nothing</code>"},
		{"--store ROOT --run effective-bits$ LATER", ", from ", "effective-bits$"},
	} {
		args := strings.Fields(strings.NewReplacer("ROOT", root, "LATER", later).Replace(tc.args))
		code, stdout, stderr := execute(t, "", append([]string{"report", "-o", out}, args...)...)
		page, err := os.ReadFile(out)
		if code != exitSuccess || stdout != "" || !strings.Contains(stderr, tc.says) || err != nil || !strings.Contains(string(page), tc.page) {
			t.Errorf("%s: exit code %d, %v\n%s%s%s", tc.args, code, err, stdout, stderr, page)
		}
	}
	for _, tc := range []struct{ args, want string }{
		{"--store " + filepath.Join(folder, "absent"), "no results in"},
		{"--run x", "--run chooses trends; expected --store FOLDER too"},
		{"--store " + root + " --run (", "--run: error parsing regexp"},
	} {
		if code, _, stderr := execute(t, "", append([]string{"report", "-o", out}, strings.Fields(tc.args)...)...); code != exitFailed || !strings.Contains(stderr, tc.want) {
			t.Errorf("%s: exit code %d: %s", tc.args, code, stderr)
		}
	}
}

func TestReportHelp(t *testing.T) {
	_, stdout, _ := execute(t, "", "report", "--help")
	compareGolden(t, "help-report", stdout)
}
