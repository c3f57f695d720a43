package scratch

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// A stream becomes a file that can be read at any place; nothing is left behind.
func TestScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR")) // Windows
	file, err := Of(strings.NewReader("some text"))
	if err != nil {
		t.Fatal(err)
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
