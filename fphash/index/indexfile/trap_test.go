//go:build unix

package indexfile

import (
	"io/fs"
	"os"
)

// trappedDisk does something else at one of its calls.
type trappedDisk struct {
	realDisk
	at     int // the call, from 1
	calls  int
	lazy   bool // no fsync
	spring func() error
	names  []string
	half   bool // of a write, before the trap springs
}

// call reports that a call is made, and springs the trap.
func (d *trappedDisk) call(name string) error {
	d.calls++
	if d.names = append(d.names, name); d.calls == d.at {
		return d.spring()
	}
	return nil
}

func (d *trappedDisk) open(name string, flag int) (file, error) {
	if err := d.call("open"); err != nil {
		return nil, err
	}
	f, err := d.realDisk.open(name, flag)
	if err != nil {
		return nil, err
	}
	return trappedFile{f.(realFile), d}, nil
}

func (d *trappedDisk) create(name string, flag int, mode fs.FileMode) (file, error) {
	if err := d.call("create"); err != nil {
		return nil, err
	}
	f, err := d.realDisk.create(name, flag, mode)
	if err != nil {
		return nil, err
	}
	return trappedFile{f.(realFile), d}, nil
}

func (d *trappedDisk) place(from, to string) error {
	if err := d.call("place"); err != nil {
		return err
	}
	return d.realDisk.place(from, to)
}

func (d *trappedDisk) rename(from, to string) error {
	if err := d.call("rename"); err != nil {
		return err
	}
	return d.realDisk.rename(from, to)
}

func (d *trappedDisk) syncFolder(name string) error {
	if err := d.call("sync folder"); err != nil || d.lazy {
		return err
	}
	return d.realDisk.syncFolder(name)
}

type trappedFile struct {
	realFile
	disk *trappedDisk
}

func (f trappedFile) WriteAt(p []byte, at int64) (int, error) {
	if f.disk.calls+1 == f.disk.at && f.disk.half {
		f.realFile.WriteAt(p[:len(p)/2], at)
	}
	if err := f.disk.call("write"); err != nil {
		return 0, err
	}
	return f.realFile.WriteAt(p, at)
}

func (f trappedFile) ReadAt(p []byte, at int64) (int, error) {
	if err := f.disk.call("read"); err != nil {
		return 0, err
	}
	return f.realFile.ReadAt(p, at)
}

func (f trappedFile) Sync() error {
	if err := f.disk.call("sync"); err != nil || f.disk.lazy {
		return err
	}
	return f.realFile.Sync()
}

func (f trappedFile) Stat() (os.FileInfo, error) {
	if err := f.disk.call("stat"); err != nil {
		return nil, err
	}
	return f.realFile.Stat()
}
