//go:build unix

package spark

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"simhashkit/internal/testing/tools"
)

// similarity is the least similarity of near-duplicates.
const similarity = 0.9

// document is a row of the corpus.
type document struct {
	ID   string `parquet:"id" json:"id"`
	Text string `parquet:"text" json:"text"`
}

// attributes has the results for a document.
type attributes struct {
	ID          string   `parquet:"id"`
	Kept        *bool    `parquet:"is_kept,optional"`
	DuplicateOf *string  `parquet:"duplicate_of,optional"`
	Similarity  *float64 `parquet:"similarity,optional"`
}

// corpus is a set of documents in files. Many are copies, with or without changes, or lines from a
// template, and some have no words.
type corpus struct {
	program   string // fphash
	folder    string // with Parquet files; the first ones, in the folder old, have old documents
	documents []document
	old       int  // this many documents come first, and were kept earlier
	longest   bool // of near-duplicates, the longest one is kept
}

// order returns the numbers of documents in the order of preference.
func (c *corpus) order(numbers []int) []int {
	slices.SortFunc(numbers, func(a, b int) int {
		if c.longest && a >= c.old && b >= c.old {
			return cmp.Or(len(c.documents[b].Text)-len(c.documents[a].Text), a-b)
		}
		return a - b
	})
	return numbers
}

// newCorpus writes a corpus, and builds fphash from the module at root.
func newCorpus(t *testing.T, root string, old int) *corpus {
	t.Helper()
	c := &corpus{folder: filepath.Join(t.TempDir(), "corpus"), old: old}
	c.program = tools.Fphash(t, root, filepath.Dir(c.folder))
	if err := os.MkdirAll(filepath.Join(c.folder, "old"), 0o777); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(20, 20))
	var texts [][]string
	for i := range 700 {
		var words []string
		switch kind := r.IntN(10); {
		case i%50 == 7:
		case i%50 == 8:
			words = []string{"***"}
		case i > 0 && kind < 4:
			words = slices.Clone(texts[r.IntN(i)])
			for range len(words) * r.IntN(4) / 30 {
				words[r.IntN(len(words))] = fmt.Sprint("new", r.IntN(100))
			}
		case kind == 4:
			words = append(strings.Fields(strings.Repeat("a line of a log from one template ", 3)), fmt.Sprint("x", r.IntN(50)), fmt.Sprint("y", r.IntN(50)), fmt.Sprint("z", r.IntN(50)))
		default:
			for range 10 + r.IntN(60) {
				words = append(words, fmt.Sprint("word", r.IntN(3000)))
			}
		}
		texts = append(texts, words)
		c.documents = append(c.documents, document{fmt.Sprintf("doc-%04d", i), strings.Join(words, " ")})
	}
	write := func(name string, documents []document) {
		if err := parquet.WriteFile(filepath.Join(c.folder, name), documents); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join("old", "0.parquet"), c.documents[:old])
	for i, from := 0, old; from < len(c.documents); i++ {
		to := min(from+120+30*i, len(c.documents))
		write(fmt.Sprint(i, ".parquet"), c.documents[from:to])
		from = to
	}
	return c
}

func (c *corpus) files() string { return filepath.Join(c.folder, "*.parquet") }
func (c *corpus) olds() string  { return filepath.Join(c.folder, "old", "*.parquet") }

// run runs a shell command with fphash and returns its output.
func (c *corpus) run(t *testing.T, folder, script string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", "-ec", script)
	command.Env, command.Dir = append(os.Environ(), "PATH="+filepath.Dir(c.program)+string(os.PathListSeparator)+os.Getenv("PATH")), folder
	var said strings.Builder
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", script, err, said.String())
	}
	return string(out)
}

// byFilters returns the ids that the filters drop in one process each, without Spark.
func (c *corpus) byFilters(t *testing.T) map[string]bool {
	t.Helper()
	folder := t.TempDir()
	lines := func(name string, values func(encode func(any))) {
		file, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		encoder := json.NewEncoder(file)
		values(func(value any) {
			if err := encoder.Encode(value); err != nil {
				t.Fatal(err)
			}
		})
	}
	texts := func(from int) func(func(any)) {
		return func(encode func(any)) {
			for i := from; i < len(c.documents); i++ {
				encode(map[string]any{"id": i, "text": c.documents[i].Text})
			}
		}
	}
	lines("texts.jsonl", texts(0))
	lines("new.jsonl", texts(c.old))
	groups := c.run(t, folder, `minima=$(fphash sketch --keys --texts `+fmt.Sprint(len(c.documents))+` new.jsonl)
		fphash sketch --keys --minima $minima texts.jsonl |
		awk -F '\t' '{ n = split($4, keys, ","); for (i = 1; i <= n; i++) print keys[i] "\t" $1 "\t" $2 }' |
		LC_ALL=C sort | fphash pairs --keys | fphash clusters`)
	members := map[int][]int{}
	for line := range strings.Lines(groups) {
		var n, group int
		if _, err := fmt.Sscan(line, &n, &group); err != nil {
			t.Fatal(err)
		}
		members[group] = append(members[group], n)
	}
	lines("members.jsonl", func(encode func(any)) {
		for _, group := range slices.Sorted(maps.Keys(members)) {
			for _, n := range c.order(members[group]) {
				encode(map[string]any{"group": group, "id": n, "text": c.documents[n].Text, "old": n < c.old})
			}
		}
	})
	dropped := map[string]bool{}
	for line := range strings.Lines(c.run(t, folder, "fphash select members.jsonl")) {
		var n int
		if _, err := fmt.Sscan(line, &n); err != nil {
			t.Fatal(err)
		}
		dropped[c.documents[n].ID] = true
	}
	return dropped
}

// byDedup returns the ids that fphash dedup drops.
func (c *corpus) byDedup(t *testing.T) map[string]bool {
	t.Helper()
	script := "fphash dedup '" + c.files() + "' --text text --id id --list drop"
	if c.longest {
		script += " --keep longest"
	}
	if c.old > 0 {
		script += " --against '" + filepath.Join(c.folder, "old", "0.parquet") + "'"
	}
	dropped := map[string]bool{}
	for _, id := range strings.Fields(c.run(t, t.TempDir(), script)) {
		dropped[id] = true
	}
	return dropped
}

// byDefinition returns how many documents are dropped if each is compared with all kept ones that
// are preferred to it, by the definition of the similarity.
func (c *corpus) byDefinition() (dropped int) {
	numbers := make([]int, len(c.documents))
	for i := range numbers {
		numbers[i] = i
	}
	var kept []document
	for _, i := range c.order(numbers) {
		d := c.documents[i]
		if i >= c.old && slices.ContainsFunc(kept, func(k document) bool { return of(k.Text, d.Text) >= similarity }) {
			dropped++
		} else {
			kept = append(kept, d)
		}
	}
	return dropped
}

// of is the similarity of two texts in lower case without punctuation: the length of the longest
// common subsequence of their words, as a share of the words of the longer text. This is an oracle:
// do not change it.
func of(x, y string) float64 {
	a, b := strings.Fields(x), strings.Fields(y)
	if float64(min(len(a), len(b))) < similarity*float64(max(len(a), len(b))) || len(a) == 0 {
		return 0
	}
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if row[j+1] = max(above, row[j]); a[i] == b[j] {
				row[j+1] = diagonal + 1
			}
			diagonal = above
		}
	}
	return float64(row[len(b)]) / float64(max(len(a), len(b)))
}

// check checks the attributes that a job wrote, in any order.
func (c *corpus) check(t *testing.T, job string, got []attributes) {
	t.Helper()
	texts, rows, dropped := map[string]string{}, map[string]attributes{}, map[string]bool{}
	for _, d := range c.documents {
		texts[d.ID] = d.Text
	}
	for i, a := range got {
		if a.Kept == nil || (a.DuplicateOf == nil) != *a.Kept || (a.Similarity == nil) != *a.Kept {
			t.Fatalf("%s: row %d: %+v", job, i, a)
		}
		if rows[a.ID] = a; !*a.Kept {
			dropped[a.ID] = true
		}
	}
	if len(got) != len(c.documents)-c.old || len(rows) != len(got) {
		t.Fatalf("%s: %d rows with %d ids, want %d", job, len(got), len(rows), len(c.documents)-c.old)
	}
	for id := range dropped {
		a := rows[id]
		if kept, isNew := rows[*a.DuplicateOf]; isNew && !*kept.Kept {
			t.Errorf("%s: %s is dropped for %s, which is dropped", job, id, *a.DuplicateOf)
		}
		if s := of(texts[id], texts[*a.DuplicateOf]); s < similarity || float32(s) != float32(*a.Similarity) {
			t.Errorf("%s: %s is dropped for %s with similarity %v, want %v", job, id, *a.DuplicateOf, *a.Similarity, s)
		}
	}
	if filters := c.byFilters(t); !maps.Equal(dropped, filters) {
		t.Errorf("%s: %d documents are dropped, the filters alone drop %d", job, len(dropped), len(filters))
	}
	if exact := c.byDefinition(); float64(len(dropped)) < 0.99*float64(exact) || exact < len(c.documents)/5 {
		t.Errorf("%s: %d documents are dropped, an exact search drops %d", job, len(dropped), exact)
	}
	differ, dedup := 0, c.byDedup(t)
	for _, d := range c.documents {
		if dropped[d.ID] != dedup[d.ID] {
			differ++
		}
	}
	t.Logf("%s: %d documents are dropped; fphash dedup drops %d, and %d differ", job, len(dropped), len(dedup), differ)
	if differ > len(dedup)/100 {
		t.Errorf("%s: %d documents are kept where fphash dedup drops them, or dropped where it keeps them", job, differ)
	}
}
