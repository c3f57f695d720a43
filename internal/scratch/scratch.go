// Package scratch spills data to temporary files, so that memory stays bounded.
package scratch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// File is a file with random access. Closing a temporary file removes it.
type File struct {
	*os.File
	named bool // a temporary file that has not been removed yet
}

// A temporary file is called so, with digits between.
const start, ending = "fphash-", ".tmp"

// RemoveIn removes the temporary files in a folder that killed processes left there.
func RemoveIn(folder string) error {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, start) && strings.HasSuffix(name, ending) {
			err = errors.Join(err, os.Remove(filepath.Join(folder, name)))
		}
	}
	return err
}

// NewIn returns an empty file in a folder; "" is the system's folder for temporary files.
func NewIn(folder string) (*File, error) {
	file, err := os.CreateTemp(folder, start+"*"+ending)
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	// If the system can remove open files, nothing is left behind even if the process is killed.
	return &File{file, os.Remove(file.Name()) != nil}, nil
}

// Of returns a temporary file with the rest of r, to be read from its start.
func Of(r io.Reader) (*File, error) {
	file, err := NewIn("")
	if err != nil {
		return nil, err
	}
	if _, err = io.Copy(file, r); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// At returns a file with the contents of r, and its size. It is the file at path if that is a
// regular file that begins with magic, which means that it is not compressed. Otherwise it is a
// copy, as Of makes it. An empty path is no file.
func At(r io.Reader, path, magic string) (*File, int64, error) {
	file := asItIs(path, magic)
	if file == nil {
		var err error
		if file, err = Of(r); err != nil {
			return nil, 0, err
		}
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// asItIs opens the file at path if it begins with magic, and returns nil otherwise.
func asItIs(path, magic string) *File {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	start := make([]byte, len(magic))
	if _, err := file.ReadAt(start, 0); err != nil || string(start) != magic {
		file.Close()
		return nil
	}
	return &File{file, false}
}

// Close closes the file, and removes a temporary one.
func (f *File) Close() error {
	err := f.File.Close()
	if f.named { // an unlinked name may belong to another process by now
		_ = os.Remove(f.Name())
	}
	return err
}
