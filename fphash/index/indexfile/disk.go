package indexfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// disk is what a writer needs of the system. Tests have others, which fail or stop at a given call.
type disk interface {
	open(name string, flag int) (file, error)
	create(name string, flag int, mode fs.FileMode) (file, error)
	rename(from, to string) error
	place(from, to string) error // rename, but to a name that nothing has
	remove(name string) error
	syncFolder(name string) error
}

// file is an open file.
type file interface {
	io.ReaderAt
	io.WriterAt
	Sync() error
	Close() error
	Stat() (os.FileInfo, error)
	handle() *os.File // to be mapped and locked
}

type realDisk struct{}

type realFile struct{ *os.File }

func (f realFile) handle() *os.File { return f.File }

func (realDisk) open(name string, flag int) (file, error) {
	return realDisk{}.create(name, flag, 0)
}

func (realDisk) create(name string, flag int, mode fs.FileMode) (file, error) {
	f, err := os.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err
	}
	return realFile{f}, nil
}

func (realDisk) rename(from, to string) error { return os.Rename(from, to) }
func (realDisk) remove(name string) error     { return os.Remove(name) }

// place gives the file a second name, which fails where something has it, and takes the first one
// away. Where files cannot have two names it looks first, and hopes that nobody is between.
func (d realDisk) place(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		_ = d.remove(from) // a later writer does
		return nil
	}
	if _, there := os.Lstat(to); errors.Is(err, os.ErrExist) || there == nil {
		return err
	}
	return d.rename(from, to)
}

func (realDisk) syncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// regular opens a file that is there, and refuses what is none.
func regular(d disk, name string, flag int) (file, int64, error) {
	f, err := d.open(name, flag)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		kind := "no regular file"
		if info.IsDir() {
			kind = "a folder"
		}
		err = fmt.Errorf("%s is %s, expected an index file", name, kind)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}
