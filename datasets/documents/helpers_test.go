package documents

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// write creates a file in a temporary folder and returns its path.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.FromSlash(name))
	writeTo(t, path, text)
	return path
}

func writeTo(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func zstded(t testing.TB, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return string(w.EncodeAll([]byte(text), nil))
}

// read returns the documents of a reader as lines of line:id=text, and the final error.
func read(r Reader) (string, error) {
	var all strings.Builder
	var d Document
	for {
		if err := r.Read(&d); err != nil {
			return all.String(), err
		}
		fmt.Fprintf(&all, "%d:%s=%s\n", d.Line, d.ID, d.Text)
	}
}

// readText reads text like a file with a name, and returns its documents and the final error.
func readText(t testing.TB, name, text string, options Options) (string, error) {
	t.Helper()
	r, err := NewReader(t.Context(), strings.NewReader(text), name, options)
	if err != nil {
		return "", err
	}
	defer r.Close()
	return read(r)
}

// wantDocuments checks the documents read from a text.
func wantDocuments(t testing.TB, name, text string, options Options, want string) {
	t.Helper()
	if got, err := readText(t, name, text, options); err != io.EOF || got != want {
		t.Errorf("%s %.60q:\nread %q\nexpected %q, %v", name, text, got, want, err)
	}
}

// wantFailure checks the error of reading a text.
func wantFailure(t testing.TB, name, text string, options Options, want string) {
	t.Helper()
	got, err := readText(t, name, text, options)
	if err == nil || err == io.EOF || err.Error() != want {
		t.Errorf("%s %.60q: read %.100q\nerror    %v\nexpected %s", name, text, got, err, want)
	}
}
