package indexfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"simhashkit/fphash/index"
	"simhashkit/internal/disk"
)

// Create makes a file with these entries, which may be none, but their width and definition are
// those of all that come later. It fails if there is a file of that name; the file is there whole
// or not at all, and on disk when Create returns.
func Create(path string, e *Entries, o Options) error { return create(disk.Real{}, path, e, o) }

func create(d disk.Disk, path string, e *Entries, o Options) error {
	if e == nil {
		return errNoEntries
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w, expected a new file", path, os.ErrExist)
	}
	if err := checkOptions(o, e.Bits); err != nil {
		return err
	}
	if e.Definition != "" {
		if err := index.CheckDefinition(e.Definition, e.Bits); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if n := len(e.Definition) + len(o.Features); n > mostHeader/2 {
		return fmt.Errorf("indexfile: definition and features of %d bytes, expected at most %d", n, mostHeader/2)
	}
	if err := e.check(o.Texts); err != nil {
		return err
	}
	f, err := writeWhole(d, path, nil, e.sorted(), o, nil)
	if err != nil || f == nil {
		return err
	}
	return f.Close()
}

func checkOptions(o Options, bits int) error {
	if o.K < 0 || o.K >= max(bits, 1) {
		return fmt.Errorf("indexfile: k = %d, expected 0 to %d, less than the %d bits of fingerprints", o.K, bits-1, bits)
	}
	return nil
}

var errNoEntries = errors.New("indexfile: no entries, expected some; of an empty file the Bits and the Definition")

// unfinished is the end of the name of a file that is not whole. Who writes it has its lock.
const unfinished = ".unfinished"

// writeWhole writes a file, and returns it locked, in place of the one that existed, or where there
// was none. On an error, what had the name has it still. Where open files cannot be renamed, it
// calls release before it renames, which closes the one that existed, and returns nil.
func writeWhole(d disk.Disk, path string, existing os.FileInfo, e *Entries, o Options, release func() error) (whole disk.File, err error) {
	if existing != nil { // which a link may lead to
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	}
	removeLeftovers(path)
	f, err := createLocked(d, path, existing)
	if err != nil {
		return nil, err
	}
	renamed := false
	defer func() {
		if err != nil {
			f.Close()
			if !renamed {
				err = errors.Join(err, d.Remove(f.Name()))
			}
		}
	}()
	if err := writeBase(f, e, o); err != nil {
		return nil, err
	}
	place := d.Place
	if existing != nil {
		place = d.Rename
		if err := f.Chmod(existing.Mode().Perm()); err != nil {
			return nil, err
		}
	}
	if err := f.Sync(); err != nil {
		return nil, err
	}
	whole = f
	if opensBlockRename {
		whole = nil
		if err := f.Close(); err != nil {
			return nil, err
		}
		if release != nil {
			if err := release(); err != nil {
				return nil, err
			}
		}
	}
	if err := place(f.Name(), path); err != nil {
		return nil, err
	}
	renamed = true
	return whole, d.SyncFolder(filepath.Dir(path))
}

// createLocked makes a file beside path, with its lock.
func createLocked(d disk.Disk, path string, existing os.FileInfo) (disk.File, error) {
	for {
		f, err := disk.CreateTemp(d, path, unfinished, existing)
		if err != nil {
			var inner *fs.PathError
			if errors.As(err, &inner) { // which has a name that nobody has heard of
				err = &fs.PathError{Op: "create", Path: path, Err: inner.Err}
			}
			return nil, err
		}
		if err = mustLock(f, f.Name()); err == nil {
			return f, nil
		}
		f.Close()
		if !errors.Is(err, ErrBusy) { // it was not taken for a leftover before it was locked
			return nil, errors.Join(err, d.Remove(f.Name()))
		}
	}
}

// removeLeftovers removes temporary files of killed writers of this file. A live writer holds a
// lock on its temporary file, so that stays, as do all where files cannot be locked.
func removeLeftovers(path string) {
	names, _ := disk.ListTemp(path, unfinished)
	for _, name := range names {
		removeUnlocked(name)
	}
}

func removeUnlocked(name string) {
	f, err := os.OpenFile(name, os.O_RDWR|noFollow, 0)
	if err != nil {
		return // such as one that has its place meanwhile
	}
	defer f.Close()
	if mustLock(disk.RealFile{File: f}, name) == nil {
		if opensBlockRename { // and protect what another takes now from being removed
			f.Close()
		}
		_ = os.Remove(name)
	}
}

// mustLock takes the lock of a file that has the name still.
func mustLock(f disk.File, name string) error {
	ok, err := lock(f.Handle())
	if err == nil && ok {
		ok, err = isNamed(f, name)
	}
	if err == nil && !ok {
		err = fmt.Errorf("%w, by another process or another Create: expected it to have ended", ErrBusy)
	}
	return named(name, err)
}

// isNamed reports whether a file has the name still.
func isNamed(f disk.File, name string) (bool, error) {
	own, err := f.Stat()
	if err != nil {
		return false, err
	}
	now, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(own, now), err
}

// ErrBusy is the error of a file that is written already: by another process, or by a Writer of
// this one. The message says by which.
var ErrBusy = errors.New("the file is written already")

// IsFile reports whether a file begins as index files do.
func IsFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(magic))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == magic
}

// Compact writes the whole file anew, without deleted entries and with an empty log. Readers keep
// the old file until they refresh. Insert and Delete wait for the whole compaction. If it fails,
// the file stays as it was. On Windows it fails while a Reader has the file open, and the Writer
// cannot be used any more.
func (w *Writer) Compact() error { return named(w.path, w.compact()) }

func (w *Writer) compact() error {
	w.writing.Lock()
	defer w.writing.Unlock()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.failed != nil {
		return w.failed
	}
	var e *Entries
	err := reading(func() (err error) {
		e, err = w.held.all()
		return err
	})
	if err != nil {
		return err
	}
	existing, err := w.file.Stat()
	if err != nil {
		return err
	}
	before, old := w.held, w.file
	released := false
	f, err := writeWhole(w.disk, w.path, existing, e, w.held.options(), func() error {
		released = true
		return errors.Join(before.base.close(), old.Close())
	})
	if err != nil {
		if same, _ := isNamed(w.file, w.path); released || !same {
			return w.fail(err)
		}
		return err
	}
	if w.pending != nil { // which was in the contents already
		w.pending.written, w.pending = true, nil
	}
	var size int64
	if released {
		f, size, err = w.lockFile()
	} else {
		var info os.FileInfo
		if info, err = f.Stat(); err == nil {
			size = info.Size()
		}
	}
	if err == nil {
		err = w.take(f, size)
	}
	if err != nil {
		if f != nil {
			f.Close()
		}
		return w.fail(err)
	}
	if released {
		return nil
	}
	return errors.Join(before.base.close(), old.Close())
}
