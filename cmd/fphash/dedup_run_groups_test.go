package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A run over many files finds the same groups as dedup finds in a single file with all documents,
// both in memory and on disk.
func TestRunFindsWhatDedupFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	var lines []string
	for i := range 400 {
		words := make([]string, 60)
		if i%3 > 0 { // an edited copy of an earlier document
			copy(words, strings.Fields(lines[random.IntN(i)]))
			words[random.IntN(len(words))] = fmt.Sprint("edit", i)
		} else {
			for w := range words {
				words[w] = fmt.Sprint("word", random.IntN(5000))
			}
		}
		lines = append(lines, strings.Join(words, " "))
	}
	folder := t.TempDir()
	for name, part := range map[string][]string{"all.txt": lines, "in/1.txt": lines[:150], "in/2.txt": lines[150:]} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(part, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, stderr := execute(t, "", "dedup", filepath.Join(folder, "all.txt"), "--list", "groups", "--format", "csv")
	if code != exitSuccess {
		t.Fatal(stderr)
	}
	want := rowsOf(stdout, 4)
	for _, memory := range []string{"4GiB", "10KiB"} {
		out := filepath.Join(folder, fmt.Sprint("out", memory))
		code, _, stderr := execute(t, "", "dedup", filepath.Join(folder, "in"), "--documents", "lines", "--format", "csv", "--only-duplicates", "--memory", memory, "--run", out)
		if code != exitSuccess || strings.Contains(stderr, "compared on disk") != (memory == "10KiB") {
			t.Errorf("exit code %d: %s", code, stderr)
		}
		var got []string
		for name, first := range map[string]int{"1.txt.csv": 0, "2.txt.csv": 150} {
			text, err := os.ReadFile(filepath.Join(out, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rowsOf(string(text), 4) {
				number, rest, _ := strings.Cut(row, ",")
				var n int
				if _, err := fmt.Sscan(number, &n); err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprintf("%d,%s", first+n, rest))
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", memory, diff)
		}
	}
}

// rowsOf returns the first columns of the CSV rows after the header, sorted.
func rowsOf(text string, columns int) (rows []string) {
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), ",")
		rows = append(rows, strings.Join(cells[:columns], ","))
	}
	rows = rows[1:]
	slices.Sort(rows)
	return rows
}
