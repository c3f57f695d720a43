//go:build unix

package indexfile

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"simhashkit/internal/disk"
)

// linked makes a file, and a link to it of every name that a writer might take for its own.
func linked(t *testing.T, path string) (target string) {
	t.Helper()
	target = filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(target, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path + unfinished, path + ".new", path + ".tmp", filepath.Join(filepath.Dir(path), ".a.index.01234567"+unfinished)} {
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	return target
}

// Who puts links where a file is to be written has nothing written through them.
func TestLinksAreNotWrittenThrough(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	target := linked(t, path)
	w := created(t, path)
	defer w.Close()
	if err := w.Compact(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v: expected a file", info, err)
	}
}

// created returns the writer of a new file with a few entries.
func created(t *testing.T, path string) *Writer {
	t.Helper()
	if err := Create(path, random0(), Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// What a writer left that was killed is gone after the next one; what a living one writes stays.
func TestLeftoversOfKilledWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	living, err := createLocked(disk.Real{}, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	killed, err := createLocked(disk.Real{}, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	killed.Close() // and its lock with it, as at a kill
	other := filepath.Join(filepath.Dir(path), ".b.index.01234567"+unfinished)
	if err := os.WriteFile(other, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	w := created(t, path)
	expectLeft(t, path, living.Name())
	living.Close()
	if err := w.Compact(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	expectLeft(t, path)
	if _, err := os.Stat(other); err != nil {
		t.Errorf("that of another file: %v", err)
	}
}

func expectLeft(t *testing.T, path string, want ...string) {
	t.Helper()
	if got, err := disk.ListTemp(path, unfinished); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v: expected %q", got, err, want)
	}
}

// Of two that make the same file one does, and the other one hears of it: nothing is replaced.
func TestTwoCreateOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	d := &trappedDisk{}
	for _, place := range []int{1, 2} { // once to count the calls
		if place == 2 {
			d = &trappedDisk{at: slices.Index(d.names, "place") + 1, spring: func() error { return Create(path, random0(), Options{K: 3}) }}
		}
		err := create(d, path, newEntries(&random0().Set, false, 0), Options{K: 3})
		if (err == nil) != (place == 1) {
			t.Errorf("%d: %v", place, err)
		}
		expectLeft(t, path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// A file that a link leads to is compacted where it is, and keeps its permissions.
func TestCompactionKeepsLinkAndPermissions(t *testing.T) {
	path, link := filepath.Join(t.TempDir(), "a.index"), filepath.Join(t.TempDir(), "link")
	created(t, path).Close()
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(link)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Compact(); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || os.SameFile(before, after) || after.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v: expected another file with the permissions of the first", after, err)
	}
	if to, err := os.Readlink(link); err != nil || to != path {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}
