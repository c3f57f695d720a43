package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simhashkit/bench/gobench/compare"
)

// The example of --col in the help works on a file that fphash bench writes without flags.
func TestCompareExampleOfColumns(t *testing.T) {
	files, err := filepath.Glob("../../results/*/*/bench.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no results: %v", err)
	}
	command, _, err := newRoot().Find([]string{"compare"})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(command.Example) {
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

// exitCases has an example for each line of the help topic about gaps: two files, flags, and the
// kind of gap that is reported.
var exitCases = map[string]struct {
	old, new, flags string
	kind            string
}{
	"a benchmark is missing in NEW":                                     {old: lines("A", 5, "ns/op", 18) + lines("B", 5, "ns/op", 18), new: lines("A", 5, "ns/op", 18), kind: "missing"},
	"a benchmark has fewer than 6 samples":                              {old: lines("A", 5, "ns/op", 5), new: lines("A", 5, "ns/op", 6), kind: "samples"},
	"a unit has changed, and nothing says whether more of it is better": {old: strings.Repeat(lines("A", 5, "wombats", 6)+"PASS\n", 3), new: strings.Repeat(lines("A", 50, "wombats", 6)+"PASS\n", 3), kind: "direction"},
	"samples of an exact unit differ":                                   {old: "Unit recall assume=exact\n" + lines("A", 1, "recall", 2), new: "Unit recall assume=exact\n" + lines("A", 1, "recall", 2), kind: "inexact"},
	"the files are of different machines":                               {old: "cpu: X\n" + lines("A", 5, "ns/op", 6), new: "cpu: Y\n" + lines("A", 5, "ns/op", 6), kind: "machine"},
	"a line does not parse":                                             {old: lines("A", 5, "ns/op", 6), new: lines("A", 5, "ns/op", 6) + "BenchmarkA many ns/op\n", kind: "syntax"},
	"a benchmark failed":                                                {old: lines("A", 5, "ns/op", 6), new: lines("A", 5, "ns/op", 6) + "--- FAIL: BenchmarkB\n", kind: "failed"},
	"a file has no results":                                             {old: lines("A", 5, "ns/op", 6), new: "PASS\n", kind: "empty"},
	"a comparison is unclear, with --strict":                            {old: lines("A", 5, "ns/op", 6), new: lines("A", 5.05, "ns/op", 6), flags: "--strict", kind: "unclear"},
}

// lines returns n samples of a benchmark that differ by a few percent.
func lines(name string, value float64, unit string, n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "Benchmark%s 1 %v %s\n", name, value*(1+0.01*float64(i%3)), unit)
	}
	return text.String()
}

// compared compares two texts as files. It returns the exit code and the kinds of gaps that are not
// accepted.
func compared(t *testing.T, old, new string, flags ...string) (code int, kinds []string) {
	t.Helper()
	folder := t.TempDir()
	args := append([]string{"compare", "--format", "jsonl"}, flags...)
	for name, text := range map[string]string{"old.txt": old, "new.txt": new} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, _ := execute(t, "", append(args, filepath.Join(folder, "old.txt"), filepath.Join(folder, "new.txt"))...)
	for line := range strings.Lines(stdout) {
		var gap struct{ Type, Kind string }
		if err := json.Unmarshal([]byte(line), &gap); err != nil {
			t.Fatal(err)
		}
		if gap.Type == "gap" {
			kinds = append(kinds, gap.Kind)
		}
	}
	return code, kinds
}

// Each kind of gap has an example that exits with 2, or with 0 if the kind is accepted. The help
// topic lists all kinds.
func TestCompareExitCodes(t *testing.T) {
	page, err := pages.ReadFile("help/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for line, tc := range exitCases {
		if tc.kind != "empty" && !strings.Contains(string(page), "\n  "+tc.kind+"  ") {
			t.Errorf("the help does not list: %s", tc.kind)
		}
		kinds[tc.kind] = true
		flags := strings.Fields(tc.flags)
		if code, got := compared(t, tc.old, tc.new, flags...); code != exitFailed || !slices.Contains(got, tc.kind) {
			t.Errorf("%s: exit code %d, gaps %v", line, code, got)
		}
		if tc.kind == "empty" { // this kind cannot be accepted
			continue
		}
		if code, _ := compared(t, tc.old, tc.new, append(flags, "--accept", tc.kind)...); code != exitSuccess {
			t.Errorf("%s, accepted: exit code %d", line, code)
		}
	}
	for _, kind := range append(compare.GapKinds(), "empty") {
		if !kinds[kind] && kind != "runs" {
			t.Errorf("the help says nothing of gaps of the kind %s", kind)
		}
	}
	// Few runs are no gap: with --accept runs, the change is judged.
	if code, gaps := compared(t, lines("A", 5, "ns/op", 6), lines("A", 7, "ns/op", 6), "--accept", "runs"); code != exitNo || len(gaps) > 0 {
		t.Errorf("few runs, accepted: exit code %d, gaps %v", code, gaps)
	}
	for what, tc := range map[string]struct {
		old, new string
		want     int
	}{
		"no regression":        {lines("A", 5, "ns/op", 18), lines("A", 5, "ns/op", 18), exitSuccess},
		"unclear":              {lines("A", 5, "ns/op", 6), lines("A", 5.05, "ns/op", 6), exitFailed},
		"one run of each side": {lines("A", 5, "ns/op", 6), lines("A", 50, "ns/op", 6), exitFailed},
		"a regression":         {lines("A", 5, "B/op", 6), lines("A", 50, "B/op", 6), exitNo},
		"a regression and gap": {lines("A", 5, "B/op", 6) + lines("B", 5, "ns/op", 6), lines("A", 50, "B/op", 6), exitNo},
	} {
		if code, gaps := compared(t, tc.old, tc.new); code != tc.want {
			t.Errorf("%s: exit code %d, gaps %v", what, code, gaps)
		}
	}
	if code, _, _ := execute(t, "", "compare", "absent.txt", "absent.txt"); code != exitFailed {
		t.Errorf("an unreadable file: exit code %d", code)
	}
}

// The exit code still reports a regression if the report cannot be written.
func TestCompareCannotWrite(t *testing.T) {
	code, _, stderr := execute(t, "", "compare", "--out", filepath.Join(t.TempDir(), "absent", "x.txt"), "testdata/inputs/old.txt", "testdata/inputs/slower.txt")
	if code != exitNo || !strings.Contains(stderr, "regressions in") || !strings.Contains(stderr, "x.txt") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
