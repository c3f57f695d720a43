// Package wholefile writes files whole or not at all.
package wholefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Write writes a file whole or not at all: write gets a buffered writer onto a temporary file in
// the same folder, which takes the place of path only after everything has reached the disk. At an
// error, or a panic of write, the temporary file is removed and path is as it was.
//
// A name ending in .gz or .zst is compressed. An existing file's permissions are kept, and a
// symbolic link is followed. What exists and is no regular file (a pipe, /dev/stdout) is written to
// directly, since it cannot be replaced.
func Write(path string, write func(io.Writer) error) error {
	if err := writeFile(path, write); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// WriteBytes is Write for contents in memory.
func WriteBytes(path string, contents []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(contents)
		return err
	})
}

func writeFile(path string, write func(io.Writer) error) error {
	target, existing, err := targetOf(path)
	if err != nil {
		return err
	}
	if existing != nil && !existing.Mode().IsRegular() {
		return writeDirectly(path, write)
	}
	temp, err := createTemp(target)
	if err != nil {
		return err
	}
	renamed := false
	defer func() {
		if !renamed {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	if err := writeCompressed(temp, path, write); err != nil {
		return err
	}
	if existing != nil {
		if err := temp.Chmod(existing.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := temp.Sync(); err != nil {
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), target); err != nil {
		return err
	}
	renamed = true
	syncFolder(filepath.Dir(target))
	return nil
}

// targetOf returns the file that path means, which a symbolic link may name, and what exists there;
// nil where nothing does.
func targetOf(path string) (target string, existing os.FileInfo, err error) {
	if strings.HasSuffix(path, ".bz2") || strings.HasSuffix(path, ".xz") {
		return "", nil, errors.New("of the compressed forms only .gz and .zst can be written")
	}
	if existing, err = os.Stat(path); err != nil {
		return path, nil, nil // whatever is wrong, creating the file meets it
	}
	if !existing.Mode().IsRegular() {
		return path, existing, nil // a pipe's link leads nowhere
	}
	target, err = filepath.EvalSymlinks(path)
	return target, existing, err
}

// writeDirectly serves pipes and devices; a folder fails to open.
func writeDirectly(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return thenClose(writeCompressed(file, path, write), file)
}

// createTemp is os.CreateTemp, but with the permissions that an ordinary new file gets.
func createTemp(target string) (*os.File, error) {
	folder, base := filepath.Split(target)
	for {
		name := fmt.Sprintf("%s.%s.%08x.tmp", folder, base, rand.Uint32())
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if wrong := (*fs.PathError)(nil); errors.As(err, &wrong) {
			err = wrong.Err // nobody knows the name that is left out
		}
		return file, err
	}
}

// writeCompressed runs write and sees everything off to w.
func writeCompressed(w io.Writer, name string, write func(io.Writer) error) error {
	switch {
	case strings.HasSuffix(name, ".gz"):
		packer := gzip.NewWriter(w)
		return thenClose(writeBuffered(packer, write), packer)
	case strings.HasSuffix(name, ".zst"):
		// One goroutine, so that the same data give the same bytes.
		packer, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		return thenClose(writeBuffered(packer, write), packer)
	}
	return writeBuffered(w, write)
}

// thenClose closes in any case and returns the first error.
func thenClose(err error, c io.Closer) error {
	if closeErr := c.Close(); err == nil {
		err = closeErr
	}
	return err
}

func writeBuffered(w io.Writer, write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	if err := write(buffered); err != nil {
		return err
	}
	return buffered.Flush()
}

// syncFolder makes the new name last. Not every system can, and the file itself is whole by now, so
// a failure is no error.
func syncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync()
		f.Close()
	}
}
