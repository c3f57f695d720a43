package indexfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"simhashkit/internal/disk"
)

// Writer inserts, deletes and compacts. A file has at most one Writer at a time, among all
// processes. Any number of goroutines may call its methods at once; those that wait for the disk at
// the same time share one fsync.
//
// After a disk error, a Writer refuses all further calls. Acknowledged changes are safe. Other
// changes may be in the file or not; a new Writer reads which of them are.
type Writer struct {
	path string
	disk disk.Disk
	torn string

	compacting sync.Mutex // held by the goroutine that compacts; taken before the other two

	writing sync.Mutex // held by the goroutine that writes to the file; taken before mutex
	file    disk.File  // guarded by writing; only a compaction changes it

	mutex   sync.Mutex // guards what follows
	held    *contents  // only a compaction replaces it
	pending *group     // batches that are not written yet; nil if there are none
	failed  error
}

// OpenWriter opens a file for writing, and removes an unfinished end that a crash left: see Torn.
func OpenWriter(path string) (*Writer, error) { return openWriter(disk.Real{}, path) }

func openWriter(d disk.Disk, path string) (*Writer, error) {
	w := &Writer{path: path, disk: d}
	if err := w.open(); err != nil {
		return nil, named(path, err)
	}
	return w, nil
}

// Torn describes the unacknowledged end of the file that a crash left and OpenWriter removed. It
// returns "" if there was none.
func (w *Writer) Torn() string { return w.torn }

func (w *Writer) open() error {
	f, size, err := w.lockFile()
	if err != nil {
		return err
	}
	writers.Store(w, struct{}{})
	if err := w.take(f, size); err != nil {
		writers.Delete(w)
		f.Close()
		return err
	}
	return nil
}

// writers holds the open Writers of this process.
var writers sync.Map

// busy returns an error that says who writes a file that cannot be locked.
func busy(path string) error {
	who := "another process: expected it to have ended"
	now, err := os.Stat(path)
	writers.Range(func(w, _ any) bool {
		if own, failed := os.Stat(w.(*Writer).path); err == nil && failed == nil && os.SameFile(now, own) {
			who = "a Writer of this process: expected it to be closed"
		}
		return true
	})
	return fmt.Errorf("%w, by %s", ErrBusy, who)
}

// lockTries is the number of attempts to take a lock, since a reader may hold it for a moment.
const lockTries = 5

func (w *Writer) lockFile() (disk.File, int64, error) {
	for try := 0; ; try++ {
		f, size, err := openRegular(w.disk, w.path, os.O_RDWR)
		if err != nil {
			return nil, 0, err
		}
		ok, err := lock(f.Handle())
		if err == nil && ok {
			if ok, err = isNamed(f, w.path); err == nil && ok {
				return f, size, nil
			}
		}
		f.Close()
		switch { // another process has the lock, or compacted the file before we had it
		case err != nil:
			return nil, 0, err
		case try == lockTries:
			return nil, 0, busy(w.path)
		}
		time.Sleep(time.Millisecond << try)
	}
}

// take reads a file, repairs its end and makes it the file that w writes.
func (w *Writer) take(f disk.File, size int64) error {
	b, err := openBase(f, size)
	if err != nil {
		return err
	}
	c := newContents(b)
	is, what, err := c.read(&logReader{r: f, salt: c.salt, size: size})
	if err == nil && is == damaged {
		err = &Damage{c.end, size - c.end, what}
	}
	if err == nil && is == torn {
		w.torn = what
		err = writeZeros(f, c.end, size)
	}
	if err == nil {
		// The data that was read may only be in the memory of the system, but later acknowledged
		// writes will depend on it.
		err = f.Sync()
	}
	if err != nil {
		b.close()
		return err
	}
	c.known = max(c.known, size)
	w.file, w.held = f, c
	return nil
}

func writeZeros(f disk.File, from, to int64) error {
	none := make([]byte, min(readAhead, to-from))
	for from < to {
		n, err := f.WriteAt(none[:min(int64(len(none)), to-from)], from)
		if err != nil {
			return err
		}
		from += int64(n)
	}
	return nil
}

// Len returns the number of entries, including those that are being inserted.
func (w *Writer) Len() int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.held.Len()
}

// LogBytes returns the size of the log. Compact empties the log, except for changes made during the
// compaction.
func (w *Writer) LogBytes() int64 {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.held.end - w.held.logFrom
}

// Has reports whether there is an entry with this id, including entries that are being inserted.
func (w *Writer) Has(id ID) (bool, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.failed != nil {
		return false, named(w.path, w.failed)
	}
	found, err := w.held.has(id)
	return found, named(w.path, err)
}

// Insert adds all entries, or none if it returns an error. It fails if an id is in the file
// already, and with fphash.ErrMismatch if the definition of the entries is not that of the file.
// When it returns, the entries are on disk.
func (w *Writer) Insert(e *Entries) error {
	return w.change(func() (*group, error) {
		if err := w.check(e); err != nil {
			return nil, err
		}
		return w.insert(e)
	})
}

// Replace inserts all entries, deletes the entries that had their ids before, and returns how many
// it deleted. A crash leaves all of that done or nothing. The errors are those of Insert, except
// that ids may be in the file already.
func (w *Writer) Replace(e *Entries) (replaced int, err error) {
	err = w.change(func() (g *group, err error) {
		if err = w.checkFits(e); err != nil {
			return nil, err
		}
		ids := make([]ID, e.Len())
		for i := range ids {
			ids[i] = e.id(i)
		}
		if _, replaced, err = w.delete(ids); err != nil {
			return nil, err
		}
		return w.insert(e) // in the same group as the deletes, and so in the same frame
	})
	return replaced, err
}

// Check returns the error that Insert would return before it writes anything. There may be more
// entries than one Insert takes.
func (w *Writer) Check(e *Entries) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return named(w.path, w.check(e))
}

// check returns an error if the entries cannot be inserted. The caller holds the mutex.
func (w *Writer) check(e *Entries) error {
	if err := w.checkFits(e); err != nil {
		return err
	}
	c := w.held
	for i := range e.Len() {
		if found, err := c.has(e.id(i)); err != nil {
			return err
		} else if found {
			return fmt.Errorf("id %s is in the index, expected a new one", e.id(i).name(c.texts))
		}
	}
	return nil
}

// checkFits is check without the test for ids that are in the file.
func (w *Writer) checkFits(e *Entries) error {
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
	if uint64(c.since.Len())+c.entries+uint64(e.Len()) >= 1<<32-1 {
		return errors.New("expected less than 2^32 entries")
	}
	return nil
}

// insert adds entries that have been checked. The caller holds the mutex.
func (w *Writer) insert(e *Entries) (*group, error) {
	if e.Len() == 0 {
		return nil, nil
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

// Delete removes the entries with these ids and returns how many there were. It ignores ids that
// are not in the file. When it returns, the deletes are on disk.
func (w *Writer) Delete(ids ...ID) (deleted int, err error) {
	err = w.change(func() (g *group, err error) {
		g, deleted, err = w.delete(ids)
		return g, err
	})
	return deleted, err
}

// change calls changes with the mutex held, and returns when the changes are on disk.
func (w *Writer) change(changes func() (*group, error)) error {
	w.mutex.Lock()
	g, err := changes()
	w.mutex.Unlock()
	if err == nil && g != nil {
		err = w.commit(g)
	}
	return named(w.path, err)
}

// delete deletes entries from the contents. The caller holds the mutex.
func (w *Writer) delete(ids []ID) (*group, int, error) {
	if w.failed != nil {
		return nil, 0, w.failed
	}
	c := w.held
	var there []ID
	before := c.Len()
	for _, id := range ids {
		now := c.Len()
		if err := c.delete(id); err != nil {
			return nil, 0, w.fail(err)
		}
		if c.Len() < now {
			there = append(there, id)
		}
	}
	c.dropped = c.dropped[:0] // only searches need it
	if len(there) == 0 {
		return nil, 0, nil
	}
	g := w.joined()
	g.payload = appendDelete(g.payload, there, c.texts)
	return g, before - c.Len(), nil
}

// Info returns a description of the file, including entries that are being written.
func (w *Writer) Info() Info {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	info := w.held.info()
	info.Bytes = w.held.known
	return info
}

// Close closes the file. Acknowledged changes are already on disk.
func (w *Writer) Close() error {
	w.compacting.Lock()
	defer w.compacting.Unlock()
	w.writing.Lock()
	defer w.writing.Unlock()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if errors.Is(w.failed, os.ErrClosed) {
		return nil
	}
	err := errors.Join(w.held.base.close(), w.file.Close())
	writers.Delete(w)
	w.failed = fmt.Errorf("%s: %w", filepath.Base(w.path), os.ErrClosed)
	return err
}

// group holds batches that are written as one frame.
type group struct {
	payload []byte
	written bool // guarded by writing, like err
	err     error
}

// joined returns the group that new batches join.
func (w *Writer) joined() *group {
	if w.pending == nil {
		w.pending = new(group)
	}
	return w.pending
}

// commit returns when the group is on disk. While one goroutine writes, others wait; the first of
// them then writes the batches of all.
func (w *Writer) commit(g *group) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	if !g.written {
		w.mutex.Lock()
		w.pending = nil // it is g
		failed, c := w.failed, w.held
		w.mutex.Unlock()
		if g.written, g.err = true, failed; failed == nil {
			var end, known int64
			end, known, g.err = writeFrame(w.file, g.payload, c)
			w.mutex.Lock()
			if g.err != nil {
				g.err = w.fail(g.err)
			} else {
				c.end, c.last, c.known = end, c.last+1, known
			}
			w.mutex.Unlock()
		}
	}
	return g.err
}

// fail stores the error that all further calls return. The caller holds the mutex.
func (w *Writer) fail(err error) error {
	if w.failed == nil {
		w.failed = fmt.Errorf("%w; the index takes nothing more until it is opened again", err)
	}
	return err
}

// growMost is the maximum number of bytes by which a file grows beyond what is needed.
const growMost = 16 << 20

// writeFrame writes a frame after the contents of a file, and waits until it is on disk. If there
// is no room, the file first grows by zeros, which are on disk before anything is written over
// them. It returns the end of the frame and the size of the file.
func writeFrame(f disk.File, payload []byte, c *contents) (end, size int64, err error) {
	at, known := c.end, c.known
	end = at + frameSize(len(payload))
	if need := end + align; need > known {
		to := (need + min(end-c.logFrom, growMost) + sectorBytes - 1) / sectorBytes * sectorBytes
		if err := writeZeros(f, known, to); err != nil {
			return 0, 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, 0, err
		}
		known = to
	}
	if _, err := f.WriteAt(appendFrame(nil, c.salt, c.last+1, known, payload), at); err != nil {
		return 0, 0, err
	}
	return end, known, f.Sync()
}
