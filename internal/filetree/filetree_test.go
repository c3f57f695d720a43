package filetree

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

func TestMarked(t *testing.T) {
	for path, want := range map[string]bool{"a.b/c_d": false, ".git/x": true, "a/_SUCCESS": true, "a/.x": true, "./a/../b": false, "": false} {
		if got := Marked(path); got != want {
			t.Errorf("%q: %t", path, got)
		}
	}
}

func TestFiles(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"b/c.txt", "a.txt", "b/.hidden"} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Files(t.Context(), root, nil)
	if slices.Sort(got); err != nil || !slices.Equal(got, []string{"a.txt", "b/.hidden", "b/c.txt"}) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Files(t.Context(), filepath.Join(root, "none"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
}

// Links to files outside of the folder are followed; files below the folder are listed once.
func TestLinksToFiles(t *testing.T) {
	root, store := filepath.Join(t.TempDir(), "root"), t.TempDir()
	for _, path := range []string{filepath.Join(root, "a.txt"), filepath.Join(store, "blob")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Dir(root))
	for link, to := range map[string]string{
		"data.txt": filepath.Join(store, "blob"), "again.txt": "data.txt", // through another link
		"copy.txt": "a.txt", "absolute.txt": filepath.Join(root, "a.txt"), "folder": store, "itself": root, "nowhere": "none",
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	want := []string{"a.txt", "again.txt", "data.txt"}
	if got, err := Files(t.Context(), "root", nil); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, expected %q", got, err, want)
	}
}

// Every truncation of an archive is an error, even between two files.
func TestTarIsWholeOrAnError(t *testing.T) {
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, name := range []string{"./a", "/b"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Size: 3, Mode: 0o666}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, "abc"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	names := func(archive []byte) ([]string, error) {
		var names []string
		for r := NewTar(bytes.NewReader(archive)); ; {
			name, err := r.Next()
			if err != nil {
				return names, err
			}
			names = append(names, name)
		}
	}
	if got, err := names(buf.Bytes()); err != io.EOF || !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q, %v", got, err)
	}
	for cut := 0; cut < 4*512; cut += 256 {
		if got, err := names(buf.Bytes()[:cut]); err == io.EOF {
			t.Errorf("cut to %d bytes: %q without an error", cut, got)
		}
	}
}

// Paths agrees with the functions Real and Key, and Within with two calls of Real: for files,
// folders and missing paths, through links to files, folders and missing targets, both uncached and
// cached.
func TestPaths(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	if err := os.MkdirAll("a/b", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("a/b/file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"folder": "a", "a/up": "..", "a/b/link": "file", "a/nowhere": "none/x", "loop": "loop", "far": filepath.Join(root, "a", "b"),
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	paths := []string{
		"", ".", "..", "/", "a", "a/", "a/b/file", "a/b/link", "a/../a/b", "folder", "folder/b/file", "folder/up/far/link",
		"far", "far/file", "far/new", "a/nowhere", "a/nowhere/y", "loop", "loop/x", "none", "none/at/all", filepath.Join(root, "folder", "b"),
	}
	var p Paths
	for range 2 {
		for _, path := range paths {
			if got, want := p.Real(path), Real(path); got != want {
				t.Errorf("%q: %s, expected %s", path, got, want)
			}
			if got, want := p.Key(path), new(Paths).Key(path); got != want || !strings.EqualFold(got, Real(path)) {
				t.Errorf("key of %q: %s, expected %s", path, got, want)
			}
			for _, folder := range paths {
				relative, err := filepath.Rel(Real(folder), Real(path))
				if got, want := p.Within(folder, path), err == nil && filepath.IsLocal(relative); got != want {
					t.Errorf("%q within %q: %t, expected %t", path, folder, got, want)
				}
			}
		}
	}
	if len(p.folders) > len(paths) {
		t.Errorf("%d folders cached for %d paths", len(p.folders), len(paths))
	}
}
