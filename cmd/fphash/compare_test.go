package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// The same files as other people's: the output of go test -benchmem, three runs of it appended to
// each other, with names that are not ASCII.
func TestCompareGolden(t *testing.T) {
	t.Chdir("testdata/compare")
	for _, tc := range []struct{ name, args string }{
		{"help-compare", "--help"},
		{"compare-same", "old.txt same.txt"},
		{"compare-slower", "old.txt slower.txt"},
		{"compare-slower-accepted", "--accept missing --filter .unit:ns/op main=old.txt branch=slower.txt"},
		{"compare-threshold", "--threshold 20% --threshold B/op=5% --filter -.name:Sort old.txt slower.txt"},
		{"compare-windows", "old.txt windows.txt"},
		{"compare-few", "old.txt few.txt"},
		{"compare-machine", "old.txt other-machine.txt"},
		{"compare-machine-ignored", "--ignore cpu old.txt other-machine.txt"},
		{"compare-broken", "old.txt broken.txt"},
		{"compare-quality", "quality-old.txt quality-new.txt"},
		{"compare-markdown", "--format markdown old.txt slower.txt"},
		{"compare-csv", "--format csv old.txt slower.txt"},
		{"compare-jsonl", "--format jsonl old.txt slower.txt"},
		{"compare-three", "old.txt same.txt slower.txt --filter .name:Parse"},
		{"compare-columns", "--col /size --row .name --table .config --filter .name:Parse old.txt"},
		{"compare-twice", "old.txt old.txt --filter .unit:allocs/op"},
		{"compare-one-run", "one-run-old.txt one-run-slower.txt"},
		{"compare-one-run-accepted", "--accept runs,missing one-run-old.txt one-run-slower.txt"},
		{"compare-one-run-markdown", "--format markdown --filter .unit:ns/op one-run-old.txt one-run-slower.txt"},
		{"compare-one-run-csv", "--format csv --filter .unit:ns/op one-run-old.txt one-run-slower.txt"},
		{"compare-many-gaps", "many-old.txt many-new.txt"},
		{"compare-no-file", "old.txt absent.txt"},
		{"compare-no-store", "--store absent old.txt"},
		{"compare-bad-threshold", "--threshold 3 old.txt same.txt"},
		{"compare-bad-accept", "--accept everything old.txt same.txt"},
		{"compare-bad-format", "--format xml old.txt same.txt"},
		{"compare-bad-filter", "--filter ( old.txt same.txt"},
		{"compare-bad-alpha", "--alpha 0 old.txt same.txt"},
		{"compare-unjudged", "unjudged-old.txt unjudged-new.txt"},
		{"compare-nothing", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, stdout, stderr := execute(t, "", append([]string{"compare"}, strings.Fields(tc.args)...)...)
			inGoldenFolder(t, func() {
				compareGolden(t, tc.name, fmt.Sprintf("$ fphash compare %s\nexit code %d\n--- stdout\n%s--- stderr\n%s", tc.args, code, stdout, stderr))
			})
		})
	}
}

// inGoldenFolder leaves testdata/compare, where the arguments are file names, for the folder that
// golden files are relative to.
func inGoldenFolder(t *testing.T, do func()) {
	t.Helper()
	t.Chdir("../..")
	do()
}

func TestCompareReadsStdinAndPackedFiles(t *testing.T) {
	text, err := os.ReadFile("testdata/compare/old.txt")
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "old.txt.gz")
	if err := os.WriteFile(path, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := execute(t, string(text), "compare", path, "-")
	if code != exitSuccess || !strings.Contains(stdout, "12 no change") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestCompareWritesWholeFiles(t *testing.T) {
	out := filepath.Join(t.TempDir(), "comment.md")
	code, stdout, stderr := execute(t, "", "compare", "--format", "markdown", "-o", out, "testdata/compare/old.txt", "testdata/compare/slower.txt")
	// which is in the file only
	if stderr != "fphash: regressions in 3 of 9 comparisons, and 1 gap\n" {
		t.Errorf("stderr %q", stderr)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if code != exitNo || stdout != "" || !strings.HasPrefix(string(text), "### Benchmarks: 3 regressions, 1 gap\n") {
		t.Errorf("exit code %d\n%s%s%s", code, stdout, stderr, text)
	}
	if code, _, _ := execute(t, "", "compare", "-o", out, "testdata/compare/old.txt", "testdata/compare/absent.txt"); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	if after, _ := os.ReadFile(out); !bytes.Equal(after, text) {
		t.Errorf("the file holds %q", after)
	}
}

func TestComparePage(t *testing.T) {
	code, stdout, stderr := execute(t, "", "compare", "--format", "html", "testdata/compare/old.txt", "testdata/compare/slower.txt")
	if code != exitNo || !strings.HasPrefix(stdout, "<!DOCTYPE html>") || !strings.Contains(stdout, `<section id="comparison"`) || !strings.Contains(stdout, "<title>Regressions in 3 of 9 comparisons, and 1 gap</title>") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// The help's example for columns of one file works on what fphash bench writes without flags.
func TestCompareExampleOfColumns(t *testing.T) {
	files, err := filepath.Glob("../../results/*/*/bench.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no results: %v", err)
	}
	for line := range strings.Lines(newCompare().Example) {
		if !strings.Contains(line, "--col") {
			continue
		}
		line = strings.NewReplacer("'", "", "(generic avx2)", "(generic_avx2)", "fphash-bench.txt", files[0]).Replace(line)
		var args []string
		for _, arg := range strings.Fields(line)[1:] {
			args = append(args, strings.ReplaceAll(arg, "generic_avx2", "generic avx2"))
		}
		code, stdout, stderr := execute(t, "", args...)
		if code != exitSuccess || !strings.Contains(stdout, "generic → avx2") || !strings.Contains(stdout, "(accepted)") {
			t.Errorf("fphash %q: exit code %d\n%s%s", args, code, stdout, stderr)
		}
		return
	}
	t.Error("there is no such example")
}

// A single file is compared with the nearest baseline.
func TestCompareWithTheStore(t *testing.T) {
	root := filepath.Join(t.TempDir(), "results")
	baseline := filepath.Join(root, "intel-r-xeon-r-processor", "2026-11-18", "bench.txt")
	code, stdout, stderr := execute(t, "", "results", "add", "--store", root, "--name", "bench", "testdata/compare/quality-old.txt")
	if code != exitSuccess || strings.TrimSpace(stdout) != baseline {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, stderr = execute(t, "", "compare", "--store", root, "testdata/compare/quality-new.txt")
	if code != exitNo || !strings.HasPrefix(stderr, "baseline: "+baseline+" (3 of 3 benchmarks in common, by go1.26.8, since there are none by go1.27.0, the only one of this machine that is not newer)\n") || !strings.Contains(stdout, "1 REGRESSION, 2 no change") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := execute(t, "", "compare", "--store", root, "-"); code != exitFailed || !strings.Contains(stderr, "standard input") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
