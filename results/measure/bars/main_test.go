package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The program judges a result file by bars and probes, and says which bars are missed.
func TestRun(t *testing.T) {
	const name = "Accumulate/weights=f32/f=64/kernel=generic/nnz=32"
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	results := file("results", "Benchmark"+name+" 1 2.5 ns/nnz\n")
	for _, c := range []struct {
		bars, probe, want string
		err               error
	}{
		{name + " <= 3 ns/nnz\n", "", "1 bars: 1 met, 0 missed", nil},
		{name + " <= 2 ns/nnz\n", "", "MISSED", errMissed},
		{name + " <= 1/2 x probe:slow\n", "probe/slow 6\n", "1 bars: 1 met, 0 missed", nil},
		{name + " <= 1/2 x probe:fast\n", "probe/slow 6\n", "no probe fast", nil},
		{"MemoryRead/n=10000 >= 1 GB/s\n", "", "not in this run", nil},
	} {
		var out strings.Builder
		args := []string{file("bars", c.bars), results}
		if c.probe != "" {
			args = append([]string{"-probe", file("probe", c.probe)}, args...)
		}
		err := run(args, &out)
		if !errors.Is(err, c.err) || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s%s: %v\n%s\nexpected %q", c.bars, c.probe, err, &out, c.want)
		}
	}
	for _, args := range [][]string{{}, {results}, {file("unknown", "Accumulate/nnz=32 <= 1 ns/nnz\n"), results}, {results, "absent"}} {
		if err := run(args, &strings.Builder{}); err == nil || errors.Is(err, errMissed) {
			t.Errorf("%v: error %v", args, err)
		}
	}
}
