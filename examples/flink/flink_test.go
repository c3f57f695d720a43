//go:build unix

// Package flink tests that the job here finds on a cluster what fphash dedup finds, also where a
// task manager is killed.
package flink

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simhashkit/examples/internal/engine"
	"simhashkit/internal/testing/long"
)

const root = "../.."

// A cluster at other parallelisms, and one of which a task manager is killed while both have
// results that others need, and work or tables that are written, finds the fingerprints, pairs and
// clusters that fphash dedup and the index in this process find.
func TestClusterFindsWhatDedupFinds(t *testing.T) {
	long.Skip(t, "starts a cluster")
	c := newCluster(t)
	corpus := engine.New(t, root)
	folder := t.TempDir()
	runs := 0
	run := func(name string, meanwhile func(<-chan struct{}), parallelism int, more ...string) {
		out := filepath.Join(folder, name)
		c.submit(t, meanwhile, parallelism, append([]string{"--in", corpus.Files, "--out", out}, more...)...)
		var got []engine.Attributes
		for _, row := range rows(t, out, "attributes", 4) {
			got = append(got, attributes(t, row))
		}
		corpus.Compare(t, name, got)
		numbers := compareFingerprints(t, corpus, name, rows(t, out, "fingerprints", 3))
		if !slices.Contains(more, "--links") {
			var pairs []engine.Pair
			for _, row := range rows(t, out, "pairs", 3) {
				pairs = append(pairs, engine.Pair{A: numbers[row[0]], B: numbers[row[1]], Distance: int32(integer(t, row[2]))})
			}
			corpus.ComparePairs(t, name, pairs)
		}
		runs++
	}
	for _, at := range []struct {
		filter, lost string // the lost task manager has results of the filter before
		tasks        int
	}{{"pairs", "blocks", 2}, {"clusters", "pairs", 1}} {
		gate := engine.NewGate(t, corpus.Program, at.filter)
		// One that runs the filter: that run is lost, and the results before it are wanted again.
		lost := 0
		kill := func() {
			lost = gate.Within(t, c.taskManagers)
			c.taskManagers[lost].Kill()
		}
		killed := func(ended <-chan struct{}) { gate.KillAt(t, at.tasks, kill, ended) }
		run("killed at "+at.filter, killed, 2, "--fphash", gate.Program)
		if n := gate.Runs(at.lost); n < 3 {
			t.Errorf("fphash %s ran %d times, expected it again for what the killed task manager had", at.lost, n)
		}
		c.taskManagers[lost] = c.start(t, "taskmanager.sh")
		c.waitForTaskManagers(t)
	}
	// Keys of these tables have 8 and 9 digits.
	run("more tasks", nil, 3, "--fphash", corpus.Program, "--blocks", "--tables 6,3")
	run("one task", nil, 1, "--fphash", corpus.Program, "--pairs", "--links")
	t.Logf("%d runs of the job", runs)
}

// rows returns those of a table that the job has written, each of so many fields.
func rows(t *testing.T, out, table string, fields int) (list [][]string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(out, table, "part-*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files of %s, %v", table, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(row) != fields {
				t.Fatalf("%s: line %q, expected %d fields", table, line, fields)
			}
			list = append(list, row)
		}
	}
	return list
}

func attributes(t *testing.T, row []string) engine.Attributes {
	t.Helper()
	a := engine.Attributes{ID: row[0], Canonical: row[3] == "yes"}
	if row[1] != "" {
		a.Fingerprint = &row[1]
	}
	if row[2] != "" {
		cluster := integer(t, row[2])
		a.Cluster = &cluster
	}
	return a
}

// compareFingerprints holds rows of number, fingerprint and id to the corpus. It returns the
// numbers from 1 of the documents by those that the job gives them, which go up in the same order.
func compareFingerprints(t *testing.T, corpus *engine.Corpus, job string, list [][]string) map[string]int64 {
	t.Helper()
	slices.SortFunc(list, func(a, b []string) int { return cmp.Compare(integer(t, a[0]), integer(t, b[0])) })
	if len(list) != len(corpus.Attributes) {
		t.Fatalf("%s: %d fingerprints of %d documents", job, len(list), len(corpus.Attributes))
	}
	numbers := map[string]int64{}
	for i, want := range corpus.Attributes {
		fingerprint := strings.Repeat("0", 16)
		if want.Fingerprint != nil {
			fingerprint = *want.Fingerprint
		}
		if list[i][1] != fingerprint || list[i][2] != want.ID {
			t.Fatalf("%s: document %d is %q, expected fingerprint %s of %s", job, i+1, list[i], fingerprint, want.ID)
		}
		numbers[list[i][0]] = int64(i + 1)
	}
	return numbers
}

func integer(t *testing.T, digits string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
