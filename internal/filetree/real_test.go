package filetree

import (
	"os"
	"path/filepath"
	"testing"
)

// Paths gives what Real, Key and two calls of Real give: for files, folders and what is not there,
// through links of files, folders and nothing, and from the cache as at first.
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
			if got, want := p.Key(path), Key(path); got != want {
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
		t.Errorf("%d folders are held for %d paths", len(p.folders), len(paths))
	}
}
