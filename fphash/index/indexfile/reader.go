package indexfile

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"sync"
	"time"

	"simhashkit/fphash/index"
	"simhashkit/internal/disk"
)

// Reader searches an index file. It is safe for concurrent use. Searches see the state of the file
// when it was opened or last refreshed.
type Reader struct {
	path  string
	mutex sync.RWMutex // locked for writing to change a field below
	file  disk.File
	*contents
	delta
	torn string
}

// Open opens a file for searches. Only reading the log takes time: about 0.3 s for a million
// entries that are not compacted.
func Open(path string) (*Reader, error) {
	r := &Reader{path: path}
	if err := r.open(); err != nil {
		return nil, named(path, err)
	}
	return r, nil
}

// open opens the file that now has the path, and closes the previously opened file.
func (r *Reader) open() error {
	f, size, err := openRegular(disk.Real{}, r.path, os.O_RDONLY)
	if err != nil {
		return err
	}
	b, err := openBase(f, size)
	if err != nil {
		f.Close()
		return err
	}
	c := newContents(b)
	torn, err := readLog(f, c)
	if err != nil {
		b.close()
		f.Close()
		return err
	}
	r.close()
	r.file, r.contents, r.delta, r.torn = f, c, delta{}, torn
	return nil
}

// patience is the number of times that an incomplete frame is read again while a writer has the
// file locked, because the writer may be writing the frame. Without a lock, it is read again once,
// because a writer may just have ended.
const patience = 5

// readLog applies new log entries. It returns a description of unacknowledged bytes after them,
// unless a writer has the file locked and may be writing them.
func readLog(f disk.File, c *contents) (torn string, err error) {
	for attempt := 0; ; attempt++ {
		info, err := f.Stat()
		if err != nil {
			return "", err
		}
		before := c.end
		is, what, err := c.read(&logReader{r: f, salt: c.salt, size: info.Size()})
		if c.end > before {
			attempt = 0 // the log is longer now
		}
		if err != nil || is == free {
			return "", err
		}
		locked := isLocked(f.Handle())
		switch {
		case attempt == 0:
			continue
		case locked && attempt < patience:
			time.Sleep(time.Millisecond << attempt)
			continue
		case is == damaged:
			return "", &Damage{c.end, info.Size() - c.end, what}
		case locked:
			return "", nil
		}
		return what, nil
	}
}

// Refresh reads the changes since the file was opened or last refreshed, and reports whether there
// were any. Even if there are none, its cost grows with the log: it reads the space that is
// reserved for later changes, which is up to as large as the log, and at most 16 MiB.
func (r *Reader) Refresh() (changed bool, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.contents == nil {
		return false, named(r.path, r.closed())
	}
	now, err := os.Stat(r.path)
	if err != nil {
		return false, err
	}
	own, err := r.file.Stat()
	if err != nil {
		return false, named(r.path, err)
	}
	if !os.SameFile(now, own) {
		return true, named(r.path, r.open())
	}
	last := r.last
	r.torn, err = readLog(r.file, r.contents)
	return r.last != last, named(r.path, err)
}

// Close closes the file. The Reader cannot be used afterwards.
func (r *Reader) Close() error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return named(r.path, r.close())
}

func (r *Reader) close() error {
	if r.contents == nil {
		return nil
	}
	err := errors.Join(r.base.close(), r.file.Close())
	r.contents = nil
	return err
}

// Entry is a fingerprint with its id.
type Entry struct {
	ID    ID
	Words []uint64
}

// All yields all entries in ascending order of their ids, or an error. The words are valid until
// the next entry. The loop must not call Refresh or Close.
func (r *Reader) All() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		r.mutex.RLock()
		defer r.mutex.RUnlock()
		if r.contents == nil {
			yield(Entry{}, named(r.path, r.closed()))
			return
		}
		for from := r.contents.cursor(); ; {
			some, err := from.copyNext(readTogether)
			for i := range some.Len() {
				if !yield(Entry{some.id(i), some.At(i)}, nil) {
					return
				}
			}
			if err != nil {
				yield(Entry{}, named(r.path, err))
			}
			if err != nil || some.Len() == 0 {
				return
			}
		}
	}
}

// closed returns the error for a Reader without a file.
func (r *Reader) closed() error {
	if r.path == "" {
		return errors.New("indexfile: Reader was not returned by Open")
	}
	return os.ErrClosed
}

// Info describes a file.
type Info struct {
	Entries    int    // number of entries
	Compacted  int    // number of entries when the file was last written as a whole
	Deleted    int    // number of these that were deleted since
	Inserted   int    // number of entries inserted since, and not deleted
	Bits, K    int    // width of fingerprints; largest distance of a query
	Texts      bool   // whether ids are texts
	Structure  string // structure for searching the compacted entries
	Definition string
	Features   string // Options.Features of Create
	Batches    uint64 // number of batches in the log
	Bytes      int64  // size of the file
	LogBytes   int64  // size of the log
	Torn       string // description of an unacknowledged end of the file; "" if there is none
}

// Info returns a description of the file.
func (r *Reader) Info() (Info, error) {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	if r.contents == nil {
		return Info{}, named(r.path, r.closed())
	}
	own, err := r.file.Stat()
	if err != nil {
		return Info{}, named(r.path, err)
	}
	info := r.info()
	info.Bytes, info.Torn = own.Size(), r.torn
	return info, nil
}

func (c *contents) info() Info {
	return Info{
		Entries: c.Len(), Compacted: int(c.entries), Deleted: c.deadCount, Inserted: len(c.slots),
		Bits: c.bits, K: c.k, Texts: c.texts, Structure: c.design.String(), Definition: c.definition, Features: c.features,
		Batches: c.last, LogBytes: c.end - c.logFrom,
	}
}

// openRegular opens an index file and returns its size. It fails for folders, pipes and other
// special files.
func openRegular(d disk.Disk, name string, flag int) (disk.File, int64, error) {
	f, err := d.Open(name, flag, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		kind := "not a regular file"
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

// Match is an entry near a query.
type Match struct {
	ID       ID
	Distance int // number of bits in which it differs from the query
}

// AppendWithin appends to dst a match for each entry within k bits of the query, in ascending order
// of ids. Query.Allow is called with number ids; if the ids of the file are texts, it must be nil.
// If the query does not have the definition of the file, which Info has, the error is
// fphash.ErrMismatch. On error, dst is unchanged.
func (r *Reader) AppendWithin(dst []Match, query index.Query, k int) ([]Match, error) {
	err := r.search(&query, k, func() (err error) {
		dst, err = r.delta.within(dst, r.contents, query, k)
		return err
	})
	return dst, err
}

// search brings the delta up to date and calls ask with the lock held for reading.
func (r *Reader) search(query *index.Query, k int, ask func() error) error {
	err := r.upToDate()
	if err == nil {
		defer r.mutex.RUnlock()
		if r.contents == nil {
			err = r.closed()
		} else if err = r.checkQuery(query, k); err == nil {
			err = ask()
		}
	}
	return named(r.path, err)
}

// Nearest returns the n entries nearest to a query, or all that its Allow function accepts if there
// are fewer. The nearest come first; at equal distance, they are in order of ids. If fewer than n
// are within the file's k, Nearest scans all entries.
func (r *Reader) Nearest(query index.Query, n int) (all []Match, err error) {
	if n < 1 {
		return nil, fmt.Errorf("indexfile: the %d nearest, expected at least 1", n)
	}
	err = r.search(&query, 0, func() error {
		err := reading(func() error {
			matches, err := r.structure.Nearest(query.Words, n, r.allows(&query))
			if err == nil {
				all, err = r.appendMatches(nil, matches)
			}
			return err
		})
		if err != nil || r.delta.index == nil {
			return err
		}
		matches, err := r.nearestSince(query, n)
		for _, m := range matches {
			all = append(all, Match{r.since.id(int(m.ID)), m.Distance})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b Match) int { return cmp.Or(cmp.Compare(a.Distance, b.Distance), a.ID.compare(b.ID)) })
	return all[:min(n, len(all))], nil
}

// nearestSince returns the n nearest entries inserted after the base, and all others at the
// distance of the last of these. The caller chooses among entries at that distance by their ids,
// whose order is not the order of slots.
func (r *Reader) nearestSince(query index.Query, n int) ([]index.Match, error) {
	query.Allow = r.allowedSince(query.Allow)
	for s, most := r.delta.index.Snapshot(), n+1; ; most *= 2 {
		matches, err := s.Nearest(query, most)
		if err != nil || len(matches) < most || matches[n-1].Distance < matches[most-1].Distance {
			return matches, err
		}
	}
}

// upToDate brings the delta up to date and takes the lock for reading.
func (r *Reader) upToDate() error {
	for {
		r.mutex.RLock()
		if r.contents == nil || r.delta.isCurrent(r.contents) {
			return nil
		}
		r.mutex.RUnlock()
		r.mutex.Lock()
		var err error
		if r.contents != nil {
			err = r.delta.update(r.contents)
		}
		r.mutex.Unlock()
		if err != nil {
			return err
		}
	}
}
