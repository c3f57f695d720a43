package documents

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/filetree"
)

// filesIn returns the files below a folder, as they are.
func filesIn(t *testing.T, root string) map[string]string {
	t.Helper()
	paths, err := filetree.Folder(t.Context(), root, nil)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		files[path] = string(text)
	}
	return files
}

// Of a folder files are kept, as they are; a copy that is there from before becomes what this one
// is.
func TestCopyKeptOfFolder(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "new", "out")
	packed := gzipped(t, "c")
	files := map[string]string{"a.txt": "\ufeffa\r\n", "b": "b", "c/c.txt.gz": packed, "c/d": "", "e": "\xff", "f": "f", ".DS_Store": "\xff", "_old/x": "x"}
	for name, text := range files {
		writeTo(t, filepath.Join(in, name), text)
	}
	options := Options{OnError: func(error) {}} // of e, which has no number
	for _, c := range []struct {
		keep func(int) bool
		want map[string]string
	}{
		{func(int) bool { return true }, map[string]string{"a.txt": files["a.txt"], "b": "b", "c/c.txt.gz": packed, "c/d": "", "f": "f"}},
		{odd, map[string]string{"b": "b", "c/d": ""}},
		{func(i int) bool { return i == 4 || i == 2 }, map[string]string{"c/c.txt.gz": packed, "f": "f"}},
	} {
		if err := CopyKept(t.Context(), in, out, options, c.keep); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, filesIn(t, out)); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	if diff := cmp.Diff(files, filesIn(t, in)); diff != "" {
		t.Errorf("the folder itself: -want +got\n%s", diff)
	}
	writeTo(t, filepath.Join(out, "gone"), "x")
	if err := CopyKept(t.Context(), in, out, options, odd); err == nil || !strings.Contains(err.Error(), "nothing but copies of files of "+in+", got gone: take another folder, or delete this one") {
		t.Errorf("with a file of another kind: %v", err)
	}
	if err := CopyKept(t.Context(), in, t.TempDir(), Options{}, odd); err == nil || !strings.Contains(err.Error(), "e:1:1: expected UTF-8") {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

// An interrupt ends the copying, and so does a disk that takes no more.
func TestCopyKeptOfFolderEnds(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		writeTo(t, filepath.Join(in, name), name)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	err := CopyKept(ctx, in, out, Options{}, func(int) bool { cancel(stop); return true })
	if files := filesIn(t, out); !errors.Is(err, stop) || len(files) > 1 {
		t.Errorf("%v, %q", err, files)
	}
	writeTo(t, filepath.Join(in, "d/e"), "x")
	writeTo(t, filepath.Join(in, "f"), "x")
	if err := os.Mkdir(filepath.Join(out, "f"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := CopyKept(t.Context(), in, out, Options{}, func(int) bool { return true }); err == nil || !strings.Contains(err.Error(), filepath.Join(out, "f")) {
		t.Errorf("a folder in the way: %v", err)
	}
}

func TestHasRecords(t *testing.T) {
	for name, want := range map[string]bool{"a.txt": false, "a": false, "a.md": false, "a.html.gz": false, "a.jsonl": true, "x/a.CSV.gz": true, "a.tar.zst": true, "a.tgz": true} {
		if got := HasRecords(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Where Whole is an error when all copies are made, none stays, nor one from before.
func TestCopyOfFolderThatIsNotWhole(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(in, "a"), filepath.Join(in, "b", "c"), filepath.Join(in, "d"), filepath.Join(out, "d")} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte("text"), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	changed, copied := errors.New("changed"), 0
	whole := func() error {
		copied = len(filesIn(t, out))
		return changed
	}
	if err := CopyKept(t.Context(), in, out, Options{Whole: whole}, func(int) bool { return true }); !errors.Is(err, changed) {
		t.Errorf("error %v", err)
	}
	if left := filesIn(t, out); copied != 3 || len(left) != 0 {
		t.Errorf("%d copies were made, %v are left; expected 3, none", copied, left)
	}
}

// What is not to be removed from the folder of the copies stays: Ready says so, of a file that is
// not kept, and of all where the copy is not whole.
func TestReadyBeforeCopiesAreRemoved(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(in, "a"), filepath.Join(in, "b"), filepath.Join(out, "a"), filepath.Join(out, "b")} {
		writeTo(t, path, "text")
	}
	mine := errors.New("mine")
	for what, c := range map[string]struct {
		whole error
		keep  bool
	}{"not kept": {nil, false}, "not whole": {errors.New("changed"), true}} {
		options := Options{Whole: func() error { return c.whole }, Ready: func(path, temp string) error {
			if temp == "" && filepath.Base(path) == "a" {
				return mine
			}
			return nil
		}}
		err := CopyKept(t.Context(), in, out, options, func(int) bool { return c.keep })
		if left := filesIn(t, out); !errors.Is(err, mine) || left["a"] != "text" || c.keep && len(left) != 1 {
			t.Errorf("%s: error %v, %v are left", what, err, left)
		}
	}
}
