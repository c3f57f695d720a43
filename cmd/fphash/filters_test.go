package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/filter"
	"simhashkit/internal/testing/long"
)

// corpusOfLines returns n documents as JSON lines. Many are exact copies or copies with a changed
// word, and some have no words.
func corpusOfLines(n int) string {
	r := rand.New(rand.NewPCG(20, 20))
	var documents [][]string
	var lines strings.Builder
	for i := range n {
		var words []string
		switch {
		case i%50 == 7:
		case i > 0 && r.IntN(2) == 0:
			words = slices.Clone(documents[r.IntN(i)])
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
		documents = append(documents, words)
		fmt.Fprintf(&lines, "{\"id\":\"%d\",\"text\":\"%s\"}\n", i+1, strings.Join(words, " "))
	}
	return lines.String()
}

// stage runs a filter and returns its output. The test fails if the filter fails.
func stage(t *testing.T, input string, args ...string) string {
	t.Helper()
	code, stdout, stderr := execute(t, input, args...)
	if code != exitSuccess {
		t.Fatalf("%q: exit code %d: %s", args, code, stderr)
	}
	return stdout
}

// sortedLines sorts lines in the same way as LC_ALL=C sort.
func sortedLines(text string) string {
	return strings.Join(slices.Sorted(strings.Lines(text)), "")
}

// The filters give the same fingerprints, pairs and clusters of a corpus as fphash dedup and as an
// index in this process, with all keys in one part and with keys spread over many parts.
func TestFiltersAreDedup(t *testing.T) {
	const sketch = "sketch --documents jsonl --text text --id id"
	documents := corpusOfLines(700)
	fingerprints := stage(t, documents, strings.Fields(sketch)...)
	path := t.TempDir() + "/fingerprints.tsv"
	if stage(t, documents, append(strings.Fields(sketch), "--out", path)...); stage(t, "", "blocks", path) != stage(t, fingerprints, "blocks") {
		t.Error("the blocks of a file differ from those of standard input")
	}
	var parts []string // a separate process computes the fingerprints of each part
	for part := range slices.Chunk(slices.Collect(strings.Lines(documents)), 100) {
		parts = append(parts, stage(t, strings.Join(part, ""), strings.Fields(sketch)...))
	}
	if strings.Join(parts, "") != fingerprints {
		t.Error("the fingerprints of the parts differ from those of the whole corpus")
	}
	thresholds := []int{3}
	if long.Enabled() {
		thresholds = []int{0, 3, 7}
	}
	for _, k := range thresholds {
		dedup := []string{"dedup", "--k", strconv.Itoa(k), "--documents", "jsonl", "--text", "text", "--id", "id"}
		wantPairs := sortedLines(stage(t, documents, append(dedup, "--list", "pairs")...))
		wantGroups := sortedLines(stage(t, documents, append(dedup, "--list", "groups")...))
		if inProcess := pairsInProcess(t, fingerprints, k); wantPairs != inProcess || strings.Count(inProcess, "\n") < 50 {
			t.Errorf("k = %d: the index has other pairs than dedup: %s", k, cmp.Diff(wantPairs, inProcess))
		}
		var lines strings.Builder
		for _, part := range parts {
			lines.WriteString(stage(t, part, "blocks", "--k", strconv.Itoa(k)))
		}
		for _, n := range []int{1, 5} {
			var pairs, links strings.Builder
			for _, part := range spread(sortedLines(lines.String()), n) {
				pairs.WriteString(stage(t, part, "pairs", "--k", strconv.Itoa(k)))
				links.WriteString(stage(t, part, "pairs", "--links", "--k", strconv.Itoa(k)))
			}
			if diff := cmp.Diff(wantPairs, sortedLines(pairs.String())); diff != "" {
				t.Errorf("k = %d in %d parts: -want +got\n%.2000s", k, n, diff)
			}
			for name, pairs := range map[string]string{"pairs": pairs.String(), "links": links.String()} {
				if diff := cmp.Diff(wantGroups, groupsOf(stage(t, pairs, "clusters"), fingerprints)); diff != "" {
					t.Errorf("k = %d in %d parts: clusters of %s: -want +got\n%.2000s", k, n, name, diff)
				}
			}
		}
	}
}

// spread cuts sorted block lines into parts by their keys.
func spread(lines string, n int) []string {
	list := make([]string, n)
	for line := range strings.Lines(lines) {
		key, _, _ := strings.Cut(line, "\t")
		part := (int(key[len(key)-1]) + int(key[0])) % n
		list[part] += line
	}
	return list
}

// pairsInProcess returns the pairs that the index in this process finds, as lines, sorted.
func pairsInProcess(t *testing.T, fingerprints string, k int) string {
	t.Helper()
	set := &index.Set{Bits: 64}
	for line := range strings.Lines(fingerprints) {
		digits, id, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		words, err := fphash.ParseHex(digits, 64)
		if err != nil {
			t.Fatal(err)
		}
		number, err := strconv.ParseUint(id, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if words[0] != 0 {
			set.Words, set.IDs = append(set.Words, words...), append(set.IDs, number)
		}
	}
	var list strings.Builder
	for p, err := range (&join.Join{Set: set, K: k}).Pairs(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		a, b := strconv.FormatUint(p.A, 10), strconv.FormatUint(p.B, 10)
		if filter.Less([]byte(b), []byte(a)) {
			a, b = b, a
		}
		fmt.Fprintf(&list, "%s\t%s\t%d\n", a, b, p.Distance)
	}
	return sortedLines(list.String())
}

// groupsOf converts rows of attributes to the rows of fphash dedup --list groups, sorted: cluster,
// id, whether the record is kept, and its distance from the kept record.
func groupsOf(members, fingerprints string) string {
	digits := map[string]string{} // by id
	for line := range strings.Lines(fingerprints) {
		code, id, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		digits[id] = code
	}
	type row struct{ id, digits, cluster, kept string }
	var rows []row
	canonical := map[string]string{}
	for line := range strings.Lines(members) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		r := row{fields[0], digits[fields[0]], fields[1], fields[2]}
		rows = append(rows, r)
		if r.kept == "yes" {
			canonical[r.cluster] = r.digits
		}
	}
	var list strings.Builder
	for _, r := range rows {
		a, _ := fphash.ParseHex(r.digits, 64)
		b, _ := fphash.ParseHex(canonical[r.cluster], 64)
		fmt.Fprintf(&list, "%s\t%s\t%s\t%d\n", r.cluster, r.id, r.kept, fphash.Distance(a, b))
	}
	return sortedLines(list.String())
}

// A filter that fails has written only whole lines.
func TestFiltersWriteWholeLines(t *testing.T) {
	fingerprints := stage(t, corpusOfLines(3000), strings.Fields("sketch --documents jsonl --text text --id id")...)
	lines := sortedLines(stage(t, fingerprints, "blocks"))
	for _, c := range []struct {
		input string
		args  []string
	}{
		{strings.Repeat(fingerprints, 4) + "x\n", []string{"blocks"}}, // more than one batch
		{lines + "9:0000\t0000000000000000\tx\n", []string{"pairs"}},
		{lines + "9", []string{"pairs"}},
	} {
		code, stdout, _ := execute(t, c.input, c.args...)
		if code != exitFailed || stdout == "" || !strings.HasSuffix(stdout, "\n") {
			t.Errorf("%q: exit code %d, and the output ends with %q", c.args, code, stdout[max(0, len(stdout)-40):])
		}
	}
}
