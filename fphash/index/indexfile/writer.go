package indexfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"simhashkit/fphash/index"
	"simhashkit/internal/disk"
)

// Writer inserts, deletes and compacts. A file has at most one Writer at a time, in all processes.
// A Writer is safe for concurrent use; calls that wait for the disk at the same time share one
// fsync.
//
// After a disk error, a Writer refuses all further calls. Acknowledged changes are safe. Other
// changes may or may not be in the file; a new Writer finds out.
type Writer struct {
	path string
	disk disk.Disk
	torn string

	compacting sync.Mutex // locked during a compaction, and before the other two

	writing sync.Mutex // locked while the file is written, and before mutex
	file    disk.File  // guarded by writing; changed only by a compaction

	mutex   sync.RWMutex // guards the following fields
	held    *contents    // replaced only by a compaction
	delta   delta        // of held; for searches
	pending *group       // unwritten batches; nil if there are none
	failed  error
}

// OpenWriter opens a file for writing, and removes an incomplete end that a crash left: see Torn.
func OpenWriter(path string) (*Writer, error) { return openWriter(disk.Real{}, path) }

func openWriter(d disk.Disk, path string) (*Writer, error) {
	w := &Writer{path: path, disk: d}
	if err := w.open(); err != nil {
		return nil, named(path, err)
	}
	return w, nil
}

// Torn describes the unacknowledged end of the file that a crash left and OpenWriter removed, or
// returns "" if there was none.
func (w *Writer) Torn() string { return w.torn }

func (w *Writer) open() error {
	f, size, err := w.lockFile()
	if err != nil {
		return err
	}
	if err := w.take(f, size); err != nil {
		f.Close()
		return err
	}
	return nil
}

// lockTries is the maximum number of retries to take a lock, since a reader may hold it briefly.
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
		switch { // another process has the lock, or has just compacted the file
		case err != nil:
			return nil, 0, err
		case try == lockTries:
			return nil, 0, errBusy
		}
		time.Sleep(time.Millisecond << try)
	}
}

// take reads a file, removes an incomplete end, and makes it the file that w writes.
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
		// The data read may only be in the page cache, but later acknowledged writes will depend on
		// it.
		err = f.Sync()
	}
	if err != nil {
		b.close()
		return err
	}
	c.known = max(c.known, size)
	w.file, w.held, w.delta = f, c, delta{}
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

// Insert adds all entries, or none if it returns an error. It returns an error if an id is already
// in the file, and fphash.ErrMismatch if the entries have another definition than the file. When
// Insert returns, the entries are on disk.
func (w *Writer) Insert(e *Entries) error {
	return w.change(func() (*group, error) {
		if err := w.check(e); err != nil {
			return nil, err
		}
		return w.insert(e)
	})
}

// InsertUnlessNear inserts the fingerprint of a query with the given id, unless entries are within
// k bits. It returns these, in ascending order of ids; none means that the entry was inserted, and
// is on disk. Of simultaneous calls with near fingerprints, only one inserts. The matches may
// include entries that other calls are still writing. It returns the errors of Insert and
// AppendWithin.
func (w *Writer) InsertUnlessNear(id ID, query index.Query, k int) (near []Match, err error) {
	searched, near, err := w.search(nil, query, k)
	if err != nil || len(near) > 0 {
		return near, named(w.path, err)
	}
	err = w.change(func() (g *group, err error) {
		if err = w.refresh(); err != nil {
			return nil, err
		}
		switch c := w.held; {
		case c != searched: // there was a compaction
			near, err = w.delta.within(nil, c, query, k)
		case w.delta.index != nil:
			near, err = w.delta.withinSince(nil, c, query, k)
		}
		if err != nil || len(near) > 0 {
			return nil, err
		}
		set := w.held.header.set()
		e := newEntries(&set, w.held.texts, 1)
		e.add(id, query.Words)
		if err := w.check(e); err != nil {
			return nil, err
		}
		return w.insert(e)
	})
	return near, err
}

// AppendWithin is Reader.AppendWithin for the entries of the Writer, including entries that other
// calls are still writing. A Writer that is searched needs as much memory as a Reader in addition.
func (w *Writer) AppendWithin(dst []Match, query index.Query, k int) ([]Match, error) {
	_, dst, err := w.search(dst, query, k)
	return dst, named(w.path, err)
}

// search appends the matches of a query, and returns the contents that it searched.
func (w *Writer) search(dst []Match, query index.Query, k int) (*contents, []Match, error) {
	for {
		w.mutex.RLock()
		if w.failed != nil || w.held == nil || w.delta.isCurrent(w.held) {
			break
		}
		w.mutex.RUnlock()
		w.mutex.Lock()
		err := w.refresh()
		w.mutex.Unlock()
		if err != nil {
			return nil, dst, err
		}
	}
	defer w.mutex.RUnlock()
	if err := w.usable(); err != nil {
		return nil, dst, err
	}
	err := w.held.checkQuery(&query, k)
	if err == nil {
		dst, err = w.delta.within(dst, w.held, query, k)
	}
	return w.held, dst, err
}

// refresh brings the delta up to date. The caller holds the mutex.
func (w *Writer) refresh() error {
	if err := w.usable(); err != nil {
		return err
	}
	return w.delta.update(w.held)
}

// usable returns an error if the Writer is closed, has failed, or is a zero Writer.
func (w *Writer) usable() error {
	if w.held == nil {
		return errors.New(notOpened)
	}
	return w.failed
}

const notOpened = "indexfile: Writer was not returned by OpenWriter"

// Check returns the error that Insert would return before it writes anything. There may be more
// entries than for a single Insert.
func (w *Writer) Check(e *Entries) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return named(w.path, w.check(e))
}

// check returns an error if the entries cannot be inserted. The caller holds the mutex.
func (w *Writer) check(e *Entries) error {
	if err := w.usable(); err != nil {
		return err
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
	for i := range e.Len() {
		if found, err := c.has(e.id(i)); err != nil {
			return err
		} else if found {
			return fmt.Errorf("id %s is already in the index", e.id(i).name(c.texts))
		}
	}
	return nil
}

// insert adds checked entries. The caller holds the mutex.
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

// Delete removes the entries with the given ids and returns their number. It ignores ids that are
// not in the file. When Delete returns, the deletes are on disk.
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
	if err := w.usable(); err != nil {
		return nil, 0, err
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
	if w.delta.index == nil {
		c.dropped = c.dropped[:0] // only searches need it
	}
	if len(there) == 0 {
		return nil, 0, nil
	}
	g := w.joined()
	g.payload = appendDelete(g.payload, there, c.texts)
	return g, before - c.Len(), nil
}

// Info returns a description of the file, including entries being written. It panics for a Writer
// that OpenWriter did not return.
func (w *Writer) Info() Info {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.held == nil {
		panic(notOpened)
	}
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
	if w.held == nil {
		return errors.New(notOpened)
	}
	if errors.Is(w.failed, os.ErrClosed) {
		return nil
	}
	err := errors.Join(w.held.base.close(), w.file.Close())
	w.failed = fmt.Errorf("%s: %w", filepath.Base(w.path), os.ErrClosed)
	return err
}

// group is a set of batches that are written as one frame.
type group struct {
	payload []byte
	written bool // guarded by writing, like err
	err     error
}

// joined returns the group for new batches.
func (w *Writer) joined() *group {
	if w.pending == nil {
		w.pending = new(group)
	}
	return w.pending
}

// commit returns when the group is on disk. While one goroutine writes, others wait; the first of
// these then writes the batches of all.
func (w *Writer) commit(g *group) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	if !g.written {
		w.mutex.Lock()
		w.pending = nil // pending is g
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

// fail stores the error for all further calls. The caller holds the mutex.
func (w *Writer) fail(err error) error {
	if w.failed == nil {
		w.failed = fmt.Errorf("%w; the index accepts no more changes until it is opened again", err)
	}
	return err
}

// growMost is the maximum number of bytes by which a file grows beyond the required size.
const growMost = 16 << 20

// writeFrame writes a frame after the contents of a file, and waits until it is on disk. If the
// file has too few zeros after the contents, it first grows by more zeros, which must be on disk
// before they are overwritten. writeFrame returns the end of the frame and the size of the file.
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
