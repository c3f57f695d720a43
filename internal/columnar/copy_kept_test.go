package columnar

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"simhashkit/datasets/documents"
	"simhashkit/internal/testing/tools"
)

func odd(record int) bool { return record%2 == 1 }

// pyarrow, pandas and DuckDB must find the kept rows with all columns, and the schema and its
// metadata.
func TestPythonReadsWhatIsCopied(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.parquet")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, path := range paths {
		options := documents.Options{ID: "id", OnError: func(error) {}}
		if strings.Contains(path, "not_utf8") {
			options.ID = ""
		}
		if err := documents.CopyKept(t.Context(), path, filepath.Join(folder, filepath.Base(path)), options, odd); err != nil {
			t.Fatal(err)
		}
	}
	got := tools.Python(t, []string{"pyarrow", "pandas", "duckdb"}, filepath.Join("testdata", "kept.py"), "testdata", folder)
	if strings.TrimSpace(got) != "compared" {
		t.Error(got)
	}
}

// Without Python: the library must find the kept rows, the schema and the key-value metadata.
func TestCopyKept(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.parquet")
	for _, name := range []string{"pyarrow_zstd_groups.parquet", "pyarrow_dictionary_type.parquet", "duckdb.parquet"} {
		in := filepath.Join("testdata", name)
		if err := documents.CopyKept(t.Context(), in, out, documents.Options{ID: "id"}, odd); err != nil {
			t.Fatal(err)
		}
		before, after := rowsOf(t, in), rowsOf(t, out)
		if fmt.Sprintf("%+v", after) != fmt.Sprintf("%+v", [][]parquet.Value{before[1], before[3]}) {
			t.Errorf("%s: %+v\nof %+v", name, after, before)
		}
		a, err := openFile(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		defer a.close()
		b, err := openFile(t.Context(), out)
		if err != nil {
			t.Fatal(err)
		}
		defer b.close()
		if a.Schema().String() != b.Schema().String() || fmt.Sprint(a.Metadata().KeyValueMetadata) != fmt.Sprint(b.Metadata().KeyValueMetadata) {
			t.Errorf("%s:\n%s\n%v\nexpected\n%s\n%v", name, b.Schema(), b.Metadata().KeyValueMetadata, a.Schema(), a.Metadata().KeyValueMetadata)
		}
	}
}

// Records are numbered as Read numbers them: rows that are not documents have no number and are not
// copied.
func TestCopyKeptLeavesOutWhatReadDoes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.parquet")
	for _, name := range []string{"pyarrow_not_utf8.parquet"} {
		in := filepath.Join("testdata", name)
		left := 0
		options := documents.Options{OnError: func(error) { left++ }}
		r, err := documents.Open(t.Context(), in, options)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var lines []int
		var d documents.Document
		for err = r.Read(&d); err == nil; err = r.Read(&d) {
			lines = append(lines, d.Line)
		}
		if err != io.EOF || left == 0 {
			t.Fatalf("%s: %d left out, %v", name, left, err)
		}
		before, leftByRead := rowsOf(t, in), left
		for record := range lines {
			left = 0
			if err := documents.CopyKept(t.Context(), in, out, options, func(r int) bool { return r == record }); err != nil {
				t.Fatal(err)
			}
			want := [][]parquet.Value{before[lines[record]-1]}
			if after := rowsOf(t, out); fmt.Sprintf("%+v", after) != fmt.Sprintf("%+v", want) || left != leftByRead {
				t.Errorf("%s, record %d: %+v, %d left out; expected %+v, %d", name, record, after, left, want, leftByRead)
			}
		}
	}
}

func rowsOf(t *testing.T, path string) (all [][]parquet.Value) {
	t.Helper()
	f, err := openFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	for _, group := range f.RowGroups() {
		rows := group.Rows()
		batch := make([]parquet.Row, 100)
		for {
			n, err := rows.ReadRows(batch)
			for _, row := range batch[:n] {
				all = append(all, row.Clone())
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// Written row groups are bounded in size, but larger than the small row groups of the input.
func TestRowGroupsAreBounded(t *testing.T) {
	in := write(t, "x.parquet", parquetOf(t, 10, strings.Fields(strings.Repeat("123456 ", 1000))...))
	f, err := openFile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReader(t.Context(), f, documents.Options{MaxLine: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	// A row counts as 8 + 6 bytes of text and 8 of id; rows come in batches of 10, as in the file.
	k := &keeper{reader: r, keep: func(int) bool { return true }, full: 22 * 400}
	if err := k.copy(&out); err != nil {
		t.Fatal(err)
	}
	copied, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var rows []int64
	for _, group := range copied.RowGroups() {
		rows = append(rows, group.NumRows())
	}
	if !slices.Equal(rows, []int64{400, 400, 200}) {
		t.Errorf("row groups of %d rows", rows)
	}
}

// A failed copy leaves no file behind.
func TestCopyKeptFails(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.parquet")
	stop := errors.New("stop")
	for name, copy := range map[string]func() error{
		"invalid UTF-8": func() error {
			return documents.CopyKept(t.Context(), "testdata/pyarrow_not_utf8.parquet", out, documents.Options{}, odd)
		},
		"a context that ends": func() error {
			ctx, cancel := context.WithCancelCause(t.Context())
			err := documents.CopyKept(ctx, "testdata/pyarrow_snappy.parquet", out, documents.Options{}, func(int) bool { cancel(stop); return true })
			if !errors.Is(err, stop) {
				t.Error(err)
			}
			return err
		},
		"a missing column": func() error {
			return documents.CopyKept(t.Context(), "testdata/pyarrow_snappy.parquet", out, documents.Options{Text: "body"}, odd)
		},
		"a name ending in .gz": func() error {
			return documents.CopyKept(t.Context(), "testdata/pyarrow_snappy.parquet", out+".gz", documents.Options{}, odd)
		},
	} {
		if err := copy(); err == nil || !strings.HasPrefix(err.Error(), "columnar: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if files, err := os.ReadDir(filepath.Dir(out)); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
}
