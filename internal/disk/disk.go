// Package disk is the file system as writers of files see it. Tests put in one that fails or stops
// at any call.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
)

// Disk opens and names files.
type Disk interface {
	Open(name string, flag int, mode fs.FileMode) (File, error)
	Rename(from, to string) error
	Place(from, to string) error // Rename, but to a name that nothing has
	Remove(name string) error
	SyncFolder(folder string) error // makes names last
}

// File is an open file.
type File interface {
	io.WriteCloser
	io.ReaderAt
	io.WriterAt
	Name() string
	Chmod(fs.FileMode) error
	Sync() error
	Stat() (os.FileInfo, error)
	Handle() *os.File // to be mapped and locked
}

// Real is the Disk of the system.
type Real struct{}

// RealFile is a File of the system.
type RealFile struct{ *os.File }

// Handle returns the file.
func (f RealFile) Handle() *os.File { return f.File }

// Open is os.OpenFile.
func (Real) Open(name string, flag int, mode fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err // and no RealFile of nil
	}
	return RealFile{f}, nil
}

// Rename is os.Rename.
func (Real) Rename(from, to string) error { return os.Rename(from, to) }

// Remove is os.Remove.
func (Real) Remove(name string) error { return os.Remove(name) }

// Place gives the file a second name, which fails where something has it, and takes the first one
// away. Where files cannot have two names it looks first, and hopes that nobody is between.
func (Real) Place(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		_ = os.Remove(from) // a later writer does
		return nil
	}
	if _, there := os.Lstat(to); errors.Is(err, os.ErrExist) || there == nil {
		return err
	}
	return os.Rename(from, to)
}

// SyncFolder is fsync of a folder. Windows has none, so there it does nothing.
func (Real) SyncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
