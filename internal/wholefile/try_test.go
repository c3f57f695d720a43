package wholefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Trying says what writing would, and leaves everything as it is.
func TestTry(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	if err := WriteBytes(path("there.txt"), []byte("content")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("there.txt", path("link.txt")); err != nil {
		t.Fatal(err)
	}
	before := folderNames(t, folder)
	for _, good := range []string{"new.txt", "new.txt.gz", "there.txt", "link.txt"} {
		if err := Try(path(good)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	if err := Try(os.DevNull); err != nil {
		t.Errorf("a device: %v", err)
	}
	for bad, want := range map[string]string{
		"absent/new.txt": "no such file or directory", "new.bz2": "only .gz and .zst", ".": "is a folder, expected a file", "there.txt/new.txt": "not a directory",
	} {
		tried, written := Try(path(bad)), Write(path(bad), writeText("x"))
		if tried == nil || written == nil || !strings.Contains(tried.Error(), want) || !strings.HasPrefix(tried.Error(), "write "+path(bad)+": ") {
			t.Errorf("%s: tried %v, written %v", bad, tried, written)
		}
	}
	content, err := os.ReadFile(path("there.txt"))
	if diff := cmp.Diff(before, folderNames(t, folder)); diff != "" || string(content) != "content" || err != nil {
		t.Errorf("left behind (-before +after):\n%s%s %v", diff, content, err)
	}
}

// A file is replaced if it holds something and is not open.
func TestReplaces(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	if Replaces(path) || Replaces(folder) || Replaces(os.DevNull) {
		t.Error("nothing would be replaced")
	}
	for _, text := range []string{"", "content"} {
		if err := WriteBytes(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if Replaces(path) != (text != "") {
			t.Errorf("%q: %v", text, Replaces(path))
		}
	}
}
