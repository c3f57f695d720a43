package columnar

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"simhashkit/datasets/documents"
)

// texts and ids are the values that testdata/make.py writes.
var (
	texts = []string{"plain words", "", "two\nlines \U0001f600", "plain words", "美国 51区\x00"}
	ids   = []string{"18446744073709551615", "0", "7", "9223372036854775808", "42"}
)

// read returns the documents as lines of row:id=text, and the final error.
func read(t testing.TB, path string, options documents.Options) (string, error) {
	t.Helper()
	r, err := documents.Open(t.Context(), path, options)
	if err != nil {
		return "", err
	}
	defer r.Close()
	var all strings.Builder
	var d documents.Document
	for {
		if err := r.Read(&d); err != nil {
			return all.String(), err
		}
		if d.File != path || d.Record != nil {
			t.Fatalf("%+v", d)
		}
		fmt.Fprintf(&all, "%d:%s=%s\n", d.Line, d.ID, d.Text)
	}
}

func joined(ids []string) string {
	var all strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&all, "%d:%s=%s\n", i+1, ids[i], text)
	}
	return all.String()
}

func wantDocuments(t *testing.T, path string, options documents.Options, want string) {
	t.Helper()
	if got, err := read(t, path, options); err != io.EOF || got != want {
		t.Errorf("%s:\nread %q\nexpected %q, %v", path, got, want, err)
	}
}

func wantFailure(t *testing.T, path string, options documents.Options, want string) {
	t.Helper()
	got, err := read(t, path, options)
	if err == nil || err == io.EOF || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%s: read %q\nerror    %v\nexpected %s", path, got, err, want)
	}
}

func write(t testing.TB, name string, contents []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, contents, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

type row struct {
	ID   int64  `parquet:"id"`
	Text string `parquet:"text"`
}

// parquetOf returns a file with texts, in row groups of group rows.
func parquetOf(t testing.TB, group int64, texts ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := parquet.NewGenericWriter[row](&buf, parquet.MaxRowsPerRowGroup(group))
	for i, text := range texts {
		if _, err := w.Write([]row{{int64(i), text}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}
