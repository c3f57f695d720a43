package documents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"simhashkit/internal/decompress"
	"simhashkit/internal/filetree"
)

// contents returns what a file holds, unpacked.
func contents(t testing.TB, path string) string {
	t.Helper()
	r, err := decompress.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func odd(record int) bool { return record%2 == 1 }

func TestCopyKept(t *testing.T) {
	for name, c := range map[string]struct{ text, odd string }{
		"x.txt":       {"\ufeffa\r\nb\n\nc", "b\nc"},
		"x.txt.gz":    {"a\nb\nc", "b\n"},
		"x.jsonl":     {"{\"text\": \"a\"}\r\n\n { \"text\" :\"b\\u0041\" } \n{\"text\":\"c\"}\n \n", "\n { \"text\" :\"b\\u0041\" } \n \n"},
		"x.jsonl.zst": {"{\"text\":\"a\"}\n{\"text\":\"b\"}", "{\"text\":\"b\"}"},
		"x.csv":       {"\ufefftext,id\r\na,1\r\n\r\n\"b\nb\",2\n\nc,\"3\"\n\n\n", "\ufefftext,id\r\n\r\n\"b\nb\",2\n\n\n\n"},
		"x.tsv":       {"text\tid\n", "text\tid\n"},
		"y.csv":       {"", ""},
	} {
		text := c.text
		switch filepath.Ext(name) {
		case ".gz":
			text = gzipped(t, text)
		case ".zst":
			text = zstded(t, text)
		}
		in, out := write(t, name, text), filepath.Join(t.TempDir(), name)
		all := func(int) bool { return true }
		for _, k := range []struct {
			keep func(int) bool
			want string
		}{{all, c.text}, {odd, c.odd}} {
			if err := CopyKept(t.Context(), in, out, Options{}, k.keep); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := contents(t, out); got != k.want {
				t.Errorf("%s: %q, expected %q", name, got, k.want)
			}
		}
	}
}

// Records beyond the buffers are those of the file, too: many, some of them longer than a buffer,
// with blank lines between them, kept and not kept in turn, and in stretches.
func TestCopyKeptBeyondBuffers(t *testing.T) {
	for name, c := range map[string]struct{ head, record string }{
		"x.txt": {"", "%s\n"}, "x.jsonl": {"", "{\"text\":\"%s\"}\n"}, "x.csv": {"id,text\n", "1,\"%s\"\n"}, "x.tsv": {"text\tid\n", "%s\t1\n"},
	} {
		for _, stretch := range []int{1, 1100} {
			var text, want strings.Builder
			text.WriteString(c.head)
			want.WriteString(c.head)
			keep := func(record int) bool { return record/stretch%2 == 1 }
			for record := range 5000 {
				n := record % 100
				if record%977 == 976 {
					n += tapped // and more than a record that is kept, or is not
				}
				line := fmt.Sprintf(c.record, strings.Repeat(string(rune('a'+record%26)), 1+n))
				text.WriteString(line)
				if keep(record) {
					want.WriteString(line)
				}
				if record%10 == 9 && name != "x.txt" { // where it would be a document
					text.WriteString("\n")
					want.WriteString("\n")
				}
			}
			in, out := write(t, name, text.String()), filepath.Join(t.TempDir(), name)
			if err := CopyKept(t.Context(), in, out, Options{}, keep); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := contents(t, out); got != want.String() {
				t.Errorf("%s, stretches of %d: %d bytes, expected %d, or others", name, stretch, len(got), want.Len())
			}
		}
	}
}

// Records are counted as Read counts them: those that cannot be read have no number.
func TestCopyKeptLeavesOutWhatReadDoes(t *testing.T) {
	in, out := write(t, "x.jsonl", "{\"text\":\"a\"}\nnull\n{\"text\":\"b\"}\n"), filepath.Join(t.TempDir(), "y")
	left := 0
	if err := CopyKept(t.Context(), in, out, Options{OnError: func(error) { left++ }}, odd); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, out); got != "{\"text\":\"b\"}\n" || left != 1 {
		t.Errorf("%q, %d errors", got, left)
	}
}

// A file is written whole or not at all, and may take the place of the one that is read.
func TestCopyKeptInPlace(t *testing.T) {
	path := write(t, "x.txt", "a\nb\nc\nd\xff\n")
	err := CopyKept(t.Context(), path, path, Options{}, odd)
	if err == nil || contents(t, path) != "a\nb\nc\nd\xff\n" {
		t.Errorf("%q after %v", contents(t, path), err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	err = CopyKept(ctx, path, path, Options{}, func(int) bool { cancel(stop); return true })
	if !errors.Is(err, stop) || contents(t, path) != "a\nb\nc\nd\xff\n" {
		t.Errorf("%q after %v", contents(t, path), err)
	}
	if err := CopyKept(t.Context(), path, path, Options{OnError: func(error) {}}, odd); err != nil || contents(t, path) != "b\n" {
		t.Errorf("%q after %v", contents(t, path), err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestCopyKeptRefuses(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for in, want := range map[string]string{
		t.TempDir():                               "",
		write(t, "x.tar", tarOf(t, "a", "b")):     "got a tar archive",
		write(t, "x.parquet", "PAR1\x00\x00PAR1"): "it looks like a Parquet file",
		write(t, "x.csv", "a,b\n"):                `expected a column "text" in the header`,
	} {
		if want == "" {
			if err := CanCopy(t.Context(), in, Options{}); err != nil {
				t.Errorf("%s: %v", in, err)
			}
			continue
		}
		for _, err := range []error{CanCopy(t.Context(), in, Options{}), CopyKept(t.Context(), in, out, Options{}, odd)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, expected %s", in, err, want)
			}
		}
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("a file was made: %v", err)
	}
}

// filesIn returns the files below a folder, as they are.
func filesIn(t *testing.T, root string) map[string]string {
	t.Helper()
	paths, err := filetree.Files(t.Context(), root, nil)
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
