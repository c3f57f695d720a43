package indexfile

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"simhashkit/fphash/index"
	"simhashkit/internal/disk"
)

// Reader searches an index file. All methods may be called by any number of goroutines at once;
// those that search see the file as it was at one moment, when it was opened or last refreshed.
type Reader struct {
	path  string
	mutex sync.RWMutex // held for writing while something below changes
	file  disk.File
	*contents
	delta
	torn string
}

// Open opens a file to be searched. It takes no time but for the log: some 0.3 s for a million
// entries that are not compacted.
func Open(path string) (*Reader, error) {
	r := &Reader{path: path}
	if err := r.open(); err != nil {
		return nil, named(path, err)
	}
	return r, nil
}

// open opens the file that has the path now, in place of the one there was.
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

// patience is how often a place is looked at again that a writer may be writing to right now, or
// once where nobody writes: a writer may just have ended.
const patience = 5

// readLog applies new log entries. It returns the unacknowledged bytes behind them; while another
// process writes, these are its current work.
func readLog(f disk.File, c *contents) (torn string, err error) {
	for attempt := 0; ; attempt++ {
		info, err := f.Stat()
		if err != nil {
			return "", err
		}
		before := c.end
		is, what, err := c.read(&logReader{r: f, salt: c.salt, size: info.Size()})
		if c.end > before {
			attempt = 0 // it was another place
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

// Refresh takes over what was written since the file was opened or last refreshed, and reports
// whether that was anything.
func (r *Reader) Refresh() (changed bool, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.contents == nil {
		return false, named(r.path, os.ErrClosed)
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

// Close ends the use of the file.
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

// Set returns an empty set with the definition of the file. Compare it with another set to see
// whether they can be compared.
func (r *Reader) Set() *index.Set {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	set := r.header.set()
	return &set
}

// All calls yield with all entries in ascending order of their ids, until it returns false. Words
// must not be changed.
func (r *Reader) All(yield func(id ID, words []uint64) bool) error {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	if r.contents == nil {
		return named(r.path, os.ErrClosed)
	}
	stop := errors.New("enough")
	err := reading(func() error {
		return r.each(func(id ID, words []uint64) error {
			if !yield(id, words) {
				return stop
			}
			return nil
		})
	})
	if err == stop {
		return nil
	}
	return named(r.path, err)
}

// Info describes a file.
type Info struct {
	Entries    int    // that are found
	Compacted  int    // that were there when the file was last written whole
	Deleted    int    // of those, since
	Inserted   int    // since, and still there
	Bits, K    int    // of fingerprints; the largest distance that may be asked for
	Texts      bool   // ids are texts
	Structure  string // that finds what was compacted
	Definition string
	Features   string // Options.Features of Create
	Batches    uint64 // in the log
	Bytes      int64  // of the file
	LogBytes   int64  // of them in the log
	Torn       string // what stands at the end and was never acknowledged; empty if nothing does
}

// Info returns a description of the file.
func (r *Reader) Info() (Info, error) {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	if r.contents == nil {
		return Info{}, named(r.path, os.ErrClosed)
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
		Entries: c.Len(), Compacted: int(c.entries), Deleted: c.deadCount, Inserted: c.slots.len(),
		Bits: c.bits, K: c.k, Texts: c.texts, Structure: c.structure.Name(), Definition: c.definition, Features: c.features,
		Batches: c.last, LogBytes: c.end - c.logFrom,
	}
}

// openRegular opens an index file and returns its size. It fails for folders, pipes and the like.
func openRegular(d disk.Disk, name string, flag int) (disk.File, int64, error) {
	f, err := d.Open(name, flag, 0)
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
