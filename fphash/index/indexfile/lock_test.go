package indexfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/fphash/index"
	"simhashkit/internal/disk"
)

// A lock belongs to one handle, ends when the handle is closed, and does not prevent reading. On
// Windows, locked bytes cannot be read through another handle.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	open := func(flag int) *os.File {
		f, err := os.OpenFile(path, flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	first, second, reader := open(os.O_RDWR), open(os.O_RDWR), open(os.O_RDONLY)
	expect := func(f *os.File, want bool) {
		t.Helper()
		if ok, err := lock(f); ok != want || err != nil {
			t.Errorf("locked: %t, %v; expected %t", ok, err, want)
		}
	}
	if isLocked(reader) {
		t.Error("locked before the first lock")
	}
	expect(first, true)
	expect(second, false)
	if !isLocked(reader) {
		t.Error("the reader does not see the lock")
	}
	for _, f := range []*os.File{first, second, reader} {
		if _, err := f.ReadAt(make([]byte, 4), 0); err != nil {
			t.Errorf("while it is locked: %v", err)
		}
	}
	if _, err := first.WriteAt([]byte("more"), 0); err != nil {
		t.Error(err)
	}
	first.Close()
	if isLocked(reader) {
		t.Error("locked after the handle was closed")
	}
	expect(second, true)
}

// If open files cannot be renamed, files can still be created and compacted, and the Writer has the
// lock and the entries afterwards.
func TestRenameOfClosedFiles(t *testing.T) {
	before := opensBlockRename
	opensBlockRename = true
	t.Cleanup(func() { opensBlockRename = before })
	path := filepath.Join(t.TempDir(), "a.index")
	d := &closedDisk{t: t}
	set := index.Set{Bits: 64, IDs: []uint64{1, 2, 3}, Words: []uint64{4, 5, 6}}
	if err := create(context.Background(), d, path, &Entries{Set: set}, Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := openWriter(d, path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	n := w.Info().Entries
	for range 2 {
		if err := w.Compact(context.Background()); err != nil {
			t.Fatal(err)
		}
		if other, err := OpenWriter(path); !errors.Is(err, errBusy) {
			if err == nil {
				other.Close()
			}
			t.Errorf("a second Writer: error %v", err)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := r.Info(); err != nil || info.Entries != n || w.Info().Entries != n {
			t.Errorf("%d entries, %d in the Writer, %v; expected %d", info.Entries, w.Info().Entries, err, n)
		}
		r.Close()
	}
	if d.renamed != 3 || d.open != 1 {
		t.Errorf("%d files renamed, %d open; expected 3 and 1", d.renamed, d.open)
	}

	d.refuse = true // like Windows while a Reader has the file open
	if err := w.Compact(context.Background()); err == nil {
		t.Error("compacted without the rename")
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if info, err := r.Info(); err != nil || info.Entries != n {
		t.Errorf("%d entries, %v; expected %d", info.Entries, err, n)
	}
	if _, err := w.Delete(ID{}); err == nil {
		t.Error("a Writer continued after it had closed its file")
	}
}

// closedDisk renames files only while no file is open.
type closedDisk struct {
	disk.Real
	t             *testing.T
	open, renamed int
	refuse        bool
}

type countedFile struct {
	disk.File
	disk   *closedDisk
	closed bool
}

func (f *countedFile) Close() error {
	if !f.closed {
		f.closed = true
		f.disk.open--
	}
	return f.File.Close()
}

func (d *closedDisk) Open(name string, flag int, mode os.FileMode) (disk.File, error) {
	f, err := d.Real.Open(name, flag, mode)
	if err != nil {
		return nil, err
	}
	d.open++
	return &countedFile{File: f, disk: d}, nil
}

func (d *closedDisk) Rename(from, to string) error { return d.rename(from, to, d.Real.Rename) }
func (d *closedDisk) Place(from, to string) error  { return d.rename(from, to, d.Real.Place) }

func (d *closedDisk) rename(from, to string, rename func(from, to string) error) error {
	if d.open != 0 {
		d.t.Errorf("%s is renamed while %d files are open", from, d.open)
	}
	if d.refuse {
		return os.ErrPermission
	}
	d.renamed++
	return rename(from, to)
}

// TestBusy checks that errBusy tells who has the file open for writing: this process, with any name
// of the file, or another process, which here is a lock without a Writer. A closed Writer does not
// count.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	if err := Create(context.Background(), path, &Entries{Set: index.Set{Bits: 64}}, Options{}); err != nil {
		t.Fatal(err)
	}
	expect := func(path, who string) {
		t.Helper()
		w, err := OpenWriter(path)
		if err == nil {
			w.Close()
		}
		if !errors.Is(err, errBusy) || !strings.Contains(err.Error(), who) {
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
	expect(path, "another Writer of this one")
	expect(path+".link", "another Writer of this one")
	if err := w.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	expect(path, "another Writer of this one")
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
