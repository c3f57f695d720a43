package main

import (
	"path/filepath"
	"strings"
	"testing"
)

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
