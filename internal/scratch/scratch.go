// Package scratch spills data to temporary files, so that memory stays bounded.
package scratch

import (
	"fmt"
	"io"
	"os"
)

// File is a file to be read at any place. A temporary one is gone when it is closed.
type File struct {
	*os.File
	named bool // it is a temporary one that has its name still
}

// New returns an empty file in the system's folder for temporary files.
func New() (*File, error) { return NewIn("") }

// NewIn returns an empty file in a folder.
func NewIn(folder string) (*File, error) {
	file, err := os.CreateTemp(folder, "fphash-*.tmp")
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	// Where the system lets go of names of open files, nothing is left behind even by a kill.
	return &File{file, os.Remove(file.Name()) != nil}, nil
}

// Of returns a file with what is left of r, to be read from its start.
func Of(r io.Reader) (*File, error) {
	file, err := New()
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

// At returns a file with what r holds, and its size: the one at path if it is a regular file that
// begins with these bytes, and so is not packed, else what Of returns. An empty path is no file.
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

// Regular says whether a path is that of a file that can be read again.
func Regular(path string) bool {
	info, err := os.Stat(path)
	return path != "" && err == nil && info.Mode().IsRegular()
}

// asItIs opens the file if it begins with these bytes, and is nil otherwise.
func asItIs(path, magic string) *File {
	if !Regular(path) {
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

// Close closes the file, and removes it if it is a temporary one.
func (f *File) Close() error {
	err := f.File.Close()
	if f.named { // else another process may have a file of that name by now
		_ = os.Remove(f.Name())
	}
	return err
}
