//go:build unix

package spark

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"simhashkit/internal/testing/tools"
)

// duckDB runs the script for DuckDB and returns the attributes that it writes.
func duckDB(t *testing.T, program, files string, options ...string) []attributes {
	t.Helper()
	script, err := filepath.Abs(filepath.Join("..", "duckdb", "attributes.py"))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	t.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	tools.Python(t, []string{"duckdb"}, script, append([]string{files, out}, options...)...)
	list, err := parquet.ReadFile[attributes](filepath.Join(out, "attributes.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The script for DuckDB drops what the filters alone drop, also with texts that were kept earlier.
func TestDuckDB(t *testing.T) {
	all, against := newCorpus(t, root, 0), newCorpus(t, root, 200)
	all.check(t, "DuckDB", duckDB(t, all.program, all.files()))
	against.check(t, "DuckDB, against", duckDB(t, against.program, against.files(), "--against", against.olds()))
}

// The script for DuckDB keeps texts that share no key.
func TestDuckDBWithoutLinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "few.parquet")
	if err := parquet.WriteFile(path, []document{{"a", "one"}, {"b", "two"}, {"c", ""}}); err != nil {
		t.Fatal(err)
	}
	for _, a := range duckDB(t, tools.Fphash(t, root, t.TempDir()), path) {
		if !*a.Kept {
			t.Errorf("%s is dropped", a.ID)
		}
	}
}
