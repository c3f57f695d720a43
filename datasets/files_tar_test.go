package datasets

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The same files in the same order, whatever they come from.
func TestFolderAndArchivesAgree(t *testing.T) {
	root := writeTree(t)
	archive := tarOf(t, true)
	for _, choice := range []fileChoice{{}, {suffix: ".go"}, {sample: 2}, {sample: 3, suffix: ".go"}} {
		want, err := filesOf[float32](t.Context(), root, choice)
		if err != nil {
			t.Fatal(err)
		}
		for name, packed := range map[string][]byte{"x.tar": archive, "x.tar.gz": gzipped(t, string(archive)), "x.tar.zst": zstded(t, string(archive))} {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, packed, 0o666); err != nil {
				t.Fatal(err)
			}
			got, err := filesOf[float32](t.Context(), path, choice)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %+v: -folder +archive\n%s", name, choice, diff)
			}
		}
	}
}

// tarOf packs the tree in an order of its own, with entries that are no files and, at first, an
// older version of a file.
func tarOf(t *testing.T, trailer bool) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	add := func(name, text string, kind byte) {
		header := &tar.Header{Name: name, Typeflag: kind, Mode: 0o644}
		if kind == tar.TypeReg {
			header.Size = int64(len(text))
		} else {
			header.Linkname = text
		}
		if err := w.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if kind == tar.TypeReg {
			if _, err := io.WriteString(w, text); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("./", "", tar.TypeDir)
	add("b.go", "an older version of b.go", tar.TypeReg)
	add("./link.go", "b.go", tar.TypeSymlink)
	for _, name := range []string{"b.go", "a.txt", "a/z.go", "a-b/c.go", "a/short.go"} {
		add("./"+name, tree[name], tar.TypeReg)
	}
	add("hard.go", "b.go", tar.TypeLink)
	if !trailer {
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	} else if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestDamagedArchives(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.tar")
	read := func(packed []byte) error {
		if err := os.WriteFile(path, packed, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := filesOf[float32](t.Context(), path, fileChoice{})
		if err != nil && !strings.HasPrefix(err.Error(), "datasets: "+path+" is no tar archive or damaged: ") && !strings.HasPrefix(err.Error(), "datasets: "+path+": ") {
			t.Errorf("the error does not name the archive: %v", err)
		}
		return err
	}
	archive := tarOf(t, true)
	for n := 0; n < len(archive)-1024; n += 64 {
		if read(archive[:n]) == nil {
			t.Errorf("cut to %d of %d bytes: no error", n, len(archive))
		}
	}
	if read(tarOf(t, false)) == nil {
		t.Error("no trailer: no error")
	}
	packed := gzipped(t, string(archive))
	packed[len(packed)-6] ^= 1
	if read(packed) == nil {
		t.Error("a wrong checksum: no error")
	}
	if read([]byte(strings.Repeat("this is text ", 100))) == nil {
		t.Error("text: no error")
	}
	packed = tarOf(t, true)
	// the size of the second entry; its header checksum no longer fits either
	copy(packed[512+124:], "77777777777\x00")
	if read(packed) == nil {
		t.Error("a false size: no error")
	}
}
