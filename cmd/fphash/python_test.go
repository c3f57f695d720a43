package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/testing/python"
	"simhashkit/internal/testing/workshop"
)

// Python libraries read the fingerprints that sketch writes, and dedup reads fingerprints that
// these libraries write.
func TestFingerprintsInPython(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	vectors := "1 3:1 4:2 # a\n1 3:1 4:2 # b, \"c\"\n1 5:1 # 007\n1 # none\n1 9:-1 # é\n"
	if err := os.WriteFile(path("f.svm"), []byte(vectors), 0o666); err != nil {
		t.Fatal(err)
	}
	output := func(args ...string) string {
		var out bytes.Buffer
		if err := run(args, strings.NewReader(""), &out, &bytes.Buffer{}); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		return out.String()
	}
	for _, format := range []string{"jsonl", "parquet"} {
		output("sketch", path("f.svm"), "--format", format, "--out", path("f."+format))
	}
	var want strings.Builder
	want.WriteString("definition xxh64,le64,64,tie=zero,order=grouped,lanes=float32 uint64\n")
	for _, library := range []string{"pyarrow", "pandas", "duckdb", "jsonl", "duckdb-jsonl"} {
		for line := range strings.Lines(output("sketch", path("f.svm"))) {
			digits, id, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			number, err := strconv.ParseUint(digits, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&want, library, id, digits, number, map[bool]string{true: "True", false: "False"}[number != 0])
		}
	}
	got := python.Run(t, []string{"pandas", "pyarrow", "duckdb"}, filepath.Join("testdata", "fingerprints.py"), folder)
	if diff := cmp.Diff(want.String(), got); diff != "" {
		t.Errorf("-ours +theirs\n%s", diff)
	}
	groups := output("dedup", path("f.svm"), "--k", "3", "--list", "groups", "--format", "csv")
	for _, name := range []string{"pandas.parquet", "pyarrow.parquet", "duckdb.parquet", "pandas.jsonl", "duckdb.jsonl"} {
		if diff := cmp.Diff(groups, output("dedup", path(name), "--list", "groups", "--format", "csv")); diff != "" {
			t.Errorf("%s: -ours +theirs\n%s", name, diff)
		}
	}
}

// DuckDB, pandas and pyarrow join the attributes of dedup with its inputs. The records to
// keep are those that --remove keeps.
func TestAttributesInPython(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	python.Run(t, []string{"pandas", "pyarrow", "duckdb"}, filepath.Join("testdata", "corpus.py"), "write", folder)
	for _, format := range []string{"jsonl", "csv", "parquet"} {
		var out bytes.Buffer
		args := []string{"dedup", path("in"), "--id", "id", "--k", "6", "--run", path(format), "--format", format, "--remove", path("kept"), "--force"}
		if err := run(args, strings.NewReader(""), &out, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		got := python.Run(t, []string{"pandas", "pyarrow", "duckdb"}, filepath.Join("testdata", "corpus.py"), "read", folder, format)
		want := "duckdb.parquet 0 2 3\npandas.jsonl.gz a\npyarrow.parquet 11 13\nduckdb.csv 21 23\nthe same\n"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", format, diff)
		}
	}
}

// The query in dedup/corpus.md returns the records to keep, with and without
// --only-duplicates.
func TestQueryOfCorpusPage(t *testing.T) {
	folder := t.TempDir()
	modules, script := []string{"pandas", "pyarrow", "duckdb"}, filepath.Join("testdata", "corpus.py")
	python.Run(t, modules, script, "write", folder)
	if err := os.MkdirAll(filepath.Join(folder, "corpus"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(folder, "in", "duckdb.parquet"), filepath.Join(folder, "corpus", "duckdb.parquet")); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "dedup", "corpus.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{nil, {"--only-duplicates"}} {
		args := append([]string{"dedup", filepath.Join(folder, "corpus", "*.parquet"), "--run", filepath.Join(folder, "attributes"), "--format", "parquet"}, more...)
		if err := run(args, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		queries := 0
		for _, block := range workshop.Blocks(string(page)) {
			if block.Language == "sql" {
				queries++
				if got := python.Run(t, modules, script, "query", folder, block.Code); got != "0 2 3\n" {
					t.Errorf("%q: %q, want the ids 0, 2 and 3", more, got)
				}
			}
		}
		if queries != 1 {
			t.Errorf("%d queries, want 1", queries)
		}
	}
}

// The commands in fphash/conventions/README.md search an archive of PyPI's simhash. Each of its
// texts is found, with the same fingerprint.
func TestArchiveOfPyPISimhash(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	var texts strings.Builder
	for i := range 40 {
		fmt.Fprintf(&texts, "{\"id\": %d, \"text\": \"Text %d is about %s, Straße und 感冒 %d.\"}\n", i, i*i, strings.Repeat("many words ", i%5), i*7919)
	}
	if err := os.WriteFile(path("new.jsonl"), []byte(texts.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	old := python.Run(t, []string{"simhash"}, filepath.Join("testdata", "pypi_simhash.py"), path("new.jsonl"))
	if err := os.WriteFile(path("old.tsv"), []byte(old), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, args := range [][]string{
		{"sketch", path("new.jsonl"), "--text", "text", "--id", "id", "--convention", "1e0ng-64", "--out", path("new.tsv")},
		{"dedup", path("new.tsv"), "--against", path("old.tsv"), "-k", "0", "--list", "pairs"},
	} {
		out.Reset()
		if err := run(args, strings.NewReader(""), &out, &bytes.Buffer{}); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
	}
	ours, err := os.ReadFile(path("new.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(old, string(ours)); diff != "" {
		t.Errorf("-theirs +ours\n%s", diff)
	}
	for i := range 40 {
		if pair := fmt.Sprintf("%d\t%d\t", i, i); !strings.Contains("\n"+out.String(), "\n"+pair) {
			t.Errorf("expected the pair %q in\n%s", pair, out.String())
		}
	}
}
