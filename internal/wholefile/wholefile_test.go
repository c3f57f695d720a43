package wholefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/decompress"
)

func writeText(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func folderNames(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteForms(t *testing.T) {
	folder := t.TempDir()
	text := strings.Repeat("some text\n", 20000)
	sizes := map[string]int64{}
	for _, name := range []string{"a.txt", "a.txt.gz", "a.txt.zst"} {
		path := filepath.Join(folder, name)
		for range 2 { // a new file, then a replacement
			if err := Write(path, writeText(text)); err != nil {
				t.Fatal(err)
			}
		}
		r, err := decompress.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || string(got) != text {
			t.Errorf("%s: read %d bytes, %v", name, len(got), err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		sizes[name] = info.Size()
	}
	if diff := cmp.Diff([]string{"a.txt", "a.txt.gz", "a.txt.zst"}, folderNames(t, folder)); diff != "" {
		t.Errorf("files left: %s", diff)
	}
	if sizes["a.txt.gz"] > sizes["a.txt"]/10 || sizes["a.txt.zst"] > sizes["a.txt"]/10 {
		t.Errorf("not compressed: %v", sizes)
	}
}

func TestWriteWholeOrNot(t *testing.T) {
	for _, name := range []string{"a.txt", "a.txt.gz", "a.txt.zst"} {
		folder := t.TempDir()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("before"), 0o666); err != nil {
			t.Fatal(err)
		}
		broken := errors.New("broken")
		err := Write(path, func(w io.Writer) error {
			if _, err := io.WriteString(w, strings.Repeat("x", 1<<20)); err != nil {
				t.Error(err)
			}
			if n := len(folderNames(t, folder)); n != 2 {
				t.Errorf("%s: %d files while writing, want the old one and the new one", name, n)
			}
			return broken
		})
		if !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
		if err.Error() != "broken" { // not an error of the output
			t.Errorf("error %v, want broken", err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic was swallowed")
				}
			}()
			_ = Write(path, func(io.Writer) error { panic("stop") })
		}()
		got, err := os.ReadFile(path)
		if err != nil || string(got) != "before" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if diff := cmp.Diff([]string{name}, folderNames(t, folder)); diff != "" {
			t.Errorf("files left: %s", diff)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	folder := t.TempDir()
	if err := Write(filepath.Join(folder, "none", "a"), writeText("x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing folder: %v", err)
	}
	if err := Write(folder, writeText("x")); err == nil {
		t.Error("a folder was written to")
	}
	path := filepath.Join(folder, "a.bz2")
	want := "write " + path + ": of the compressed forms only .gz and .zst can be written"
	if err := Write(path, writeText("x")); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if names := folderNames(t, folder); names != nil {
		t.Errorf("files left: %v", names)
	}
}

func TestWriteKeepsModeAndFollowsLinks(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target"), filepath.Join(folder, "link")
	if err := os.WriteFile(target, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := Write(link, writeText("after")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(target); err != nil || string(got) != "after" {
		t.Errorf("the target holds %q, %v", got, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode became %v, %v", info.Mode(), err)
	}
}

// A pipe can be written by name, like /dev/stdout in a pipeline.
func TestWriteToPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	name := fmt.Sprintf("/dev/fd/%d", w.Fd())
	if info, err := os.Stat(name); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		w.Close()
		t.Skip("pipes have no names here")
	}
	if err := Write(name, writeText("x")); err != nil {
		t.Error(err)
	}
	w.Close()
	if got, err := io.ReadAll(r); err != nil || string(got) != "x" {
		t.Errorf("read %q, %v", got, err)
	}
}

// WriteAsIs does not compress data that is already compressed.
func TestWriteAsIs(t *testing.T) {
	for _, name := range []string{"x", "x.gz", "x.zst", "x.bz2"} {
		path := filepath.Join(t.TempDir(), name)
		for range 2 { // a new file, then a replacement
			err := WriteAsIs(path, writeText("text"), nil)
			if text, readErr := os.ReadFile(path); err != nil || readErr != nil || string(text) != "text" {
				t.Errorf("%s: %q, %v, %v", name, text, err, readErr)
			}
		}
	}
}

// A file that the process has open is appended to, not replaced: -o /dev/stdout with the output
// redirected to a file.
func TestWriteToOpenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte("before "), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	name := fmt.Sprintf("/dev/fd/%d", file.Fd())
	if _, err := os.Stat(name); err != nil {
		t.Skip("open files have no names here")
	}
	if err := Try(name); err != nil {
		t.Error(err)
	}
	if err := Write(name, writeText("after")); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "before after" {
		t.Errorf("it holds %q, %v", got, err)
	}
}

// A link to a missing file stays a link.
func TestWriteFollowsLinksToNothing(t *testing.T) {
	folder := t.TempDir()
	for from, to := range map[string]string{"a": "b", "b": "c"} {
		if err := os.Symlink(to, filepath.Join(folder, from)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	if err := Write(filepath.Join(folder, "a"), writeText("x")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(filepath.Join(folder, "c")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("c: %v", err)
	}
	if info, err := os.Lstat(filepath.Join(folder, "a")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("a is no link any more: %v", err)
	}
}

// While an existing file is replaced, the temporary file has no more permissions than the existing
// one.
func TestTemporaryFileIsNoMoreOpen(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "secret")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := Write(path, func(io.Writer) error {
		for _, name := range folderNames(t, folder) {
			if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm()&^0o600 != 0 {
				t.Errorf("%s has the mode %v, %v", name, info.Mode(), err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Most systems limit names to 255 bytes.
func TestWriteLongNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 255))
	if err := Write(path, writeText("x")); err != nil {
		t.Error(err)
	}
}

// ready sees the complete new file before the rename, and can keep the old file.
func TestWriteReady(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for _, c := range []struct {
		refuse error
		want   string
	}{{nil, "new"}, {errDisk, "old"}} {
		if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		err := WriteReady(path, writeText("new"), func(temp string) error {
			if text, err := os.ReadFile(temp); err != nil || string(text) != "new" {
				t.Errorf("asked with %q, %v", text, err)
			}
			return c.refuse
		})
		if text, readErr := os.ReadFile(path); !errors.Is(err, c.refuse) || readErr != nil || string(text) != c.want {
			t.Errorf("%q, %v, %v; want %q", text, err, readErr, c.want)
		}
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("%d files are left", len(files))
	}
}

// Writers of small files reuse encoders. The output does not depend on earlier files, even failed
// ones.
func TestEncodersAreUsedAgain(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) []byte {
		path := filepath.Join(folder, name)
		if err := Write(path, writeText(text)); err != nil {
			t.Fatal(err)
		}
		packed, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return packed
	}
	first := write("a.zst", "one line\n")
	_ = Write(filepath.Join(folder, "b.zst"), func(w io.Writer) error {
		_, _ = io.WriteString(w, strings.Repeat("what is lost", 1<<16))
		return errors.New("broken")
	})
	write("c.zst", strings.Repeat("a longer text between the two ", 1<<14))
	if again := write("d.zst", "one line\n"); string(again) != string(first) {
		t.Errorf("%x, expected %x", again, first)
	}
	const most = 1 << 20 // bytes per file; a new encoder allocates several times as much
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const files = 50
	for i := range files {
		write(fmt.Sprintf("%d.zst", i), "one line\n")
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / files; each > most {
		t.Errorf("%d bytes allocated for a file, expected at most %d", each, most)
	}
}

// Try returns the error that Write would return, and changes nothing.
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

// Replaces returns true for a file that is not empty and not open.
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
