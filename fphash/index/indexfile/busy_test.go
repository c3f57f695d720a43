package indexfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/fphash/index"
)

// TestBusy holds that it is said who writes a file: this process, by whatever name the file has, or
// another, as which one counts here whose lock no Writer has. What was closed writes no more.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	if err := Create(path, &Entries{Set: index.Set{Bits: 64}}, Options{}); err != nil {
		t.Fatal(err)
	}
	expect := func(path, who string) {
		t.Helper()
		w, err := OpenWriter(path)
		if err == nil {
			w.Close()
		}
		if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), who) {
			t.Errorf("error %v, expected one of %s", err, who)
		}
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, path+".link"); err != nil {
		t.Fatal(err)
	}
	expect(path, "by a Writer of this process")
	expect(path+".link", "by a Writer of this process")
	if err := w.Compact(); err != nil {
		t.Fatal(err)
	}
	expect(path, "by a Writer of this process")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	other, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if ok, err := lock(other); err != nil || !ok {
		t.Fatal(ok, err)
	}
	expect(path, "by another process")
}
