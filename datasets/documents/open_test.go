package documents

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Files of different formats are read in order, with consecutive record numbers.
func TestOpenAll(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	writeTo(t, path("a.jsonl"), "{\"text\":\"one\"}\n{\"text\":\"two\"}\n")
	writeTo(t, path("b.csv"), "")
	writeTo(t, path("c.csv"), "text,more\nthree,x\nfour,y\n")
	r, err := OpenAll(t.Context(), []string{path("a.jsonl"), path("b.csv"), path("c.csv")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var d Document
	for i, want := range []struct{ text, file string }{{"one", "a.jsonl"}, {"two", "a.jsonl"}, {"three", "c.csv"}, {"four", "c.csv"}} {
		if err := r.Read(&d); err != nil || string(d.Text) != want.text || d.Number != i+1 || d.File != path(want.file) {
			t.Errorf("document %d: %q of %s, number %d, %v", i+1, d.Text, d.File, d.Number, err)
		}
	}
	for range 2 {
		if err := r.Read(&d); err != io.EOF {
			t.Errorf("at the end: %v", err)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// An error names its file and is returned by every later Read.
func TestOpenAllFailure(t *testing.T) {
	folder := t.TempDir()
	good, bad, missing := filepath.Join(folder, "a.jsonl"), filepath.Join(folder, "b.jsonl"), filepath.Join(folder, "c.jsonl")
	other := filepath.Join(folder, "d.txt")
	writeTo(t, good, "{\"text\":\"one\"}\n")
	writeTo(t, bad, "{\"text\":1}\n")
	writeTo(t, other, "one document a line\n")
	for path, want := range map[string]func(error) bool{
		other: func(err error) bool {
			return strings.Contains(err.Error(), `expected the field "text", got lines`)
		},
		bad:     func(err error) bool { var record RecordError; return errors.As(err, &record) },
		missing: func(err error) bool { return errors.Is(err, fs.ErrNotExist) },
	} {
		r, err := OpenAll(t.Context(), []string{good, path, good}, Options{Text: "text"})
		if err != nil {
			t.Fatal(err)
		}
		var d Document
		if err := r.Read(&d); err != nil {
			t.Error(err)
		}
		first := r.Read(&d)
		if second := r.Read(&d); first == nil || !want(first) || second != first {
			t.Errorf("%s: %v, then %v", path, first, second)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := OpenAll(t.Context(), nil, Options{Format: "words"}); err == nil {
		t.Error("an unknown format was accepted")
	}
}
