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
	written := func(disk.File) error { return nil }
	f, err := writeWhole(d, path, nil, e.sorted(), o, written)
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

// writeWhole writes a file, and returns it locked, in place of the existing one, or where there was
// none. On an error, whatever had the name keeps it. It calls written when the new file is on disk,
// before the rename. Where open files cannot be renamed, written closes the existing file, and
// writeWhole returns nil.
func writeWhole(d disk.Disk, path string, existing os.FileInfo, e *Entries, o Options, written func(disk.File) error) (whole disk.File, err error) {
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
	if err := writeBase(&steadyWriter{File: f}, e, o); err != nil {
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
	if err := written(f); err != nil {
		return nil, err
	}
	whole = f
	if opensBlockRename {
		whole = nil
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	if err := place(f.Name(), path); err != nil {
		return nil, err
	}
	renamed = true
	return whole, d.SyncFolder(filepath.Dir(path))
}

// steadyWriter writes to a file and has the system write it to the disk on the way. If all of it
// waited for one fsync, the fsyncs of others on the same file system would wait with it.
type steadyWriter struct {
	disk.File
	waiting int // bytes since the last fsync
}

const mostWaiting = 32 << 20

func (s *steadyWriter) WriteAt(p []byte, at int64) (int, error) {
	n, err := s.File.WriteAt(p, at)
	if s.waiting += n; err == nil && s.waiting >= mostWaiting {
		s.waiting, err = 0, s.File.Sync()
	}
	return n, err
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
