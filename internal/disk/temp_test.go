package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// If a link with the random name exists, CreateTemp does not follow it, but takes another name.
func TestCreateFollowsNoLink(t *testing.T) {
	folder := t.TempDir()
	target, precious := filepath.Join(folder, "a.txt"), filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(precious, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	tried := 0
	file, err := CreateTemp(openDisk{open: func(name string, flag int, mode fs.FileMode) (File, error) {
		if tried++; tried == 1 {
			if err := os.Symlink(precious, name); err != nil {
				t.Skip(err)
			}
		}
		return Real{}.Open(name, flag, mode)
	}}, target, ".tmp", nil)
	if err != nil || tried != 2 || filepath.Dir(file.Name()) != folder {
		t.Fatalf("%d names, error %v", tried, err)
	}
	name := file.Name()
	if _, err := file.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	file.Close()
	if text, err := os.ReadFile(precious); err != nil || string(text) != "precious" {
		t.Errorf("%q, %v", text, err)
	}
	if names, err := ListTemp(target, ".tmp"); err != nil || !slices.Equal(names, []string{name}) {
		t.Errorf("%q, %v: expected %s and not the link", names, err, name)
	}
}

// If a temporary file will replace an existing file, only its owner can read it at first.
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
		_, err := CreateTemp(openDisk{open: func(_ string, _ int, mode fs.FileMode) (File, error) {
			if want := map[bool]fs.FileMode{true: 0o666, false: 0o600}[info == nil]; mode != want {
				t.Errorf("%v, expected %v", mode, want)
			}
			return nil, nil
		}}, path, ".tmp", info)
		if err != nil {
			t.Error(err)
		}
	}
}

// ListTemp lists only names that CreateTemp makes, with or without a folder in the target's path.
func TestListTemp(t *testing.T) {
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
		if got, err := ListTemp(target, ".tmp"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; expected %q", target, got, err, want)
		}
	}
}

// openDisk is a Disk with its own function Open.
type openDisk struct {
	Real
	open func(name string, flag int, mode fs.FileMode) (File, error)
}

func (d openDisk) Open(name string, flag int, mode fs.FileMode) (File, error) {
	return d.open(name, flag, mode)
}
