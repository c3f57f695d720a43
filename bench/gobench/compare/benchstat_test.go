package compare

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// benchstat shows the same medians for the same files.
func TestMediansAreThoseOfBenchstat(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
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
			inputs = append(inputs, Input{strconv.Itoa(i), name, bytes.NewReader(text)})
		}
		r, err := Compare(inputs, Options{})
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, table := range r.Tables {
			for _, row := range table.Rows {
				for i, side := range []Side{row.Old, row.New} {
					key := fmt.Sprintf("%s %s %d", row.Name, table.Unit, i)
					if got, ok := want[key]; !ok || got != side.Median {
						t.Errorf("%s: median %v, that of benchstat is %v", key, side.Median, got)
					}
					compared++
				}
			}
		}
		if compared != len(want) || compared == 0 {
			t.Errorf("%d medians, benchstat has %d", compared, len(want))
		}
	}
}

// benchstatMedians runs benchstat and returns its medians by "name unit column".
func benchstatMedians(t *testing.T, files []string) map[string]float64 {
	t.Helper()
	var stderr bytes.Buffer
	command := exec.Command("go", append([]string{"tool", "benchstat", "-format", "csv"}, files...)...)
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
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
