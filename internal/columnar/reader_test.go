package columnar

import (
	"bytes"
	"context"
	"encoding/binary"
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
	"simhashkit/internal/docformat"
	"simhashkit/internal/testing/tools"
)

// Files from other writers, stored in testdata, are read exactly.
func TestFilesOfOthers(t *testing.T) {
	checkFiles(t, "testdata")
}

// Files from the installed versions of these writers are read exactly.
func TestFilesOfOthersMadeAnew(t *testing.T) {
	folder := t.TempDir()
	tools.Python(t, []string{"pyarrow", "pandas", "duckdb"}, filepath.Join("testdata", "make.py"), folder)
	checkFiles(t, folder)
}

func checkFiles(t *testing.T, folder string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.parquet"))
	if err != nil || len(paths) < 15 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	otherIDs := map[string][]string{
		"pyarrow_int64.parquet":     {"-1", "2", "-9223372036854775808", "4", "9223372036854775807"},
		"pyarrow_uint8.parquet":     {"255", "0", "1", "2", "3"},
		"pyarrow_string_id.parquet": {"a", "#2", "b c", "é", "5"},
	}
	for _, path := range paths {
		name := filepath.Base(path)
		want := ids
		if other := otherIDs[name]; other != nil {
			want = other
		}
		switch {
		case name == "pyarrow_empty.parquet":
			wantDocuments(t, path, documents.Options{ID: "id"}, "")
		case name == "pyarrow_nulls.parquet" || name == "pyarrow_not_utf8.parquet": // see TestBadRows
		default:
			wantDocuments(t, path, documents.Options{ID: "id"}, joined(want))
			if name != "pandas.parquet" {
				wantDocuments(t, path, documents.Options{Format: "parquet", Text: "text", ID: "meta.id"},
					joined([]string{"m0", "m1", "m2", "m3", "m4"}))
			}
		}
	}
}

// A null is an empty text, or an id that is made up. Invalid UTF-8 is an error with its row.
func TestBadRows(t *testing.T) {
	nulls, bytes := "testdata/pyarrow_nulls.parquet", "testdata/pyarrow_not_utf8.parquet"
	wantDocuments(t, nulls, documents.Options{}, "1:=a\n2:=\n3:=c\n")
	wantDocuments(t, nulls, documents.Options{ID: "id"}, "1:1=a\n2:2=\n3:#3=c\n")
	wantFailure(t, nulls, documents.Options{Charset: "latin1"}, `documents: testdata/pyarrow_nulls.parquet: --charset cannot be combined with parquet, whose texts are UTF-8`)
	wantFailure(t, bytes, documents.Options{}, `columnar: testdata/pyarrow_not_utf8.parquet: row 2: expected UTF-8 text in the column "text", got "\xff"`)
	wantFailure(t, "testdata/pyarrow_snappy.parquet", documents.Options{MaxLine: 12},
		`columnar: testdata/pyarrow_snappy.parquet: row 3: expected at most 12 bytes in the column "text", got 14`)
}

func TestColumnsThatWillNotDo(t *testing.T) {
	path := "testdata/pyarrow_snappy.parquet"
	for options, want := range map[[2]string]string{
		{"body", ""}:                   `expected a column "body", got other[], text, id, meta.id, meta.n`,
		{"text", "nr"}:                 `expected a column "nr", got other`,
		{"meta", ""}:                   `expected a column "meta", got other`,
		{"id", ""}:                     `expected strings in the column "id", got INT(64,false)`,
		{"text", "other.list.element"}: `expected one value in each row of the column "other.list.element", got lists`,
	} {
		wantFailure(t, path, documents.Options{Text: options[0], ID: options[1]}, "columnar: "+path+": "+want)
	}
}

// The error for a file that is not a complete Parquet file says what it is.
func TestNoParquet(t *testing.T) {
	whole, err := os.ReadFile("testdata/pyarrow_snappy.parquet")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for contents, want := range map[string]string{
		"":                                     "expected a Parquet file, got an empty one",
		"{\"text\":1}\n":                       "expected a Parquet file; it looks like JSON",
		"words":                                `expected a Parquet file, got one that begins with "words"`,
		"PAR1":                                 "truncated Parquet file: 4 bytes",
		"PAR1\xff\xff\xff\x7fPAR1":             "truncated Parquet file: it has no footer",
		string(whole[:len(whole)-1]):           "truncated Parquet file: it has no footer",
		"PAR1\x01\x02\x03\x03\x00\x00\x00PAR1": "damaged Parquet file: ",
	} {
		path := filepath.Join(folder, "x.parquet")
		if err := os.WriteFile(path, []byte(contents), 0o666); err != nil {
			t.Fatal(err)
		}
		wantFailure(t, path, documents.Options{}, "columnar: "+path+": "+want)
	}
	path := write(t, "x", whole)
	wantDocuments(t, path, documents.Options{}, joined(make([]string, 5))) // by its first bytes
	wantFailure(t, path, documents.Options{Format: "jsonl"}, "documents: "+path+": expected JSON lines; it looks like a Parquet file")
	if !slices.Contains(docformat.Names(), "parquet") {
		t.Error("the format is not listed")
	}
	for format, want := range map[string]string{
		"":        "expected documents; it looks like a Parquet file, which can be read from a file on disk that is not packed",
		"parquet": "expected an uncompressed file on disk, because parquet cannot be read from a stream",
		"csv":     "expected comma-separated values; it looks like a Parquet file",
	} {
		r, err := documents.NewReader(t.Context(), strings.NewReader(string(whole)), "standard input", documents.Options{Format: format})
		if err == nil || err.Error() != "documents: standard input: "+want {
			t.Errorf("%v, %v", r, err)
		}
	}
}

// If any byte of a file changes, reading returns an error or the same number of rows, without a
// panic. Copying such a file must also return.
func TestDamagedFiles(t *testing.T) {
	panics := 0
	for _, name := range []string{"pyarrow_snappy.parquet", "pyarrow_gzip_plain.parquet", "pyarrow_large_string.parquet", "duckdb.parquet"} {
		whole, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			damaged := slices.Clone(whole)
			damaged[i] ^= 1 << (i % 8)
			// Some rows may be skipped with an error of their own.
			bad := 0
			n, err := readBytes(t, damaged, func(error) { bad++ })
			if err == io.EOF && n+bad < len(texts) {
				t.Errorf("%s, byte %d: %d rows without an error", name, i, n+bad)
			}
			if err != io.EOF && !strings.HasPrefix(err.Error(), "columnar: x: ") {
				t.Errorf("%s, byte %d: an error without the file: %v", name, i, err)
			}
			if errors.Is(err, errPanic) {
				panics++
			}
			if err != io.EOF && strings.Contains(err.Error(), "runtime error") {
				t.Errorf("%s, byte %d: a panic: %v", name, i, err)
			}
			if i%11 == 0 { // since creating a writer is slow
				_ = copyBytes(damaged)
			}
		}
	}
	if panics == 0 {
		t.Error("the library never panics: delete the conversion of its panics")
	}
}

// A damaged dictionary is an error if its page has a checksum.
func TestChecksumOfDictionary(t *testing.T) {
	type row struct {
		ID   int64  `parquet:"id"`
		Text string `parquet:"text,dict"`
	}
	var buf bytes.Buffer
	w := parquet.NewGenericWriter[row](&buf, parquet.Compression(&parquet.Uncompressed))
	if _, err := w.Write([]row{{1, "the first"}, {2, "the second"}, {3, "the first"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := buf.Bytes()
	if n, err := readBytes(t, data, nil); n != 3 || err != io.EOF {
		t.Fatalf("%d documents, %v", n, err)
	}
	data[bytes.Index(data, []byte("the second"))] = 'T'
	const want = `columnar: x: damaged Parquet file: after row 0: the column "text": the checksum of its dictionary is wrong`
	if n, err := readBytes(t, data, nil); n != 0 || err.Error() != want {
		t.Errorf("%d documents, %v, want %s", n, err, want)
	}
	if err := copyBytes(data); err == nil {
		t.Error("a copy without an error")
	}
}

// If any bit of a schema changes, opening returns an error or the columns can be looked up without
// a panic.
func TestDamagedSchema(t *testing.T) {
	for _, name := range []string{"pyarrow_snappy.parquet", "duckdb.parquet"} {
		whole, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		end := len(whole) - footerSize
		for bit := 8 * (end - int(binary.LittleEndian.Uint32(whole[end:]))); bit < 8*end; bit++ {
			damaged := slices.Clone(whole)
			damaged[bit/8] ^= 1 << (bit % 8)
			f, err := newFile(t.Context(), bytes.NewReader(damaged), int64(len(damaged)), "x")
			if err != nil {
				continue
			}
			for _, path := range f.Schema().Columns() {
				column := strings.Join(path, ".")
				if _, err := newReader(t.Context(), f, documents.Options{Text: column, ID: column, Value: column}); err != nil && !strings.HasPrefix(err.Error(), "columnar: x: ") {
					t.Errorf("%s, bit %d, column %s: %v", name, bit, column, err)
				}
			}
		}
	}
}

// Reading returns the context's cause, even within a row group.
func TestContextEnds(t *testing.T) {
	path := write(t, "x.parquet", parquetOf(t, 1000, texts...))
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := documents.Open(ctx, path, documents.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var d documents.Document
	if err := r.Read(&d); err != nil {
		t.Fatal(err)
	}
	cancel(stop)
	for range 2 {
		if err := r.Read(&d); !errors.Is(err, stop) {
			t.Error(err)
		}
	}
	if _, err := documents.Open(ctx, path, documents.Options{}); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// Row numbers continue across row groups and pages. Ids stay with their texts if the pages of the
// two columns end at different rows.
func TestManyRowGroups(t *testing.T) {
	var many []string
	var want strings.Builder
	for i := range 5000 {
		text := strings.Repeat("text ", i%50) + fmt.Sprint(i)
		many = append(many, text)
		fmt.Fprintf(&want, "%d:%d=%s\n", i+1, i, text)
	}
	wantDocuments(t, write(t, "x.parquet", parquetOf(t, 1777, many...)), documents.Options{ID: "id"}, want.String())
}

// Records are numbered by their rows. Numeric ids are marked as such.
func TestNumbersOfRecords(t *testing.T) {
	for name, numeric := range map[string]bool{"pyarrow_int64": true, "pyarrow_uint8": true, "pyarrow_string_id": false} {
		r, err := documents.Open(t.Context(), filepath.Join("testdata", name+".parquet"), documents.Options{ID: "id"})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var d documents.Document
		for row := range 5 {
			if err := r.Read(&d); err != nil || d.Number != row+1 || d.NumericID != numeric {
				t.Errorf("%s: record %d has the number %d, numeric id %v, error %v; want %v", name, row+1, d.Number, d.NumericID, err, numeric)
			}
		}
	}
}
