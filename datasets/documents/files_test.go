package documents

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func tarOf(t testing.TB, files ...string) string {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for i := 0; i < len(files); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: files[i], Size: int64(len(files[i+1])), Mode: 0o666}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestWholeFiles(t *testing.T) {
	wantDocuments(t, "x", "\ufeffa\r\nb\n", Options{Format: "files"}, "1:x=a\r\nb\n\n")
	wantDocuments(t, "x", "", Options{Format: "files"}, "1:x=\n")
	wantFailure(t, "x", "a\nbc\xff\n", Options{Format: "files"}, `x:2:3: expected UTF-8 text (--charset latin1 reads other encodings), got "\xff\n"`)
	wantFailure(t, "x", "abc", Options{Format: "files", MaxLine: 2}, `x:1:1: expected a file of at most 2 bytes, got "abc"`)
	wantFailure(t, "x", "abc", Options{Format: "files", ID: "id"}, `documents: x: expected the field "id", got a text; name no field, or give files of one kind`)
}

func TestTar(t *testing.T) {
	archive := tarOf(t, "./b.txt", "of b", "a/c.gz", gzipped(t, "of c"), "empty", "")
	want := "1:b.txt=of b\n1:a/c.gz=of c\n1:empty=\n"
	wantDocuments(t, "x", archive, Options{}, want)
	wantDocuments(t, "x", zstded(t, archive), Options{Format: "tar"}, want)
	wantFailure(t, "x", tarOf(t, "a", "b\xff"), Options{}, `x:a:1:2: expected UTF-8 text (--charset latin1 reads other encodings), got "\xff"`)
	wantFailure(t, "x", "no archive", Options{Format: "tar"}, "documents: x: damaged tar archive: unexpected EOF")
	wantFailure(t, "x", archive[:1024], Options{}, "documents: x: damaged tar archive: unexpected EOF")
	left := 0
	options := Options{OnError: func(error) { left++ }, MaxLine: 5}
	wantDocuments(t, "x", tarOf(t, "a", "b\xff", "b", "longer", "c", "good"), options, "1:c=good\n")
	if left != 2 {
		t.Errorf("%d errors, expected 2", left)
	}
}

func TestFolder(t *testing.T) {
	root := t.TempDir()
	writeTo(t, filepath.Join(root, "b.txt"), "of b")
	writeTo(t, filepath.Join(root, "a", "c.txt.zst"), zstded(t, "of c"))
	writeTo(t, filepath.Join(root, "a.txt"), "of a")
	writeTo(t, filepath.Join(root, "a", "picture"), "\x89PNG\xff")
	elsewhere := write(t, "blob", "of d")
	if err := os.Symlink(elsewhere, filepath.Join(root, "d.txt")); err != nil {
		t.Skip(err)
	}
	var errs []string
	r, err := Open(t.Context(), root, Options{OnError: func(err error) { errs = append(errs, err.Error()) }})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, err := read(r); err != io.EOF || got != "1:a.txt=of a\n1:a/c.txt.zst=of c\n1:b.txt=of b\n1:d.txt=of d\n" {
		t.Errorf("%q, %v", got, err)
	}
	if want := filepath.Join(root, "a", "picture") + `:1:1: expected UTF-8 text (--charset latin1 reads other encodings), got "\x89PNG\xff"`; len(errs) != 1 || errs[0] != want {
		t.Errorf("errors %q, expected %q", errs, want)
	}
	if _, err := Open(t.Context(), root, Options{Format: "csv"}); err == nil || !strings.HasSuffix(err.Error(), "expected a file of the format csv, got a folder") {
		t.Errorf("a folder as CSV: %v", err)
	}
}

// If a file has another format than requested, the error names the format that it looks like.
func TestOtherFormats(t *testing.T) {
	for text, want := range map[string]string{
		"PAR1\x15":                     "documents: x: expected JSON lines; it looks like a Parquet file",
		"PK\x03\x04":                   "documents: x: expected JSON lines; it looks like a zip archive",
		tarOf(t, "a", "b"):             "documents: x: expected JSON lines; it looks like a tar archive, whose files the format tar reads",
		"\xfe\xff\x00{":                "documents: x: expected JSON lines; it looks like UTF-16 text, which --charset utf-16 reads",
		gzipped(t, "\xfd7zXZ\x00\x00"): "documents: x: expected JSON lines; it looks like a file packed with xz",
		"<html>\n":                     `x:1:1: expected one JSON object per line, got "<html>"; it looks like HTML or XML`,
		"{\"text\":\"a\"}\n<html>\n":   `x:2:1: expected one JSON object per line, got "<html>"`,
	} {
		wantFailure(t, "x", text, Options{Format: "jsonl"}, want)
	}
	if _, err := NewReader(t.Context(), strings.NewReader(""), "x", Options{Format: "word"}); err == nil ||
		err.Error() != `documents: unknown format of documents "word"; expected auto, lines, jsonl, csv, tsv, files, tar, parquet` {
		t.Error(err)
	}
	if _, err := NewReader(t.Context(), strings.NewReader(""), "x", Options{MaxLine: -1}); err == nil {
		t.Error("a negative limit was accepted")
	}
}

func TestOpen(t *testing.T) {
	path := write(t, "x.jsonl.gz", gzipped(t, "{\"text\":\"a\"}\n"))
	r, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var d Document
	if err := r.Read(&d); err != nil || d.File != path || string(d.Text) != "a" || string(d.Record) != "{\"text\":\"a\"}\n" {
		t.Errorf("%+v, %v", d, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Open(t.Context(), path+"x", Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestExpand(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{
		"a/1.txt", "a/2.json", "a/b/3.txt", "a/_SUCCESS", "a/.2.crc", "a/_tmp/4.txt", ".git/5.txt", "6.txt", "[7].txt",
	} {
		writeTo(t, filepath.FromSlash(name), "x")
	}
	elsewhere := write(t, "blob", "x")
	for link, to := range map[string]string{"link.txt": "6.txt", "linked/blob.txt": elsewhere} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o777), os.Symlink(to, link)); err != nil {
			t.Skip(err)
		}
	}
	for patterns, want := range map[string]string{
		"a":                      "a/1.txt a/2.json a/b/3.txt",
		"a/":                     "a/1.txt a/2.json a/b/3.txt",
		"a/b a":                  "a/b/3.txt a/1.txt a/2.json",
		"a/2.json a/1.txt":       "a/2.json a/1.txt",
		"a/*":                    "a/1.txt a/2.json a/b/3.txt",
		"a/*.txt":                "a/1.txt",
		"a/**/*.txt":             "a/1.txt a/b/3.txt",
		"**/*.txt":               "6.txt [7].txt a/1.txt a/b/3.txt linked/blob.txt",
		"a/**":                   "a/1.txt a/2.json a/b/3.txt",
		"*/1.txt":                "a/1.txt",
		"a/_*":                   "a/_SUCCESS a/_tmp/4.txt",
		"a/_tmp/4.txt":           "a/_tmp/4.txt",
		"a/_tmp":                 "a/_tmp/4.txt",
		"[7].txt":                "[7].txt",
		"6.txt ./6.txt link.txt": "6.txt",
		"link.txt":               "link.txt",
		"linked":                 "linked/blob.txt",
		"- 6.txt":                "- 6.txt",
		"a/1.txt 6.txt a/*.txt":  "a/1.txt 6.txt",
	} {
		got, err := Expand(strings.Fields(patterns))
		for i := range got {
			got[i] = filepath.ToSlash(got[i])
		}
		if err != nil || !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q, %v, expected %s", patterns, got, err, want)
		}
	}
	for pattern, want := range map[string]string{
		"none":    "no such file",
		"*.pdf":   "documents: *.pdf: no files match",
		"n/**/*":  "documents: n/**/*: no files match",
		"[a":      "syntax error in pattern",
		"a/1.txt": "",
	} {
		if _, err := Expand([]string{pattern}); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", pattern, err, want)
		}
	}
}
