package indexfile

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash/index/internal/search"
	"simhashkit/internal/disk"
)

// Report describes the damage of a file, and how many entries can be saved.
type Report struct {
	Bytes  int64
	Damage []Damage // in order of offset; empty if the file is undamaged
	Torn   string   // description of an unacknowledged end of the file; "" if there is none

	Saved int // number of entries that can be saved
	Lost  int // number of entries of the base that cannot be saved
	// LostBatches is the number of batches of the log that cannot be read. The entries that they
	// inserted are lost, and the entries that they deleted reappear.
	LostBatches int
}

// Verify checks the whole file, and writes the entries that can be saved, if any, to the new file
// salvaged, unless that is "". It returns an error only if a file cannot be read or written; damage
// is in the report. It ends early with an error if the context is done.
func Verify(ctx context.Context, path, salvaged string) (*Report, error) {
	l, err := look(ctx, path, salvaged != "")
	if err != nil {
		return nil, named(path, err)
	}
	if l.saved == nil || l.saved.Len() == 0 {
		return &l.Report, nil
	}
	return &l.Report, Create(ctx, salvaged, l.saved, l.header.options())
}

// look checks the whole file. If collect is true, it also collects the entries that can be saved.
func look(ctx context.Context, path string, collect bool) (*looking, error) {
	f, size, err := openRegular(disk.Real{}, path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := &looking{ctx: ctx, f: f, size: size, Report: Report{Bytes: size}}
	if l.header, err = readHeader(f, size); err != nil {
		if l.found(err) {
			return l, nil
		}
		return nil, err
	}
	set := l.header.set()
	if l.since = newEntries(&set, l.texts, 0); collect {
		l.saved = newEntries(&set, l.texts, 0)
	}
	l.found(l.checkSize(size))
	for _, step := range []func() error{l.blocks, l.log, l.entries} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// looking is the state of the check of a file.
type looking struct {
	*header
	Report
	ctx  context.Context
	f    disk.File
	size int64
	good []bool // by block

	since   *Entries   // entries that the log inserts
	changed map[ID]int // by id in the log: its last position in since, or gone
	saved   *Entries   // entries to be saved; nil: they are only counted
}

const gone = -1

// found adds damage to the report. It returns false for other errors.
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
	if l.ctx.Err() != nil {
		return context.Cause(l.ctx)
	}
	clear(data)
	if at >= l.size {
		return nil
	}
	_, err := l.f.ReadAt(data[:min(int64(len(data)), l.size-at)], at)
	return err
}

// blocks checks the base.
func (l *looking) blocks() error {
	there := max(0, l.size-l.dataFrom()) // remaining bytes of a truncated file
	n := int(min(int64(l.header.blocks()), (there+blockBytes-1)/blockBytes))
	sums := make([]byte, 8*n)
	if err := l.readAt(sums, l.dataTo); err != nil {
		return err
	}
	if n == l.header.blocks() && xxhash.Sum64(sums) != l.sums { // single sums may be good
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

// log checks all frames, including those after damaged ones.
func (l *looking) log() error {
	l.changed = map[ID]int{}
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
			l.LostBatches++ // at least one
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

// entries saves the entries that can be saved, and counts the others. It reads the base like a
// Reader, but leaves out the damaged blocks.
func (l *looking) entries() error {
	b, err := mapBase(l.f, l.header, min(l.size, l.logFrom))
	if err != nil {
		return err
	}
	defer b.close()
	b.guard = search.NewGuard(b.mapped[min(l.dataFrom(), l.size):], l.header.blocks(), func(block int) error {
		if block >= len(l.good) || !l.good[block] {
			return &Damage{}
		}
		return nil
	})
	return reading(func() error {
		if err := b.layEntries(); err != nil {
			l.found(err)
		} else if err := l.saveBase(b); err != nil {
			return err
		}
		l.saveSince()
		return nil
	})
}

// saveBase saves the entries of the base.
func (l *looking) saveBase(b *base) error {
	var before ID
	first, ascend := true, true
	for i := range int(l.header.entries) {
		if i%readTogether == 0 && l.ctx.Err() != nil {
			return context.Cause(l.ctx)
		}
		id, err := b.id(i)
		var words []uint64
		if err == nil {
			words, err = b.entry(i)
		}
		if err != nil {
			l.Lost++
			continue
		}
		ascend = ascend && (first || before.compare(id) < 0)
		before, first = id, false
		if _, changed := l.changed[id]; !changed {
			l.save(id, words)
		}
	}
	if !ascend {
		l.found(&Damage{l.dataFrom(), l.dataTo - l.dataFrom(), "ids are not in ascending order"})
	}
	return nil
}

func (l *looking) saveSince() {
	for i := range l.since.Len() {
		if id := l.since.id(i); l.changed[id] == i {
			l.save(id, l.since.At(i))
		}
	}
}

// save counts an entry, and collects it if collecting.
func (l *looking) save(id ID, words []uint64) {
	if l.Saved++; l.saved != nil {
		l.saved.add(id, words)
	}
}

// Damage is a part of a file that was changed after it was written.
type Damage struct {
	Offset, Bytes int64
	What          string
}

func (d *Damage) Error() string {
	return fmt.Sprintf("damaged at byte %d: %s; fphash index verify lists what can be saved", d.Offset, d.What)
}

// errChanged is the error for a file that was changed, other than by a Writer, while it was being
// read.
var errChanged = errors.New("the file was changed or cut off while it was read")

// named adds the name of the file to an error.
func named(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}

// reading calls a function that reads mapped memory. If the file was truncated or overwritten after
// it was checked, the result is an error instead of a crash.
func reading(read func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() { err = faulted(before, recover(), err) }()
	return read()
}

// faulted ends the reading of mapped memory. Its arguments are the recovered value and the error of
// the read.
func faulted(before bool, panicked any, err error) error {
	debug.SetPanicOnFault(before)
	if panicked == nil {
		return err
	}
	fault, ok := panicked.(runtime.Error)
	if !ok {
		panic(panicked)
	}
	return fmt.Errorf("%w (%v)", errChanged, fault)
}
