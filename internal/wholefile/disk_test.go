package wholefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/disk"
)

var errDisk = errors.New("disk broken")

// brokenDisk is a real disk that records all operations and fails at one of them.
type brokenDisk struct {
	disk.Real
	fails  string
	after  int // number of writes that succeed first
	writes int
	done   []string
}

// step records an operation. It returns the failure only after the operation was done, as a disk
// may.
func (d *brokenDisk) step(what string, err error) error {
	if n := len(d.done); n == 0 || d.done[n-1] != what {
		d.done = append(d.done, what)
	}
	if what == "write" {
		d.writes++
	}
	if what == d.fails && d.writes > d.after && err == nil {
		err = &fs.PathError{Op: what, Path: "/temporary/name", Err: errDisk}
	}
	return err
}

func (d *brokenDisk) Open(name string, flag int, mode fs.FileMode) (disk.File, error) {
	f, err := d.Real.Open(name, flag, mode)
	if err != nil {
		return nil, err
	}
	if err := d.step("open", nil); err != nil {
		f.Close()
		if flag&os.O_CREATE != 0 {
			os.Remove(name)
		}
		return nil, err
	}
	return &brokenFile{f, d}, nil
}

func (d *brokenDisk) Rename(from, to string) error {
	if d.fails == "rename" {
		return d.step("rename", nil)
	}
	return d.step("rename", d.Real.Rename(from, to))
}

func (d *brokenDisk) SyncFolder(folder string) error {
	return d.step("sync "+filepath.Base(folder), d.Real.SyncFolder(folder))
}

type brokenFile struct {
	disk.File
	disk *brokenDisk
}

func (f *brokenFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	return n, f.disk.step("write", err)
}

func (f *brokenFile) Chmod(mode fs.FileMode) error { return f.disk.step("chmod", f.File.Chmod(mode)) }
func (f *brokenFile) Sync() error                  { return f.disk.step("sync", f.File.Sync()) }
func (f *brokenFile) Close() error                 { return f.disk.step("close", f.File.Close()) }

// The data is synced before the rename, and the folder is synced before Write returns.
func TestStepsToTheDisk(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]string{
		{"open", "write", "sync", "close", "rename", "sync folder"},
		// replacing the first file
		{"open", "write", "chmod", "sync", "close", "rename", "sync folder"},
	} {
		var d brokenDisk
		if err := (writer{path: filepath.Join(folder, "a"), disk: &d}).write(writeText("x")); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(want, d.done); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
}

// A restorable file is synced only if it is large.
func TestSmallRestorableFilesAreNotSynced(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for size, want := range map[int][]string{
		Small - 1: {"open", "write", "close", "rename"},
		Small:     {"open", "write", "sync", "close", "rename", "sync folder"},
	} {
		var d brokenDisk
		path := filepath.Join(folder, fmt.Sprint(size))
		if err := (writer{path: path, disk: &d, restorable: true}).write(writeText(strings.Repeat("x", size))); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(want, d.done); diff != "" {
			t.Errorf("%d bytes: -want +got\n%s", size, diff)
		}
	}
}

// A failure of any step, for any compression, is returned, whether the data fits in the buffers or
// fails during writing. The old file is unchanged, and no other file is left.
func TestNoFailureIsLost(t *testing.T) {
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(uint64(i) * 0x9e3779b97f4a7c15 >> 51)
	}
	for _, name := range []string{"a.txt", "a.txt.gz", "a.txt.zst"} {
		for _, step := range []string{"open", "write", "chmod", "sync", "close", "rename"} {
			for _, text := range []string{"x", string(noise)} {
				checkFailure(t, name, text, brokenDisk{fails: step, after: -1})
			}
		}
		// the last write happens when the compressor is closed
		sound := brokenDisk{}
		if err := (writer{path: filepath.Join(t.TempDir(), name), disk: &sound}).write(writeText(string(noise))); err != nil {
			t.Fatal(err)
		}
		for after := range sound.writes {
			checkFailure(t, name, string(noise), brokenDisk{fails: "write", after: after})
		}
	}
}

func checkFailure(t *testing.T, name, text string, d brokenDisk) {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	err := writer{path: path, disk: &d}.write(writeText(text))
	if want := "write " + path + ": disk broken"; err == nil || err.Error() != want {
		t.Errorf("%s of %s, %d bytes, after %d writes: error %v, want %s", d.fails, name, len(text), d.after, err, want)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "before" {
		t.Errorf("%s of %s: it holds %.20q, %v", d.fails, name, got, err)
	}
	if diff := cmp.Diff([]string{name}, folderNames(t, folder)); diff != "" {
		t.Errorf("%s of %s: files left: %s", d.fails, name, diff)
	}
}

// If the path cannot be replaced, such as a pipe, failures of writing to it are returned, too.
func TestNoFailureOfAPipeIsLost(t *testing.T) {
	for _, step := range []string{"open", "write", "close"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		path := fmt.Sprintf("/dev/fd/%d", w.Fd())
		if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
			t.Skip("pipes have no names here")
		}
		d := brokenDisk{fails: step, after: -1}
		if err := (writer{path: path, disk: &d}).write(writeText("x")); !errors.Is(err, errDisk) {
			t.Errorf("%s: %v", step, err)
		}
		if all := strings.Join(d.done, " "); step != "open" && !strings.HasSuffix(all, "close") {
			t.Errorf("%s: done %s, expected it to be closed", step, all)
		}
		r.Close()
		w.Close()
	}
}

// If write wraps an error of the output, the result contains the path only once, with the text that
// write adds.
func TestErrorsOfTheOutputAreNamedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	err := writer{path: path, disk: &brokenDisk{fails: "write"}}.write(func(w io.Writer) error {
		_, err := w.Write(make([]byte, 1<<20))
		return fmt.Errorf("row 3: %w", err)
	})
	if want := "row 3: write " + path + ": disk broken"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
