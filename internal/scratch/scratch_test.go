package scratch

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// A stream becomes a file that can be read at any offset. No file is left behind.
func TestScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR")) // Windows
	file, err := Of(strings.NewReader("some text"))
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v: the file has a name, and a killed program leaves it", left, err)
	}
	all, err := io.ReadAll(file)
	part := make([]byte, 4)
	if _, atErr := file.ReadAt(part, 5); err != nil || atErr != nil || string(all) != "some text" || string(part) != "text" {
		t.Errorf("%q, %q, %v, %v", all, part, err, atErr)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	if _, err := Of(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's error", err)
	}
	left, err := os.ReadDir(os.TempDir())
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// At opens the file itself if it is not compressed. Otherwise, or without a path, it copies the
// stream.
func TestAt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("PK text"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, magic, want string }{
		{path, "PK", "PK text"}, {path, "\x1f\x8b", "a stream"}, {path, "PK text and more", "a stream"}, {"", "", "a stream"}, {path + "b", "", "a stream"}, {t.TempDir(), "", "a stream"},
	} {
		file, size, err := At(strings.NewReader("a stream"), c.path, c.magic)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(file)
		if err != nil || string(got) != c.want || size != int64(len(c.want)) {
			t.Errorf("%s, %q: %q of %d bytes, %v", c.path, c.magic, got, size, err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the file itself: %v", err)
	}
}

// Close does not remove another process's file that has reused the name.
func TestCloseRemovesNoFileOfAnother(t *testing.T) {
	file, err := NewIn(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(file.Name()); err == nil {
		file.Close()
		t.Skip("open files keep their names here")
	}
	if err := os.WriteFile(file.Name(), []byte("another's"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file.Name()); err != nil || string(text) != "another's" {
		t.Errorf("%q, %v", text, err)
	}
}
