package compare

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/testing/tools"
)

// benchstat shows the same medians for the same files, except that the ratio of our figures is the
// judged change.
func TestMediansAreThoseOfBenchstat(t *testing.T) {
	folder := t.TempDir()
	var names []string
	for i, text := range []string{
		"goos: linux\npkg: a\ncpu: X\n" + samplesOf("A/n=1-8", 100, "ns/op", 7) + samplesOf("B-8", 3, "MB/s", 8) + samplesOf("B-8", 7, "ns/key", 10) + samplesOf("Ä-8", 12, "allocs/op", 6),
		"goos: linux\npkg: a\ncpu: X\n" + samplesOf("A/n=1-8", 107, "ns/op", 9) + samplesOf("B-8", 2, "MB/s", 8) + samplesOf("B-8", 5, "ns/key", 11) + samplesOf("Ä-8", 13, "allocs/op", 6),
	} {
		name := filepath.Join(folder, fmt.Sprintf("%d.txt", i))
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	pairs := [][]string{names}
	filed, err := filepath.Glob("../../../results/*/*/bench.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(filed) > 0 {
		pairs = append(pairs, []string{filed[0], filed[0]})
	}
	for _, pair := range pairs {
		want := benchstatMedians(t, pair)
		var inputs []Input
		for i, name := range pair {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			inputs = append(inputs, Input{strconv.Itoa(i), name, text})
		}
		r, err := Compare(inputs, Options{})
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, table := range r.Tables {
			for _, row := range table.Rows {
				key := row.Name + " " + table.Unit
				old, okOld := want[key+" 0"]
				new, okNew := want[key+" 1"]
				if !okOld || !okNew || old != row.Old.Median || math.Abs(row.New.Median/new-1) > 0.01 {
					t.Errorf("%s: medians %v and %v, but benchstat has %v and %v", key, row.Old.Median, row.New.Median, old, new)
				}
				compared += 2
			}
		}
		if compared != len(want) || compared == 0 {
			t.Errorf("%d medians, benchstat has %d", compared, len(want))
		}
	}
}

// benchstat compares files of package resultfile even if date, command and data differ.
func TestBenchstatComparesTwoFiles(t *testing.T) {
	folder := t.TempDir()
	var names []string
	for i, head := range [][]resultfile.Field{
		{{Name: "date", Value: "2026-01-02T03:04:05Z"}, {Name: "command", Value: "fphash bench"}, {Name: "data", Value: "go-source: 512 of 11021 files"}},
		{{Name: "date", Value: "2027-12-31T00:00:00Z"}, {Name: "command", Value: "fphash bench --samples 3"}, {Name: "tier", Value: "avx512gfni"}},
	} {
		factor := float64(1 + i)
		name := filepath.Join(folder, fmt.Sprintf("%d.txt", i))
		file, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		err = resultfile.Write(file, resultfile.File{
			Head:   head,
			Config: []resultfile.Field{{Name: "goos", Value: "linux"}, {Name: "pkg", Value: "simhashkit/bench"}, {Name: "cpu", Value: "Some Processor @ 3 GHz"}},
			Rows: []resultfile.Row{
				{Name: "Hash/hash=md5/encoding=le64/kernel=avx2/n=1024", Err: "wrong answer: key 7"},
				{Name: "Hash/hash=xxh64/encoding=le64/kernel=avx2/n=1024", Unit: "ns/key", Samples: []resultfile.Sample{{Iterations: 1000, Value: 0.7 * factor}, {Iterations: 1000, Value: 0.71 * factor}}},
				{Name: "MemoryRead/n=10000", Unit: "MB/s", Samples: []resultfile.Sample{{Iterations: 5, Value: 123456.78 * factor}, {Iterations: 5, Value: 120000 * factor}}},
			},
			Units: []resultfile.Unit{{Name: "ns/key", Better: -1}, {Name: "MB/s", Better: +1}},
		})
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	output := string(runBenchstat(t, names...))
	for _, unit := range []string{"sec/key", "B/s"} {
		if !strings.Contains(output, unit) {
			t.Errorf("benchstat shows no %s:\n%s", unit, output)
		}
	}
	if n := strings.Count(output, "vs base"); n != 2 {
		t.Errorf("benchstat shows %d comparisons, want 2 (one per unit):\n%s", n, output)
	}
}

// benchstatMedians runs benchstat and returns its medians. The keys have the form "name unit
// column".
func benchstatMedians(t *testing.T, files []string) map[string]float64 {
	t.Helper()
	out := runBenchstat(t, append([]string{"-format", "csv"}, files...)...)
	reader := csv.NewReader(bytes.NewReader(out))
	reader.FieldsPerRecord = -1
	lines, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	medians := map[string]float64{}
	unit := ""
	for _, line := range lines {
		switch {
		case len(line) > 3 && line[0] == "" && line[2] == "CI":
			unit = line[1]
		case len(line) > 3 && line[0] != "" && line[0] != "geomean":
			for i, column := range []int{1, 3} {
				value, err := strconv.ParseFloat(line[column], 64)
				if err != nil || math.IsNaN(value) {
					t.Fatalf("%q: %v", strings.Join(line, ","), err)
				}
				medians[fmt.Sprintf("%s %s %d", line[0], unit, i)] = value
			}
		}
	}
	return medians
}

// runBenchstat returns the standard output of benchstat. It skips the test if the go command cannot
// build benchstat, for example without a module cache.
func runBenchstat(t *testing.T, args ...string) []byte {
	t.Helper()
	tools.Need(t, "go")
	if said, err := exec.Command("go", "tool", "-n", "benchstat").CombinedOutput(); err != nil {
		if strings.Contains(string(said), "no such tool") { // go.mod must have the tool
			t.Fatalf("%s", said)
		}
		t.Skipf("benchstat cannot be built: %s", said)
	}
	var stderr bytes.Buffer
	command := exec.Command("go", append([]string{"tool", "benchstat"}, args...)...)
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return out
}
