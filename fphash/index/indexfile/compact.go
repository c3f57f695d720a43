package indexfile

import (
	"errors"
	"os"
)

// Compact writes the file whole again, without what was deleted and with an empty log. Readers go
// on with what they have until they refresh; Insert and Delete wait. If it fails, the file is as it
// was. On Windows it fails while a Reader has the file open, and the Writer does nothing more.
func (w *Writer) Compact() error { return named(w.path, w.compact()) }

func (w *Writer) compact() error {
	w.writing.Lock()
	defer w.writing.Unlock()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.failed != nil {
		return w.failed
	}
	var e *Entries
	err := reading(func() (err error) {
		e, err = w.held.all()
		return err
	})
	if err != nil {
		return err
	}
	existing, err := w.file.Stat()
	if err != nil {
		return err
	}
	before, old := w.held, w.file
	released := false
	f, err := writeWhole(w.disk, w.path, existing, e, w.held.options(), func() error {
		released = true
		return errors.Join(before.base.close(), old.Close())
	})
	if err != nil {
		if same, _ := isNamed(w.file, w.path); released || !same {
			return w.fail(err)
		}
		return err
	}
	if w.pending != nil { // which was in the contents already
		w.pending.written, w.pending = true, nil
	}
	var size int64
	if released {
		f, size, err = w.lockFile()
	} else {
		var info os.FileInfo
		if info, err = f.Stat(); err == nil {
			size = info.Size()
		}
	}
	if err == nil {
		err = w.take(f, size)
	}
	if err != nil {
		if f != nil {
			f.Close()
		}
		return w.fail(err)
	}
	if released {
		return nil
	}
	return errors.Join(before.base.close(), old.Close())
}
