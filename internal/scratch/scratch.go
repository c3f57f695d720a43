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
	named bool // a temporary file that still has its name
}

// The names of temporary files begin with start, continue with digits, and end with ending.
const start, ending = "fphash-", ".tmp"

// RemoveIn removes temporary files that killed processes left in a folder.
func RemoveIn(folder string) error {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, start) && strings.HasSuffix(name, ending) {
			err = errors.Join(err, os.Remove(filepath.Join(folder, name)))
		}
	}
	return err
}

// NewIn returns an empty temporary file in a folder; "" means the system's folder for temporary
// files.
func NewIn(folder string) (*File, error) {
	file, err := os.CreateTemp(folder, start+"*"+ending)
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	// If the system can remove open files, the file disappears even if the process is killed.
	return &File{file, os.Remove(file.Name()) != nil}, nil
}

// Of copies the rest of r to a temporary file, which is then read from its start.
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

// At returns a file with the contents of r, and its size. If path is a regular file that begins
// with magic, and so is not compressed, At opens that file. Otherwise it makes a copy, as Of does.
// path may be empty.
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

// asItIs opens the file at path if it begins with magic. Otherwise it returns nil.
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

// Close closes the file. It removes a temporary file.
func (f *File) Close() error {
	err := f.File.Close()
	if f.named { // a removed name may belong to another process now
		_ = os.Remove(f.Name())
	}
	return err
}
