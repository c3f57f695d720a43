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

// contents returns the decompressed contents of a file.
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

// Copies are exact for inputs larger than the buffers: many records, some longer than a buffer,
// with blank lines between them, kept alternately or in stretches.
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
					n += tapped // longer than the buffer
				}
				line := fmt.Sprintf(c.record, strings.Repeat(string(rune('a'+record%26)), 1+n))
				text.WriteString(line)
				if keep(record) {
					want.WriteString(line)
				}
				if record%10 == 9 && name != "x.txt" { // blank lines are documents there
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

// Records are numbered as Read numbers them: unreadable records have no number.
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

// A file is written completely or not at all, and may replace the input.
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
		write(t, "x.parquet", "PAR1\x00\x00PAR1"): "Parquet is read only by programs that import",
		write(t, "x.csv", "a,b\n"):                `expected a column "text" in the header`,
	} {
		if want == "" {
			if err := CopyKept(t.Context(), in, "", Options{}, nil); err != nil {
				t.Errorf("%s: %v", in, err)
			}
			continue
		}
		for _, err := range []error{CopyKept(t.Context(), in, "", Options{}, nil), CopyKept(t.Context(), in, out, Options{}, odd)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, expected %s", in, err, want)
			}
		}
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("a file was made: %v", err)
	}
}

// filesIn returns the contents of the files below a folder.
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

// Kept files of a folder are copied unchanged. A folder with earlier copies ends up like a new one.
func TestCopyKeptOfFolder(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "new", "out")
	packed := gzipped(t, "c")
	files := map[string]string{"a.txt": "\ufeffa\r\n", "b": "b", "c/c.txt.gz": packed, "c/d": "", "e": "\xff", "f": "f", ".DS_Store": "\xff", "_old/x": "x"}
	for name, text := range files {
		writeTo(t, filepath.Join(in, name), text)
	}
	options := Options{OnError: func(error) {}} // skips e, which has no number
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

// Copying ends if the context ends or the disk is full.
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

// If Whole fails after all copies are made, all copies are removed, including earlier ones.
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

// Ready can prevent the removal of a copy: of a file that is not kept, and of any file if Whole
// fails.
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
