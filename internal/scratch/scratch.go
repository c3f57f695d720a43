// Package scratch has temporary files for what cannot be read or written in one go, so that memory
// stays bounded.
package scratch

import (
	"fmt"
	"io"
	"os"
)

// File is a temporary file, gone when it is closed.
type File struct{ *os.File }

// New returns an empty file in the system's folder for temporary files.
func New() (*File, error) {
	file, err := os.CreateTemp("", "fphash-*.tmp")
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	// Where the system lets go of names of open files, nothing is left behind even by a kill.
	_ = os.Remove(file.Name())
	return &File{file}, nil
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

// Close closes the file and removes it.
func (f *File) Close() error {
	err := f.File.Close()
	_ = os.Remove(f.Name()) // done already on most systems
	return err
}
