// Package wholefile writes files whole or not at all: what fails or is killed leaves the old file.
package wholefile

import (
	"bufio"
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

// Ending is that of the names of temporary files.
const Ending = ".tmp"

// Write writes a file whole or not at all: write gets a buffered writer onto a temporary file in
// the same folder, which takes the place of path only after everything has reached the disk. At an
// error, or a panic of write, the temporary file is removed and path is as it was.
//
// A name ending in .gz or .zst is compressed. An existing file's permissions are kept, which the
// temporary file never exceeds, and a symbolic link is followed, also one whose file is still to be
// made. What exists and is no regular file (a pipe, a device), and what the process has open
// already (/dev/stdout, /dev/fd/3), is written to directly, behind what it holds.
//
// An error of the file is an *fs.PathError that names path; an error of write comes as it is, since
// it may be one of its input.
func Write(path string, write func(io.Writer) error) error {
	return writer{path: path, disk: disk.Real{}}.write(write)
}

// WriteReady is Write that asks ready, with the path of the temporary file, before that gets its
// name; an error ends the work.
func WriteReady(path string, write func(io.Writer) error, ready func(temp string) error) error {
	return writer{path: path, disk: disk.Real{}, ready: ready}.write(write)
}

// WriteAsIs is WriteReady, but what write writes is the file's bytes whatever its name ends in.
// Without ready, none is asked.
func WriteAsIs(path string, write func(io.Writer) error, ready func(temp string) error) error {
	return writer{path: path, disk: disk.Real{}, asIs: true, ready: ready}.write(write)
}

// Small is the size from which WriteRestorable syncs a file.
const Small = 64 << 10

// WriteRestorable is Write for a file that its writer can make again. A file of less than Small
// bytes is not synced, which would take longer than to make it: after a crash of the system it may
// be empty, cut or an older one, and readers have to notice that.
func WriteRestorable(path string, write func(io.Writer) error) error {
	return writer{path: path, disk: disk.Real{}, restorable: true}.write(write)
}

// WriteBytes is Write for contents in memory.
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
	asIs bool // no name has it packed

	restorable bool // not synced if it is small

	ready func(temp string) error // may be nil
}

// failed says that something went wrong with the file, in the words of the path that the caller
// knows: the system names the temporary file.
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
		// Not every system can make the new name last, and the file itself is whole by now.
		_ = f.disk.SyncFolder(filepath.Dir(target))
	}
	return nil
}

func isSmall(file disk.File) bool {
	info, err := file.Stat()
	return err == nil && info.Size() < Small
}

// target returns the file that path means, which a symbolic link may name, and what exists there;
// nil where nothing does.
func (f writer) target() (target string, existing os.FileInfo, err error) {
	if !f.asIs && (strings.HasSuffix(f.path, ".bz2") || strings.HasSuffix(f.path, ".xz")) {
		return "", nil, errors.New("of the compressed forms only .gz and .zst can be written")
	}
	if existing, err = os.Stat(f.path); err != nil {
		return linked(f.path), nil, nil // whatever is wrong, creating the file meets it
	}
	if !existing.Mode().IsRegular() {
		return f.path, existing, nil // a pipe's link leads nowhere
	}
	target, err = filepath.EvalSymlinks(f.path)
	return target, existing, err
}

// linked returns what a path leads to, of which nothing but links need exist.
func linked(path string) string {
	for range 40 { // as many as systems follow
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

// opened says whether a path is a name of what the process has open: its output may be a file that
// others have written to, which is not ours to replace.
func opened(path string) bool {
	path = filepath.ToSlash(filepath.Clean(path))
	return path == "/dev/stdout" || path == "/dev/stderr" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// directly serves pipes, devices and what is open; a folder fails to open.
func (f writer) directly(write func(io.Writer) error) error {
	file, err := f.disk.Open(f.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return f.failed(err)
	}
	err = f.compressed(file, write)
	if closeErr := file.Close(); err == nil {
		err = f.failed(closeErr)
	}
	return err
}

// compressed runs write and sees everything off to the file.
func (f writer) compressed(file io.Writer, write func(io.Writer) error) error {
	named := &namedWriter{file, f}
	switch {
	case f.asIs:
	case strings.HasSuffix(f.path, ".gz"):
		packer := gzip.NewWriter(named)
		return thenClose(buffered(packer, write), packer)
	case strings.HasSuffix(f.path, ".zst"):
		packer, err := zstdTo(named)
		if err != nil {
			return err
		}
		if err := thenClose(buffered(packer, write), packer); err != nil {
			return err
		}
		packer.Reset(nil)
		packers.Put(packer)
		return nil
	}
	return buffered(named, write)
}

// packers are *zstd.Encoder that have closed a file without an error: a new one takes more time
// than all else about a small file.
var packers sync.Pool

// zstdTo returns an encoder of one goroutine, so that the same data give the same bytes.
func zstdTo(w io.Writer) (*zstd.Encoder, error) {
	if packer, ok := packers.Get().(*zstd.Encoder); ok {
		packer.Reset(w)
		return packer, nil
	}
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
}

// namedWriter names the file in its errors.
type namedWriter struct {
	w    io.Writer
	file writer
}

func (n *namedWriter) Write(p []byte) (int, error) {
	written, err := n.w.Write(p)
	return written, n.file.failed(err)
}

// thenClose closes in any case and returns the first error.
func thenClose(err error, c io.Closer) error {
	if closeErr := c.Close(); err == nil {
		err = closeErr
	}
	return err
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	if err := write(buffered); err != nil {
		return err
	}
	return buffered.Flush()
}

// Try returns the error that Write would meet before it calls its function: a folder that is not
// there or cannot be written to, a name that is a folder's. Who works long for what a file is to
// hold asks first. Nothing is left behind, and an existing file is not touched.
func Try(path string) error {
	f := writer{path: path, disk: disk.Real{}}
	return f.failed(f.try())
}

// Replaces reports whether Write would put a new file in the place of one that holds something.
func Replaces(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0 && !opened(path)
}

func (f writer) try() error {
	target, existing, err := f.target()
	switch {
	case err != nil:
		return err
	case existing != nil && existing.IsDir():
		return errors.New("is a folder, expected a file")
	case existing != nil && (!existing.Mode().IsRegular() || opened(f.path)):
		return nil // opening a pipe would wait for its reader
	}
	temp, err := disk.CreateTemp(f.disk, target, Ending, existing)
	if err != nil {
		return err
	}
	temp.Close()
	return os.Remove(temp.Name())
}
