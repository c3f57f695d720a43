package documents

import (
	"archive/tar"
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzFiles reads any bytes as a file and as a tar archive. It checks that nothing panics, that
// texts are UTF-8 within the size limit, and that errors name the file.
func FuzzFiles(f *testing.F) {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, name := range []string{"a.txt", "./b/c.txt", "d.gz"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(name)), Typeflag: tar.TypeReg}); err != nil {
			f.Fatal(err)
		}
		if _, err := io.WriteString(w, name); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	for _, data := range [][]byte{archive.Bytes(), archive.Bytes()[:600], []byte("\ufefftext"), []byte("\xff"), {}} {
		f.Add(data, true)
		f.Add(data, false)
	}
	const longest = 1 << 12
	f.Fuzz(func(t *testing.T, data []byte, archive bool) {
		options := Options{Format: "files", MaxLine: longest}
		if archive {
			options.Format = "tar"
		}
		r, err := NewReader(t.Context(), bytes.NewReader(data), "x", options)
		if err == nil {
			defer r.Close()
		}
		var d Document
		for err == nil {
			if err = r.Read(&d); err == nil && (!utf8.Valid(d.Text) || len(d.Text) > longest) {
				t.Fatalf("%s: a text of %d bytes, valid %t", options.Format, len(d.Text), utf8.Valid(d.Text))
			}
		}
		if err != io.EOF && !strings.Contains(err.Error(), "x:") {
			t.Errorf("%s: error %v, expected the name of the file", options.Format, err)
		}
	})
}
