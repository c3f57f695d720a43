package indexfile

import (
	"errors"
	"fmt"
)

// Insert adds all entries, or none if it returns an error: if an id is in the file already, or
// fphash.ErrMismatch if their definition is not that of the file. It returns when they are on disk.
func (w *Writer) Insert(e *Entries) error {
	w.mutex.Lock()
	g, err := w.insert(e)
	w.mutex.Unlock()
	if err != nil || g == nil {
		return named(w.path, err)
	}
	return named(w.path, w.commit(g))
}

// Check returns the error that Insert would return before it writes anything. Entries may be more
// than go to one Insert.
func (w *Writer) Check(e *Entries) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return named(w.path, w.check(e))
}

// check returns why entries cannot be inserted, if they cannot. The mutex is held.
func (w *Writer) check(e *Entries) error {
	if w.failed != nil {
		return w.failed
	}
	if e == nil {
		return errNoEntries
	}
	c := w.held
	set := c.header.set()
	if err := e.Comparable(&set); err != nil {
		return err
	}
	if err := e.check(c.texts); err != nil {
		return err
	}
	for i := range e.Len() {
		if found, err := c.has(e.id(i)); err != nil {
			return err
		} else if found {
			return fmt.Errorf("id %s is in the index, expected a new one", e.id(i).name(c.texts))
		}
	}
	if uint64(c.since.Len())+c.entries+uint64(e.Len()) >= 1<<32-1 {
		return errors.New("expected less than 2^32 entries")
	}
	return nil
}

func (w *Writer) insert(e *Entries) (*group, error) {
	if err := w.check(e); err != nil || e.Len() == 0 {
		return nil, err
	}
	c := w.held
	for i := range e.Len() {
		if err := c.insert(e.id(i), e.At(i)); err != nil {
			return nil, err
		}
	}
	g := w.joined()
	g.payload = appendInsert(g.payload, e)
	return g, nil
}
