//go:build unix

package indexfile

import (
	"io/fs"
	"os"
	"sync"

	"simhashkit/internal/disk"
)

// trappedDisk does something else at one of its calls.
type trappedDisk struct {
	disk.Real
	at     int  // the call, from 1
	lazy   bool // no fsync
	spring func() error
	half   bool // of a write, before the trap springs

	mutex sync.Mutex
	calls int
	names []string
}

// call reports that a call is made, and springs the trap.
func (d *trappedDisk) call(name string) error {
	d.mutex.Lock()
	d.calls++
	d.names = append(d.names, name)
	springs := d.calls == d.at
	d.mutex.Unlock()
	if springs {
		return d.spring()
	}
	return nil
}

// lastName returns the name of the last call.
func (d *trappedDisk) lastName() string {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.names[len(d.names)-1]
}

// halves reports whether half of the next write is to be done.
func (d *trappedDisk) halves() bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.half && d.calls+1 == d.at
}

func (d *trappedDisk) Open(name string, flag int, mode fs.FileMode) (disk.File, error) {
	what := "open"
	if flag&os.O_CREATE != 0 {
		what = "create"
	}
	if err := d.call(what); err != nil {
		return nil, err
	}
	f, err := d.Real.Open(name, flag, mode)
	if err != nil {
		return nil, err
	}
	return trappedFile{f.(disk.RealFile), d}, nil
}

func (d *trappedDisk) Place(from, to string) error {
	if err := d.call("place"); err != nil {
		return err
	}
	return d.Real.Place(from, to)
}

func (d *trappedDisk) Rename(from, to string) error {
	if err := d.call("rename"); err != nil {
		return err
	}
	return d.Real.Rename(from, to)
}

func (d *trappedDisk) SyncFolder(name string) error {
	if err := d.call("sync folder"); err != nil || d.lazy {
		return err
	}
	return d.Real.SyncFolder(name)
}

type trappedFile struct {
	disk.RealFile
	disk *trappedDisk
}

func (f trappedFile) WriteAt(p []byte, at int64) (int, error) {
	if f.disk.halves() {
		f.RealFile.WriteAt(p[:len(p)/2], at)
	}
	if err := f.disk.call("write"); err != nil {
		return 0, err
	}
	return f.RealFile.WriteAt(p, at)
}

func (f trappedFile) ReadAt(p []byte, at int64) (int, error) {
	if err := f.disk.call("read"); err != nil {
		return 0, err
	}
	return f.RealFile.ReadAt(p, at)
}

func (f trappedFile) Sync() error {
	if err := f.disk.call("sync"); err != nil || f.disk.lazy {
		return err
	}
	return f.RealFile.Sync()
}

func (f trappedFile) Stat() (os.FileInfo, error) {
	if err := f.disk.call("stat"); err != nil {
		return nil, err
	}
	return f.RealFile.Stat()
}
