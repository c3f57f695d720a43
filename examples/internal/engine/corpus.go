// Package engine tests jobs on clusters: it makes a corpus, computes what fphash finds in it, and
// kills processes in the middle of their work.
package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	difference "github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/testing/tools"
)

// files is how many a corpus has.
const files = 4

// Attributes is what is found of a document.
type Attributes struct {
	ID          string  `parquet:"id" json:"id"`
	Fingerprint *string `parquet:"fingerprint,optional" json:"fingerprint"`
	Cluster     *int64  `parquet:"cluster_id,optional" json:"cluster_id"`
	Canonical   bool    `parquet:"is_canonical" json:"is_canonical"`
}

// Pair is two documents, by their numbers from 1.
type Pair struct {
	A        int64 `parquet:"a"`
	B        int64 `parquet:"b"`
	Distance int32 `parquet:"distance"`
}

// Corpus is documents of which many are copies, some with changes, and some have no words, with
// what fphash dedup and the index in this process find among them.
type Corpus struct {
	Program    string // fphash
	Files      string // Parquet files, as a glob
	Attributes []Attributes
	Pairs      []Pair
}

// New writes a corpus and takes fphash from the module whose root is a path.
func New(t *testing.T, root string) *Corpus {
	t.Helper()
	folder := t.TempDir()
	c := &Corpus{Program: tools.Fphash(t, root, folder), Files: filepath.Join(folder, "corpus", "*.parquet")}
	write(t, filepath.Join(folder, "corpus"))
	c.Attributes = c.dedup(t, filepath.Join(folder, "dedup"))
	c.Pairs = pairsOf(t, c.Attributes)
	if len(c.Pairs) < 50 {
		t.Fatalf("%d pairs, expected a corpus with many", len(c.Pairs))
	}
	return c
}

// write writes the documents.
func write(t *testing.T, folder string) {
	t.Helper()
	type document struct {
		ID   string `parquet:"id"`
		Text string `parquet:"text"`
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(20, 20))
	var texts [][]string
	for file := range files {
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
		if err := parquet.WriteFile(filepath.Join(folder, fmt.Sprint(file, ".parquet")), documents); err != nil {
			t.Fatal(err)
		}
	}
}

// dedup returns the attributes that fphash dedup writes, in the order of the documents.
func (c *Corpus) dedup(t *testing.T, out string) (list []Attributes) {
	t.Helper()
	if text, err := exec.CommandContext(t.Context(), c.Program, "dedup-corpus", c.Files, "--text", "text", "--id", "id", "--out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for file := range files {
		text, err := os.ReadFile(filepath.Join(out, fmt.Sprint(file, ".parquet.jsonl")))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var a Attributes
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				t.Fatal(err)
			}
			list = append(list, a)
		}
	}
	return list
}

// pairsOf returns the pairs that the index in this process finds.
func pairsOf(t *testing.T, list []Attributes) (pairs []Pair) {
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
		pairs = append(pairs, Pair{int64(p.A), int64(p.B), int32(p.Distance)})
	}
	return sorted(pairs)
}

func sorted(pairs []Pair) []Pair {
	return slices.SortedFunc(slices.Values(pairs), func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
}

// Compare holds the attributes that a job has found, in any order, to those of the corpus.
func (c *Corpus) Compare(t *testing.T, job string, got []Attributes) {
	t.Helper()
	got = slices.SortedFunc(slices.Values(got), func(a, b Attributes) int { return cmp.Compare(a.ID, b.ID) })
	if diff := difference.Diff(c.Attributes, got); diff != "" {
		t.Errorf("%s: attributes: -want +got\n%.3000s", job, diff)
	}
}

// ComparePairs does the same with pairs.
func (c *Corpus) ComparePairs(t *testing.T, job string, got []Pair) {
	t.Helper()
	if diff := difference.Diff(c.Pairs, sorted(got)); diff != "" {
		t.Errorf("%s: pairs: -want +got\n%.3000s", job, diff)
	}
}
