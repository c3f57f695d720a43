package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeFile writes a file into a folder of the test's own and returns its path.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const oneCase = "Accumulate/weights=f32/f=64/kernel=generic/nnz=32"

func TestBenchBars(t *testing.T) {
	probe := writeFile(t, "probe.txt", "probe/slow 1000000\n")
	again := writeFile(t, "again.txt", "probe/slow 3000000\n")
	for _, tc := range []struct {
		name, bars string
		flags      []string
		code       int
		stdout     string
		stderr     string
	}{
		{"met", oneCase + " <= 1000000 ns/nnz\n", nil, exitSuccess, "1 bars: 1 met, 0 missed", ""},
		{"missed", oneCase + " <= 0.0001 ns/nnz\n", nil, exitNo, "MISSED  " + oneCase, "fphash: 1 of 1 bars missed"},
		{"probes", oneCase + " <= 1/2 x probe:slow\n", []string{"--probe", probe, "--probe", again}, exitSuccess, "0.5 x 2000000.000", ""},
		{"no probe", oneCase + " <= probe:fast\n", []string{"--probe", probe}, exitSuccess, "not measured: no probe fast", ""},
		{"no probe, strict", oneCase + " <= probe:fast\n", []string{"--strict"}, exitNo, "not measured: no probe fast", "fphash: 0 of 1 bars missed, 1 not measured (--strict)"},
		{"other cases do not count", oneCase + " <= 1 x " + oneCase + "\nMemoryRead/n=10000 >= 1000000 GB/s\n", []string{"--strict"}, exitSuccess, "1 bars: 1 met", ""},
		{"not in this run", strings.Replace(oneCase, "generic", "{generic,naive}", 1) + " <= 1000000 ns/nnz\n", []string{"--kernel", "generic"}, exitSuccess, "1 of cases that are not in this run", ""},
		{"not in this run, strict", strings.Replace(oneCase, "generic", "{generic,naive}", 1) + " <= 1000000 ns/nnz\n", []string{"--kernel", "generic", "--strict"}, exitNo, "", "1 not measured (--strict)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.txt")
			args := []string{"bench", "--run", "weights=f32/f=64/kernel=(generic|naive)/nnz=32$", "--samples", "2", "--time", "100us", "-o", out, "--bars", writeFile(t, "bars.txt", tc.bars)}
			code, stdout, stderr := execute(t, "", append(args, tc.flags...)...)
			if code != tc.code || !strings.Contains(stdout, tc.stdout) || !strings.Contains(stderr, tc.stderr) {
				t.Errorf("exit code %d, want %d\n%s%s", code, tc.code, stdout, stderr)
			}
			if len(readResults(t, out).Rows) == 0 {
				t.Error("no rows are in the file")
			}
		})
	}
}

// Mistakes in bars and probes are found before anything is measured: there is no result file.
func TestBenchBadBars(t *testing.T) {
	good := writeFile(t, "good.txt", oneCase+" <= 1 ns/nnz\n")
	for _, tc := range []struct {
		name  string
		flags []string
		want  string
	}{
		{"unknown case", []string{"--bars", writeFile(t, "bars.txt", "\nAccumulate/weights=f16/f=64/kernel=generic/nnz=32 <= 1 ns/nnz\n")}, `bars.txt:2:1: there is no case "Accumulate/weights=f16`},
		{"unknown reference", []string{"--bars", writeFile(t, "bars.txt", oneCase+" <= 2 x Accumulate/nnz=32\n")}, `bars.txt:1:58: there is no case "Accumulate/nnz=32"`},
		{"wrong direction", []string{"--bars", writeFile(t, "bars.txt", oneCase+" >= 1 ns/nnz\n")}, `bars.txt:1:51: expected <=, got ">="`},
		{"bad probe", []string{"--bars", good, "--probe", writeFile(t, "probe.txt", "probe/a b\n")}, `probe.txt:1:9: expected a number above 0, got "b"`},
		{"no such file", []string{"--bars", "testdata/absent.txt"}, "testdata/absent.txt"},
		{"no such probe", []string{"--bars", good, "--probe", "testdata/absent.txt"}, "testdata/absent.txt"},
		{"probe without bars", []string{"--probe", good}, "--probe and --strict are for --bars"},
		{"strict without bars", []string{"--strict"}, "--probe and --strict are for --bars"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.txt")
			code, stdout, stderr := execute(t, "", append([]string{"bench", "--run", oneCase + "$", "-o", out}, tc.flags...)...)
			if code != exitFailed || stdout != "" || !strings.Contains(stderr, tc.want) {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
			if _, err := os.Stat(out); !os.IsNotExist(err) {
				t.Errorf("there is a result file: %v", err)
			}
		})
	}
}

// The sampling is the suite's where the user says nothing, and the user's where he does.
func TestSuiteSampling(t *testing.T) {
	for _, tc := range []struct {
		flags []string
		want  int
	}{
		{nil, 41},
		{[]string{"--samples", "3"}, 3},
	} {
		out := filepath.Join(t.TempDir(), "out.txt")
		args := []string{"bench", "--suite", "kernels", "--run", oneCase + "$", "-o", out}
		if code, _, stderr := execute(t, "", append(args, tc.flags...)...); code != exitSuccess {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		rows := readResults(t, out).Rows
		if len(rows) != 1 || len(rows[0].Samples) != tc.want {
			t.Errorf("%v: rows %v, want one of %d samples", tc.flags, rows, tc.want)
		}
	}
}

// On a machine without a Go installation the rows are named after the vectors that take the place
// of its sources.
func TestBenchWithoutGoTree(t *testing.T) {
	t.Setenv("PATH", "")
	t.Setenv("GOROOT", "")
	out := filepath.Join(t.TempDir(), "out.txt")
	code, stdout, stderr := execute(t, "", "bench", "--run", "Sketch/hash=xxh64/weights=unit/.*kernel=generic/data=", "--samples", "1", "--time", "1us", "-o", out)
	if code != exitSuccess || !strings.Contains(stderr, "go-source is not here") || !strings.Contains(stdout, "data=generated") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if rows := readResults(t, out).Rows; len(rows) != 1 || rows[0].Name != "Sketch/hash=xxh64/weights=unit/f=64/kernel=generic/data=generated/nnz=mixed" {
		t.Errorf("rows %v", rows)
	}
}
