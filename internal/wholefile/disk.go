package wholefile

import (
	"io"
	"io/fs"
	"os"
)

// disk is what Write needs of the system, so that tests can have it fail.
type disk interface {
	open(name string, flag int, mode fs.FileMode) (file, error)
	rename(from, to string) error
	syncFolder(folder string)
}

// file is what Write needs of an *os.File.
type file interface {
	io.WriteCloser
	Name() string
	Chmod(fs.FileMode) error
	Sync() error
}

// realDisk is the system's.
type realDisk struct{}

func (realDisk) open(name string, flag int, mode fs.FileMode) (file, error) {
	f, err := os.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err // and no *os.File that is nil
	}
	return f, nil
}

func (realDisk) rename(from, to string) error { return os.Rename(from, to) }

// syncFolder makes the new name last. Not every system can, and the file itself is whole by now, so
// a failure is no error.
func (realDisk) syncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync()
		f.Close()
	}
}
