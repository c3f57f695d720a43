package indexfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/disk"
)

// Report describes the damage of a file, and what can be saved.
type Report struct {
	Bytes  int64
	Damage []Damage // in the order of their places; none where all is as it was written
	Torn   string   // what stands at the end and was never acknowledged; empty if nothing does

	Saved int // entries that Salvage can save
	Lost  int // entries of the part that was written whole that it cannot
	// Batches of the log that cannot be read. What they inserted is lost, what they deleted comes
	// back.
	LostBatches int
}

// Verify reads all of a file. The error is for what cannot be looked at; damage is in the report.
func Verify(path string) (*Report, error) {
	report, err := look(path, nil)
	return report, named(path, err)
}

// Salvage is Verify, and writes what can be saved to a new file, unless that is nothing.
func Salvage(path, to string) (*Report, error) {
	var e *Entries
	var options Options
	report, err := look(path, func(h *header, saved *Entries) { e, options = saved, h.options() })
	if err != nil || e == nil || e.Len() == 0 {
		return report, named(path, err)
	}
	return report, Create(to, e, options)
}

// look checks the whole file, and passes on what can be saved.
func look(path string, saved func(*header, *Entries)) (*Report, error) {
	f, size, err := openRegular(disk.Real{}, path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := &looking{f: f, size: size, Report: Report{Bytes: size}}
	if l.header, err = readHeader(f, size); err != nil {
		if !l.found(err) {
			return nil, err
		}
		return &l.Report, nil
	}
	l.found(l.checkSize(size))
	if err := l.blocks(); err != nil {
		return nil, err
	}
	if err := l.log(); err != nil {
		return nil, err
	}
	var all *Entries
	if saved != nil {
		set := l.header.set()
		all = newEntries(&set, l.texts, 0)
	}
	if err := l.entries(all); err != nil {
		return nil, err
	}
	if saved != nil {
		saved(l.header, all)
	}
	return &l.Report, nil
}

// looking is a file that is looked at.
type looking struct {
	*header
	Report
	f    io.ReaderAt
	size int64
	good []bool // by block

	since   *Entries   // what the log inserts
	changed map[ID]int // what became last of the ids in the log: a position in since, or gone
}

const gone = -1

// found takes damage into the report. It returns false for other errors.
func (l *looking) found(err error) bool {
	var damage *Damage
	if !errors.As(err, &damage) {
		return false
	}
	l.Damage = append(l.Damage, *damage)
	return true
}

// readAt reads a part of the file; bytes past the end are zeros.
func (l *looking) readAt(data []byte, at int64) error {
	clear(data)
	if at >= l.size {
		return nil
	}
	_, err := l.f.ReadAt(data[:min(int64(len(data)), l.size-at)], at)
	return err
}

// blocks looks at all that was written whole.
func (l *looking) blocks() error {
	there := max(0, l.size-l.dataFrom()) // of a file that is cut off, what is left
	n := int(min(int64(l.header.blocks()), (there+blockBytes-1)/blockBytes))
	sums := make([]byte, 8*n)
	if err := l.readAt(sums, l.dataTo); err != nil {
		return err
	}
	if n == l.header.blocks() && xxhash.Sum64(sums) != l.sums { // a checksum that fits its block is good all the same
		l.found(&Damage{l.dataTo, int64(len(sums)), "the checksum of the checksums of blocks is wrong"})
	}
	l.good = make([]bool, n)
	data := make([]byte, blockBytes)
	for i := range l.good {
		from, to := l.block(i)
		if err := l.readAt(data[:to-from], from); err != nil {
			return err
		}
		err := l.checkBlock(from, to, data[:to-from], binary.LittleEndian.Uint64(sums[8*i:]))
		l.good[i] = err == nil && to <= l.size
		l.found(err)
	}
	return nil
}

// log looks at all frames, those behind damaged ones too.
func (l *looking) log() error {
	set := l.header.set()
	l.since, l.changed = newEntries(&set, l.texts, 0), map[ID]int{}
	frames := &logReader{r: l.f, salt: l.salt, size: l.size, cut: l.size < l.allocated}
	for at, number := l.logFrom, uint64(1); ; {
		f, is, what, err := frames.next(at, number)
		if err != nil {
			return err
		}
		switch is {
		case free:
			return nil
		case torn:
			l.Torn = what
			return nil
		case good:
			if err := l.replay(f.payload, l); err != nil {
				l.found(&Damage{at, f.next - at, fmt.Sprintf("batch %d: %v", number, err)})
			}
			frames.cut = frames.cut || f.allocated > l.size
			at, number = f.next, number+1
			continue
		}
		next, h, more, err := frames.find(at+align, number+1)
		if err != nil {
			return err
		}
		if !more {
			next = l.size
		}
		if at < l.size {
			l.found(&Damage{at, next - at, what})
		} else if len(l.Damage) == 0 {
			l.found(&Damage{l.size, 0, what})
		}
		if !more {
			l.LostBatches++ // one at least
			return nil
		}
		l.LostBatches += int(h.number - number)
		at, number = next, h.number
	}
}

func (l *looking) insert(id ID, words []uint64) error {
	l.changed[id] = l.since.Len()
	l.since.add(id, words)
	return nil
}

func (l *looking) delete(id ID) error {
	l.changed[id] = gone
	return nil
}
