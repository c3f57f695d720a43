//go:build unix

// Package spark tests that the job in this folder has the same results on a cluster as fphash
// dedup --k 3, even if a worker is killed.
package spark

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"simhashkit/internal/testing/long"
)

const root = "../.."

// The job finds the same fingerprints, pairs and clusters as dedup --k 3 and the index in
// this process, with different numbers of partitions. In one run, a worker is killed while both
// workers search for pairs and hold results that the other one needs.
func TestClusterFindsWhatDedupFinds(t *testing.T) {
	long.Skip(t, "starts a cluster")
	c := newCluster(t)
	corpus := newCorpus(t, root)
	job, err := filepath.Abs("attributes.py")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	run := func(name string, meanwhile func(<-chan struct{}), conf []string, more ...string) string {
		out := filepath.Join(folder, name)
		log := c.submit(t, meanwhile, conf, append([]string{job, corpus.files, out}, more...)...)
		corpus.compare(t, name, rows[attributes](t, out, "attributes"))
		if !slices.Contains(more, "--links") {
			corpus.comparePairs(t, name, rows[pair](t, out, "pairs"))
		}
		return log
	}
	gate := newGate(t, corpus.program, "pairs")
	killed := func(ended <-chan struct{}) { gate.killAt(t, 2, func() { kill(c.workers[1]) }, ended) }
	log := run("killed", killed, nil, "--partitions", "5", "--fphash", gate.program)
	if !strings.Contains(log, "Lost executor") {
		t.Errorf("no worker was lost: %s", tail(log))
	}
	run("small", nil, []string{"spark.sql.files.maxPartitionBytes=4096"}, "--partitions", "2", "--fphash", corpus.program, "--blocks", "--k 3", "--links")
}

// rows returns the rows of a table that the job wrote.
func rows[T any](t *testing.T, out, table string) (list []T) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(out, table, "*.parquet"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files of %s, %v", table, err)
	}
	for _, path := range paths {
		part, err := parquet.ReadFile[T](path)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, part...)
	}
	return list
}
