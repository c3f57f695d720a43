package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/testing/tools"
)

// All roads that need no more than this module and sort give the same, and each stage has a row.
func TestRoads(t *testing.T) {
	tools.Need(t, "sort", "bash")
	t.Chdir("../..")
	out := filepath.Join(t.TempDir(), "out.txt")
	if err := run(t.Context(), []string{"-folder", t.TempDir(), "-n", "300 700", "-roads", "memory=1000 files=1000 filters=500", "-queries", "0", "-o", out}, io.Discard); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	if _, err := resultfile.Read(strings.NewReader(text), "x"); err != nil {
		t.Error(err)
	}
	for road, stages := range map[string][]string{
		"memory": {"sketch", "pairs", "clusters"}, "files": {"sketch", "pairs-and-clusters"},
		"filters": {"sketch", "blocks", "sort", "pairs", "clusters", "clusters-of-pairs", "blocks-to-pairs"},
	} {
		for _, stage := range stages {
			for _, n := range []string{"300", "700"} {
				want := 1
				if road == "filters" && n == "700" {
					want = 0
				}
				if name := "BenchmarkRoad/road=" + road + "/stage=" + stage + "/n=" + n + " 1 "; strings.Count(text, name) != want {
					t.Errorf("%d of %q, expected %d:\n%s", strings.Count(text, name), name, want, text)
				}
			}
		}
	}
	if !strings.Contains(text, " 1200 block-lines ") {
		t.Errorf("no 1200 lines of 300 documents in\n%s", text)
	}
	if strings.Contains(text, t.TempDir()) {
		t.Errorf("the file has folders of this machine:\n%s", text)
	}
}

// Attributes that differ, or are not those of all documents, are noticed.
func TestDigest(t *testing.T) {
	file := func(text string) []string {
		path := filepath.Join(t.TempDir(), "attributes.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return []string{path}
	}
	const first, second = `{"id":"d0","fingerprint":"01","cluster_id":1,"is_canonical":true}` + "\n", `{"id":"d1","fingerprint":null,"cluster_id":null,"is_canonical":true}` + "\n"
	whole, err := digest(file(first+second), 2)
	if err != nil {
		t.Fatal(err)
	}
	if parts, err := digest(append(file(first), file(second)...), 2); err != nil || parts != whole {
		t.Errorf("in two files %s, %v, expected %s", parts, err, whole)
	}
	for _, change := range [][2]string{{`"01"`, `"02"`}, {`"cluster_id":1`, `"cluster_id":2`}, {`"cluster_id":null,"is_canonical":true`, `"cluster_id":null,"is_canonical":false`}} {
		if other, err := digest(file(strings.Replace(first+second, change[0], change[1], 1)), 2); err != nil || other == whole {
			t.Errorf("with %s the same digest; %v", change[1], err)
		}
	}
	for _, text := range []string{first, second + first, first + first, first + second + "x"} {
		if _, err := digest(file(text), 2); err == nil {
			t.Errorf("%q is no error", text)
		}
	}
}

func TestMisuse(t *testing.T) {
	for want, args := range map[string][]string{
		"-folder and -o":    {"-o", "x"},
		"other arguments":   {"-o", "x", "-folder", "x", "y"},
		"a road and":        {"-o", "x", "-folder", "x", "-roads", "river=7"},
		"files=1000":        {"-o", "x", "-folder", "x", "-roads", "files"},
		"numbers of 100 or": {"-o", "x", "-folder", t.TempDir(), "-roads", "files=1000", "-n", "7"},
	} {
		if err := run(t.Context(), args, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, expected %q", args, err, want)
		}
	}
}
