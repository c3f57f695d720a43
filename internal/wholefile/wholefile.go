// Package wholefile writes files atomically: after an error or a kill, the old file is unchanged.
package wholefile

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"simhashkit/internal/disk"
)

// Ending is the ending of temporary file names.
const Ending = ".tmp"

// Write writes a file completely or not at all. The function write gets a buffered writer to a
// temporary file in the same folder, which replaces path only after all data is on disk. If write
// fails or panics, the temporary file is removed and path is unchanged.
//
// The output is compressed if the name ends in .gz or .zst. The permissions of an existing file are
// kept; the temporary file never has more. Write follows a symbolic link, even if its target does
// not exist. If path is not a regular file (a pipe, a device), or is already open in this process
// (/dev/stdout, /dev/fd/3), Write appends to it directly.
//
// An error of the file is an *fs.PathError with path. An error of write is returned unchanged,
// since it may concern the input.
func Write(path string, write func(io.Writer) error) error {
	return writer{path: path, disk: disk.Real{}}.write(write)
}

// WriteReady is like Write, but calls ready with the path of the temporary file before renaming it.
// If ready returns an error, WriteReady returns it and leaves path unchanged.
func WriteReady(path string, write func(io.Writer) error, ready func(temp string) error) error {
	return writer{path: path, disk: disk.Real{}, ready: ready}.write(write)
}

// WriteAsIs is like WriteReady, but never compresses. ready may be nil.
func WriteAsIs(path string, write func(io.Writer) error, ready func(temp string) error) error {
	return writer{path: path, disk: disk.Real{}, asIs: true, ready: ready}.write(write)
}

// Small is the smallest size at which WriteRestorable syncs a file.
const Small = 64 << 10

// WriteRestorable is Write for a file that its writer can recreate. It does not sync files of less
// than Small bytes, since syncing takes longer than recreating them. After a system crash, such a
// file may be empty, truncated or an older version; readers must detect this.
func WriteRestorable(path string, write func(io.Writer) error) error {
	return writer{path: path, disk: disk.Real{}, restorable: true}.write(write)
}

// WriteBytes is like Write, with contents in memory.
func WriteBytes(path string, contents []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(contents)
		return err
	})
}

// writer writes one file.
type writer struct {
	path string
	disk disk.Disk
	asIs bool // never compress

	restorable bool // do not sync a small file

	ready func(temp string) error // may be nil
}

// failed returns an error with the path that the caller knows. The system's error names the
// temporary file.
func (f writer) failed(err error) error {
	if err == nil {
		return nil
	}
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return &fs.PathError{Op: "write", Path: f.path, Err: err}
}

func (f writer) write(write func(io.Writer) error) error {
	target, existing, err := f.target()
	if err != nil {
		return f.failed(err)
	}
	if existing != nil && (!existing.Mode().IsRegular() || opened(f.path)) {
		return f.directly(write)
	}
	temp, err := disk.CreateTemp(f.disk, target, Ending, existing)
	if err != nil {
		return f.failed(err)
	}
	renamed := false
	defer func() {
		if !renamed {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	if err := f.compressed(temp, write); err != nil {
		return err
	}
	if existing != nil {
		if err := temp.Chmod(existing.Mode().Perm()); err != nil {
			return f.failed(err)
		}
	}
	synced := !f.restorable || !isSmall(temp)
	if synced {
		if err := temp.Sync(); err != nil {
			return f.failed(err)
		}
	}
	if err := temp.Close(); err != nil {
		return f.failed(err)
	}
	if f.ready != nil {
		if err := f.ready(temp.Name()); err != nil {
			return err
		}
	}
	if err := f.disk.Rename(temp.Name(), target); err != nil {
		return f.failed(err)
	}
	renamed = true
	if synced {
		// Not every system can sync a folder, and the file itself is already complete.
		_ = f.disk.SyncFolder(filepath.Dir(target))
	}
	return nil
}

func isSmall(file disk.File) bool {
	info, err := file.Stat()
	return err == nil && info.Size() < Small
}

// target returns the file that path leads to through symbolic links, and its file info, or nil if
// the file does not exist.
func (f writer) target() (target string, existing os.FileInfo, err error) {
	if !f.asIs && (strings.HasSuffix(f.path, ".bz2") || strings.HasSuffix(f.path, ".xz")) {
		return "", nil, errors.New("of the compressed forms only .gz and .zst can be written")
	}
	if existing, err = os.Stat(f.path); err != nil {
		return linked(f.path), nil, nil // creating the file returns any other error
	}
	if !existing.Mode().IsRegular() {
		return f.path, existing, nil // the link of a pipe is dangling
	}
	target, err = filepath.EvalSymlinks(f.path)
	return target, existing, err
}

// linked resolves the links of a path, even if the target does not exist.
func linked(path string) string {
	for range 40 { // the limit of most systems
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// opened reports whether the process has the file at a path open. Its standard output may be a file
// that other processes also write to, which must not be replaced.
func opened(path string) bool {
	path = filepath.ToSlash(filepath.Clean(path))
	return path == "/dev/stdout" || path == "/dev/stderr" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// directly appends to pipes, devices and open files. For a folder, it returns the error of opening
// it.
func (f writer) directly(write func(io.Writer) error) error {
	file, err := f.disk.Open(f.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return f.failed(err)
	}
	return cmp.Or(f.compressed(file, write), f.failed(file.Close()))
}

// compressed calls write with a writer to the file, which compresses if the name demands it.
func (f writer) compressed(file io.Writer, write func(io.Writer) error) error {
	named := &namedWriter{file, f}
	switch {
	case f.asIs:
	case strings.HasSuffix(f.path, ".gz"):
		packer := gzip.NewWriter(named)
		return cmp.Or(buffered(packer, write), packer.Close())
	case strings.HasSuffix(f.path, ".zst"):
		packer, err := zstdTo(named)
		if err != nil {
			return err
		}
		if err := cmp.Or(buffered(packer, write), packer.Close()); err != nil {
			return err
		}
		packer.Reset(nil)
		packers.Put(packer)
		return nil
	}
	return buffered(named, write)
}

// packers holds *zstd.Encoder values for reuse. Creating an encoder takes longer than writing a
// small file.
var packers sync.Pool

// zstdTo returns a single-threaded encoder, so that equal data give equal bytes.
func zstdTo(w io.Writer) (*zstd.Encoder, error) {
	if packer, ok := packers.Get().(*zstd.Encoder); ok {
		packer.Reset(w)
		return packer, nil
	}
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
}

// namedWriter adds the file name to write errors.
type namedWriter struct {
	w    io.Writer
	file writer
}

func (n *namedWriter) Write(p []byte) (int, error) {
	written, err := n.w.Write(p)
	return written, n.file.failed(err)
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	if err := write(buffered); err != nil {
		return err
	}
	return buffered.Flush()
}

// Try returns the error that Write would return before it calls its function: a missing or
// unwritable folder, or a path that is a folder. Call Try before long work. It leaves no files
// behind and does not touch an existing file.
func Try(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return writer{path: path}.failed(errors.New("is a folder, expected a file"))
	case err == nil && (!info.Mode().IsRegular() || opened(path)):
		return nil // opening a pipe would wait for its reader
	}
	tried := errors.New("the file can be written")
	if err := Write(path, func(io.Writer) error { return tried }); err != tried {
		return err
	}
	return nil
}

// Replaces reports whether Write would replace a nonempty file.
func Replaces(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0 && !opened(path)
}
