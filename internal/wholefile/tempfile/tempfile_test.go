package tempfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Somebody who guesses the name puts a link there: it is not followed, and another name is taken.
func TestCreateFollowsNoLink(t *testing.T) {
	folder := t.TempDir()
	target, precious := filepath.Join(folder, "a.txt"), filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(precious, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	tried := 0
	file, name, err := Create(target, ".tmp", nil, func(name string, flag int, mode fs.FileMode) (*os.File, error) {
		if tried++; tried == 1 {
			if err := os.Symlink(precious, name); err != nil {
				t.Skip(err)
			}
		}
		return os.OpenFile(name, flag, mode)
	})
	if err != nil || tried != 2 || filepath.Dir(name) != folder {
		t.Fatalf("%s after %d names, error %v", name, tried, err)
	}
	if _, err := file.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	file.Close()
	if text, err := os.ReadFile(precious); err != nil || string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
	if names, err := List(target, ".tmp"); err != nil || !slices.Equal(names, []string{name}) {
		t.Errorf("%q, %v: expected %s and not the link", names, err, name)
	}
}

// What replaces a file can be read by nobody else at first.
func TestPermissionsAtFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	existing, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range []os.FileInfo{nil, existing} {
		_, _, err := Create(path, ".tmp", info, func(_ string, _ int, mode fs.FileMode) (any, error) {
			if want := map[bool]fs.FileMode{true: 0o666, false: 0o600}[info == nil]; mode != want {
				t.Errorf("%v, expected %v", mode, want)
			}
			return nil, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Only names that Create gives are listed, with or without a folder before them.
func TestList(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	long := strings.Repeat("l", 250)
	for _, name := range []string{".a.01234567.tmp", ".a.0123456.tmp", ".a.+1234567.tmp", ".a.01234567.new", ".b.01234567.tmp", "a.01234567.tmp", "." + long[:longestBase] + ".89abcdef.tmp"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for target, want := range map[string][]string{
		"a": {".a.01234567.tmp"}, filepath.Join(folder, "a"): {filepath.Join(folder, ".a.01234567.tmp")}, "c": nil, long: {"." + long[:longestBase] + ".89abcdef.tmp"},
	} {
		if got, err := List(target, ".tmp"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; expected %q", target, got, err, want)
		}
	}
}
