package columnar

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/datasets/documents"
	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
)

// refusedTypes are column types of the sweep that are not valid for texts or ids.
var refusedTypes = []string{"float", "double", "bool", "decimal", "date", "timestamp", "fixed", "list"}

// For every codec, encoding, page version, type and share of nulls that pyarrow and DuckDB write,
// each value is read exactly, or the column is rejected by name. Python compares the copies.
func TestSweep(t *testing.T) {
	long.Skip(t, "reads some thousand columns that Python writes")
	files, copies := t.TempDir(), t.TempDir()
	script := filepath.Join("testdata", "sweep.py")
	type column struct {
		values int
		sum    string
	}
	want := map[string]map[string]column{} // by share of nulls and name
	for line := range strings.Lines(tools.Python(t, []string{"pyarrow", "duckdb"}, script, "write", files)) {
		var share, name string
		var c column
		if _, err := fmt.Sscanf(line, "values %s %s %d %s", &share, &name, &c.values, &c.sum); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if want[share] == nil {
			want[share] = map[string]column{}
		}
		want[share][name] = c
	}
	paths, err := filepath.Glob(filepath.Join(files, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	copied := 0
	cells := map[string]map[string]int{} // by writer and codec: what became of them
	for _, path := range paths {
		fields := strings.Split(strings.TrimSuffix(filepath.Base(path), ".parquet"), "-")
		writer, share := fields[0]+" "+fields[1], fields[4]
		if cells[writer] == nil {
			cells[writer] = map[string]int{}
		}
		for name, c := range want[share] {
			cells[writer][columnIs(t, path, name, c.values, c.sum)]++
		}
		for _, name := range refusedTypes {
			if name == "fixed" && fields[0] == "duckdb" {
				continue // of any length there
			}
			_, err := read(t, path, documents.Options{Text: name})
			if err == nil || !strings.Contains(err.Error(), `in the column "`+name+`", got `) && !strings.Contains(err.Error(), `expected a column "`+name+`", got `) {
				t.Errorf("%s: %s as texts: %v", filepath.Base(path), name, err)
			}
			cells[writer]["refused by type"]++
		}
		out := filepath.Join(copies, filepath.Base(path))
		if err := documents.CopyKept(t.Context(), path, out, documents.Options{Text: "row"}, odd); err != nil {
			if cells[writer]["files not copied, "+refusedAs(err, path)]++; refusedAs(err, path) == "" {
				t.Errorf("%s is not copied: %v", filepath.Base(path), err)
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("%s: a failed copy was left behind", filepath.Base(path))
			}
			continue
		}
		copied++
	}
	sum := 0
	for writer, found := range cells {
		t.Logf("%s: %v", writer, found)
		sum += found["equal"]
	}
	if t.Logf("%d files, %d columns equal", len(paths), sum); len(paths) != 180 || sum < 2080 {
		t.Errorf("%d files and %d equal columns are too few", len(paths), sum)
	}
	if got := tools.Python(t, []string{"pyarrow"}, script, "compare", files, copies); strings.TrimSpace(got) != fmt.Sprint("compared ", copied) || copied < 60 {
		t.Error(got)
	}
}

// refusedAs returns the reason for which a file was rejected, or "" if the reason does not apply to
// the file.
func refusedAs(err error, path string) string {
	switch {
	case strings.Contains(err.Error(), errLZ4.Error()) && strings.Contains(path, "-lz4-"):
		return "refused: LZ4"
	case strings.Contains(err.Error(), errDelta.Error()) && strings.Contains(path, "duckdb-") && strings.Contains(path, "-v2-"):
		return "refused: DELTA_BINARY_PACKED"
	case strings.Contains(err.Error(), errBool.Error()) && strings.Contains(path, "pyarrow-") && (strings.Contains(path, "-v2-") || strings.Contains(path, "-delta-")):
		return "refused: RLE"
	}
	return ""
}

// columnIs reads a column as ids and compares the checksum of the values with sum.
func columnIs(t *testing.T, path, name string, values int, sum string) string {
	t.Helper()
	bad := 0
	r, err := documents.Open(t.Context(), path, documents.Options{Text: "row", ID: name, OnError: func(error) { bad++ }})
	if err != nil {
		t.Errorf("%s: %s: %v", filepath.Base(path), name, err)
		return "failed"
	}
	defer r.Close()
	h, n := sha256.New(), 0
	var d documents.Document
	for err = r.Read(&d); err == nil; err = r.Read(&d) {
		if d.MadeUp { // the value is null or empty
			continue
		}
		fmt.Fprintf(h, "%s\x00", d.ID)
		n++
	}
	switch {
	case refusedAs(err, path) != "":
		return refusedAs(err, path)
	case err != io.EOF:
		t.Errorf("%s: %s: %v", filepath.Base(path), name, err)
		return "failed"
	case n != values || fmt.Sprintf("%x", h.Sum(nil)) != sum:
		t.Errorf("%s: %s: other values than were written: %d, and %d rows with errors; %d were written", filepath.Base(path), name, n, bad, values)
		return "different"
	}
	return "equal"
}
