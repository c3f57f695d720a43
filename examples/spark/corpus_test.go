//go:build unix

package spark

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

// corpusFiles is the number of files of a corpus.
const corpusFiles = 4

// attributes has the results for a document.
type attributes struct {
	ID          string  `parquet:"id" json:"id"`
	Fingerprint *string `parquet:"fingerprint,optional" json:"fingerprint"`
	Cluster     *int64  `parquet:"cluster_id,optional" json:"cluster_id"`
	Canonical   bool    `parquet:"is_canonical" json:"is_canonical"`
	DuplicateOf *string `parquet:"duplicate_of,optional" json:"duplicate_of"`
}

// pair is a pair of documents, which are numbered from 1.
type pair struct {
	A        int64 `parquet:"a"`
	B        int64 `parquet:"b"`
	Distance int32 `parquet:"distance"`
}

// corpus is a set of documents with the results of fphash dedup --k 3 and of the index in
// this process. Many documents are copies, some of them with changes, and some have no words.
type corpus struct {
	program    string // fphash
	files      string // Parquet files, as a glob
	attributes []attributes
	pairs      []pair
}

// newCorpus writes a corpus and builds fphash from the module at root.
func newCorpus(t *testing.T, root string) *corpus {
	t.Helper()
	folder := t.TempDir()
	c := &corpus{program: tools.Fphash(t, root, folder), files: filepath.Join(folder, "corpus", "*.parquet")}
	write(t, filepath.Join(folder, "corpus"))
	c.attributes = c.dedup(t, filepath.Join(folder, "dedup"))
	c.pairs = pairsOf(t, c.attributes)
	if len(c.pairs) < 50 {
		t.Fatalf("%d pairs, expected a corpus with many", len(c.pairs))
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
	for file := range corpusFiles {
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

// dedup returns the attributes that fphash dedup --k 3 writes, in the order of the
// documents.
func (c *corpus) dedup(t *testing.T, out string) (list []attributes) {
	t.Helper()
	if text, err := exec.CommandContext(t.Context(), c.program, "dedup", c.files, "--k", "3", "--text", "text", "--id", "id", "--run", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for file := range corpusFiles {
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

// pairsOf returns the pairs that the index in this process finds.
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
	return sorted(pairs)
}

func sorted(pairs []pair) []pair {
	return slices.SortedFunc(slices.Values(pairs), func(p, q pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
}

// compare compares the attributes that a job found, in any order, with those of the corpus.
func (c *corpus) compare(t *testing.T, job string, got []attributes) {
	t.Helper()
	got = slices.SortedFunc(slices.Values(got), func(a, b attributes) int { return cmp.Compare(a.ID, b.ID) })
	if diff := difference.Diff(c.attributes, got); diff != "" {
		t.Errorf("%s: attributes: -want +got\n%.3000s", job, diff)
	}
}

// comparePairs compares the pairs that a job found, in any order, with those of the corpus.
func (c *corpus) comparePairs(t *testing.T, job string, got []pair) {
	t.Helper()
	if diff := difference.Diff(c.pairs, sorted(got)); diff != "" {
		t.Errorf("%s: pairs: -want +got\n%.3000s", job, diff)
	}
}
