package indexfile

import "errors"

// Compact writes the file whole again, without what was deleted and with an empty log. Readers go
// on with what they have until they refresh; Insert and Delete wait. If it fails, the file is as it
// was.
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
	f, err := writeWhole(w.disk, w.path, existing, e, w.held.options())
	if err != nil {
		if same, _ := isNamed(w.file, w.path); !same {
			return w.fail(err)
		}
		return err
	}
	if w.pending != nil { // which was in the contents already
		w.pending.written, w.pending = true, nil
	}
	before, old := w.held, w.file
	info, err := f.Stat()
	if err == nil {
		err = w.take(f, info.Size())
	}
	if err != nil {
		f.Close()
		return w.fail(err)
	}
	return errors.Join(before.base.close(), old.Close())
}
