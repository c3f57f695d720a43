//go:build unix

// Package spark holds a test that the job in examples/spark finds on a cluster what fphash dedup
// finds, also where a worker is killed.
package spark

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
)

const root = "../../.."

// document is a row of the corpus.
type document struct {
	ID   string `parquet:"id"`
	Text string `parquet:"text"`
}

// attributes is what is found of a document.
type attributes struct {
	ID          string  `parquet:"id" json:"id"`
	Fingerprint *string `parquet:"fingerprint,optional" json:"fingerprint"`
	Cluster     *int64  `parquet:"cluster_id,optional" json:"cluster_id"`
	Canonical   bool    `parquet:"is_canonical" json:"is_canonical"`
}

// pair is two documents, by their numbers.
type pair struct {
	A        int64 `parquet:"a"`
	B        int64 `parquet:"b"`
	Distance int32 `parquet:"distance"`
}

// A cluster with other numbers of partitions, and one of which a worker is killed while both have
// work and results that others need, finds the fingerprints, pairs and clusters that fphash dedup
// and the index in this process find.
func TestClusterFindsWhatDedupFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a cluster")
	}
	c := newCluster(t)
	folder := t.TempDir()
	program := build(t, folder)
	corpus := writeCorpus(t, folder)
	wantAttributes := dedup(t, program, folder, corpus)
	wantPairs := pairsOf(t, wantAttributes)
	if len(wantPairs) < 50 {
		t.Fatalf("%d pairs, expected a corpus with many", len(wantPairs))
	}
	job, err := filepath.Abs(filepath.Join(root, "examples", "spark", "attributes.py"))
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string, meanwhile func(<-chan struct{}), conf []string, more ...string) string {
		out := filepath.Join(folder, name)
		log := c.submit(t, meanwhile, conf, append([]string{job, corpus, out}, more...)...)
		if diff := cmp.Diff(wantAttributes, sorted(rows[attributes](t, out, "attributes"), byID)); diff != "" {
			t.Errorf("%s: attributes: -want +got\n%.3000s", name, diff)
		}
		if !slices.Contains(more, "--links") {
			if diff := cmp.Diff(wantPairs, sorted(rows[pair](t, out, "pairs"), byNumbers)); diff != "" {
				t.Errorf("%s: pairs: -want +got\n%.3000s", name, diff)
			}
		}
		return log
	}
	wrapper := filepath.Join(folder, "waiting")
	script := fmt.Sprintf("#!/bin/sh\nif [ \"$1\" = pairs ]; then\n  : >'%[1]s/at-work.'$$\n  while [ ! -e '%[1]s/go' ]; do sleep 0.1; done\nfi\nexec '%[2]s' \"$@\"\n", folder, program)
	if err := os.WriteFile(wrapper, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	killed := func(ended <-chan struct{}) {
		for tick := time.Tick(50 * time.Millisecond); ; {
			if atWork, _ := filepath.Glob(filepath.Join(folder, "at-work.*")); len(atWork) > 1 {
				break
			}
			select {
			case <-ended:
				t.Error("the job has ended before both workers searched for pairs")
				return
			case <-tick:
			}
		}
		kill(c.workers[1])
		if err := os.WriteFile(filepath.Join(folder, "go"), nil, 0o666); err != nil {
			t.Error(err)
		}
	}
	log := run("killed", killed, nil, "--partitions", "5", "--fphash", wrapper)
	if !strings.Contains(log, "Lost executor") {
		t.Errorf("no worker was lost: %s", tail(log))
	}
	run("small", nil, []string{"spark.sql.files.maxPartitionBytes=4096"}, "--partitions", "2", "--fphash", program, "--blocks", "--tables 5,2", "--links")
}

// build builds fphash.
func build(t *testing.T, folder string) string {
	t.Helper()
	program := filepath.Join(folder, "fphash")
	command := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/fphash")
	command.Dir = root
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// writeCorpus writes documents of which many are copies, some with changes, and some have no words,
// and returns what names the files.
func writeCorpus(t *testing.T, folder string) string {
	t.Helper()
	if err := os.Mkdir(filepath.Join(folder, "corpus"), 0o777); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(20, 20))
	var texts [][]string
	for file := range 4 {
		var documents []document
		for range 120 + 30*file {
			var words []string
			switch i := len(texts); {
			case i%50 == 7:
			case i > 0 && r.IntN(2) == 0:
				words = slices.Clone(texts[r.IntN(i)])
				for j := range words {
					if r.IntN(60) == 0 {
						words[j] = fmt.Sprint("new", r.IntN(100))
					}
				}
			default:
				for range 40 + r.IntN(60) {
					words = append(words, fmt.Sprint("word", r.IntN(3000)))
				}
			}
			texts = append(texts, words)
			documents = append(documents, document{fmt.Sprintf("doc-%04d", len(texts)), strings.Join(words, " ")})
		}
		if err := parquet.WriteFile(filepath.Join(folder, "corpus", fmt.Sprint(file, ".parquet")), documents); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "corpus", "*.parquet")
}

// dedup returns the attributes that fphash dedup writes, in the order of the documents.
func dedup(t *testing.T, program, folder, corpus string) (list []attributes) {
	t.Helper()
	out := filepath.Join(folder, "dedup")
	if text, err := exec.CommandContext(t.Context(), program, "dedup", "--in", corpus, "--text", "text", "--id", "id", "--out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for file := range 4 {
		text, err := os.ReadFile(filepath.Join(out, fmt.Sprint(file, ".parquet.jsonl")))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var a attributes
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				t.Fatal(err)
			}
			list = append(list, a)
		}
	}
	return list
}

// pairsOf returns the pairs that the index in this process finds, of documents numbered from 1.
func pairsOf(t *testing.T, list []attributes) (pairs []pair) {
	t.Helper()
	set := &index.Set{Bits: 64}
	for i, a := range list {
		if a.Fingerprint == nil {
			continue
		}
		words, err := fphash.ParseHex(*a.Fingerprint, 64)
		if err != nil {
			t.Fatal(err)
		}
		set.Words, set.IDs = append(set.Words, words...), append(set.IDs, uint64(i+1))
	}
	for p, err := range (&join.Join{Set: set, K: 3}).Pairs(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, pair{int64(p.A), int64(p.B), int32(p.Distance)})
	}
	return sorted(pairs, byNumbers)
}

// rows returns those of a table that the job has written.
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

func sorted[T any](list []T, key func(T) string) []T {
	slices.SortFunc(list, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	return list
}

func byID(a attributes) string { return a.ID }

func byNumbers(p pair) string {
	return fmt.Sprintf("%010s %010s", strconv.FormatInt(p.A, 10), strconv.FormatInt(p.B, 10))
}
