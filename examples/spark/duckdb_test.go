//go:build unix

package spark

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"simhashkit/internal/testing/tools"
)

// The script for DuckDB drops what the filters alone drop.
func TestDuckDB(t *testing.T) {
	c := newCorpus(t, root, 0)
	script, err := filepath.Abs(filepath.Join("..", "duckdb", "attributes.py"))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	t.Setenv("PATH", filepath.Dir(c.program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	tools.Python(t, []string{"duckdb"}, script, c.files(), out)
	list, err := parquet.ReadFile[attributes](filepath.Join(out, "attributes.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	c.check(t, "DuckDB", list)
}
