//go:build unix

// Package spark tests the job in this folder on a cluster, also if a worker is killed.
package spark

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"simhashkit/internal/testing/long"
)

const root = "../.."

// The job drops the same documents as its filters without Spark, in different numbers of
// partitions, and although a worker is killed while both search for links and hold results that the
// other one needs. Each is similar to a kept one, and hardly any that an exact search drops is
// missing.
func TestCluster(t *testing.T) {
	long.Skip(t, "starts a cluster")
	c := newCluster(t)
	job, err := filepath.Abs("attributes.py")
	if err != nil {
		t.Fatal(err)
	}
	all, against := newCorpus(t, root, 0), newCorpus(t, root, 200)
	folder := t.TempDir()
	gate := newGate(t, all.program, "pairs")
	killed := func(ended <-chan struct{}) { gate.killAt(t, 2, func() { kill(c.workers[1]) }, ended) }
	log := c.submit(t, killed, nil, job, all.files(), filepath.Join(folder, "killed"), "--fphash", gate.program)
	if !strings.Contains(log, "Lost executor") {
		t.Errorf("no worker was lost: %s", tail(log))
	}
	all.check(t, "killed", rows(t, filepath.Join(folder, "killed")))

	against.longest = true
	small := []string{"spark.sql.files.maxPartitionBytes=4096"}
	c.submit(t, nil, small, job, against.files(), filepath.Join(folder, "against"), "--against", against.olds(), "--keep", "longest", "--fphash", against.program)
	against.check(t, "against", rows(t, filepath.Join(folder, "against")))
}

// rows returns the attributes that the job wrote.
func rows(t *testing.T, out string) (list []attributes) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(out, "attributes", "*.parquet"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files of attributes, %v", err)
	}
	for _, path := range paths {
		part, err := parquet.ReadFile[attributes](path)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, part...)
	}
	return list
}
