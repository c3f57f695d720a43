package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
)

// losses has the smallest loss of each kind that must always be a regression.
var losses = map[string]func(v float64) float64{
	"effective-bits":       func(v float64) float64 { return max(0, v-1) },
	"effective-bits-cos90": func(v float64) float64 { return max(0, v-1) },
	"constant-bits":        func(v float64) float64 { return v + 1 },
	"recall":               func(v float64) float64 { return v * 0.99 },
	"precision":            func(v float64) float64 { return v * 0.99 },
}

// qualityFile returns the metadata and the result lines of result files with quality figures.
func qualityFile(t *testing.T) (head string, lines []string) {
	t.Helper()
	for _, name := range []string{"quality.txt", "neardup.txt"} {
		paths, err := filepath.Glob("../../../results/*/*/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if len(paths) == 0 {
			t.Skipf("no %s in the folder results", name)
		}
		text, err := os.ReadFile(paths[len(paths)-1])
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "Benchmark") {
				if line = withoutTimes(line); line != "" {
					lines = append(lines, line)
				}
			} else {
				head += line
			}
		}
	}
	return head, lines
}

// withoutTimes returns a line without times, since it has only one sample. It returns "" if no
// figure is left.
func withoutTimes(line string) string {
	fields := strings.Fields(line)
	left := slices.Clone(fields[:2])
	for i := 3; i < len(fields); i += 2 {
		if _, ok := losses[fields[i]]; ok || fields[i] != "cpu-ns/op" && fields[i] != "peak-bytes" && !strings.HasSuffix(fields[i], "dropped") {
			left = append(left, fields[i-1], fields[i])
		}
	}
	if len(left) == 2 {
		return ""
	}
	return strings.Join(left, " ") + "\n"
}

// lose returns the line with the value of the unit after the loss. It reports false if the line
// does not have the unit or its value cannot become worse.
func lose(t *testing.T, line, unit string) (lost string, ok bool) {
	t.Helper()
	fields := strings.Fields(line)
	for i := 3; i < len(fields); i += 2 {
		if fields[i] != unit {
			continue
		}
		v, err := strconv.ParseFloat(fields[i-1], 64)
		if err != nil {
			t.Fatal(err)
		}
		after := losses[unit](v)
		fields[i-1] = strconv.FormatFloat(after, 'g', 8, 64) // the format of result files
		return strings.Join(fields, " ") + "\n", after != v
	}
	return "", false
}

// A lost effective bit, a dead bit and a lost percent of recall are regressions in every row with
// such a figure, even with a large threshold for times.
func TestEveryLossIsFound(t *testing.T) {
	head, lines := qualityFile(t)
	thresholds, err := ParseThresholds([]string{"20%"})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, line := range lines {
		for unit := range losses {
			lost, ok := lose(t, line, unit)
			if !ok {
				continue
			}
			r := compareTexts(t, head+line, head+lost, Options{Threshold: thresholds})
			if count := r.Count(); count[Regression] != 1 || r.OpenGaps() != 0 {
				t.Errorf("%s: %s: verdicts %v, %d gaps", strings.Fields(line)[0], unit, count, r.OpenGaps())
			}
			found[unit]++
		}
	}
	for unit, least := range map[string]int{"effective-bits": 200, "effective-bits-cos90": 200, "constant-bits": 200, "recall": 20, "precision": 20} {
		if found[unit] < least {
			t.Errorf("%d rows with %s, expected at least %d: the file does not fit this test", found[unit], unit, least)
		}
	}
	t.Logf("losses found: %v", found)
}

// A single loss among thousands of equal figures is found. Without a loss, nothing is found.
func TestOneLossAmongMany(t *testing.T) {
	long.Skip(t, "draws many cases")
	head, lines := qualityFile(t)
	all := head + strings.Join(lines, "")
	if count := compareTexts(t, all, all, Options{}).Count(); count[Regression]+count[Improvement]+count[Changed] != 0 {
		t.Fatalf("a file against itself: %v", count)
	}
	for unit := range losses {
		var rows []int
		for i, line := range lines {
			if _, ok := lose(t, line, unit); ok {
				rows = append(rows, i)
			}
		}
		i := rows[len(rows)/2]
		lost, _ := lose(t, lines[i], unit)
		r := compareTexts(t, all, head+strings.Join(lines[:i], "")+lost+strings.Join(lines[i+1:], ""), Options{})
		want := fmt.Sprintf("%s %s", strings.TrimPrefix(strings.Fields(lines[i])[0], "Benchmark"), unit)
		var got []string
		for _, table := range r.Tables {
			for _, row := range table.Rows {
				if row.Verdict == Regression {
					got = append(got, row.Name+" "+table.Unit)
				}
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("regressions %q, expected %q", got, want)
		}
	}
}
