package indexfile

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/disk"
)

// Report describes the damage of a file, and how many entries can be saved.
type Report struct {
	Bytes  int64
	Damage []Damage // in order of offset; empty if the file is undamaged
	Torn   string   // description of an unacknowledged end of the file; "" if there is none

	Saved int // number of entries that Salvage can save
	Lost  int // number of entries of the base that Salvage cannot save
	// LostBatches is the number of batches of the log that cannot be read. The entries that they
	// inserted are lost, and the entries that they deleted reappear.
	LostBatches int
}

// Verify checks the whole file. It returns an error only if the file cannot be read; damage is in
// the report. It ends early with an error if the context is done.
func Verify(ctx context.Context, path string) (*Report, error) {
	l, err := look(ctx, path, false)
	if err != nil {
		return nil, named(path, err)
	}
	return &l.Report, nil
}

// Salvage is Verify, but also writes the entries that can be saved, if any, to a new file.
func Salvage(ctx context.Context, path, to string) (*Report, error) {
	l, err := look(ctx, path, true)
	if err != nil {
		return nil, named(path, err)
	}
	if l.saved == nil || l.saved.Len() == 0 {
		return &l.Report, nil
	}
	return &l.Report, Create(ctx, to, l.saved, l.header.options())
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
	f    io.ReaderAt
	size int64
	good []bool // by block

	since   *Entries   // entries that the log inserts
	changed map[ID]int // by id in the log: its last position in since, or gone
	saved   *Entries   // entries that Salvage writes; nil for Verify
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

// entries saves the entries that can be saved, and counts the others.
func (l *looking) entries() error {
	stride := int64((l.bits + 63) / 64)
	words := l.part(sectionWords, 8*stride)
	ids, texts := l.part(sectionNumbers, 8), l.part(sectionTexts, 1)
	if l.texts {
		ids = l.part(sectionTextEnds, 8)
	}
	var before ID
	first, ascend := true, true
	n := int64(l.header.entries)
	if words.size != n*words.each {
		l.found(l.wrong("fingerprints of %d bytes, expected %d", words.size, n*words.each))
		l.saveSince()
		return nil
	}
	there := min(n, max(0, l.size-words.offset)/words.each) // the file may be truncated
	l.Lost += int(n - there)
	for i := range there {
		id, ok, err := l.id(i, ids, texts)
		var w []byte
		if err == nil && ok {
			w, ok, err = words.get(i, 1)
		}
		if err != nil {
			return err
		}
		if !ok {
			l.Lost++
			continue
		}
		ascend = ascend && (first || before.compare(id) < 0)
		before, first = id, false
		if _, changed := l.changed[id]; changed {
			continue
		}
		l.save(id, numbers[uint64](w))
	}
	if !ascend {
		l.found(&Damage{l.dataFrom(), l.dataTo - l.dataFrom(), "ids are not in ascending order"})
	}
	l.saveSince()
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

// id returns the id of an entry of the base, and whether it can be read.
func (l *looking) id(i int64, ids, texts *part) (id ID, ok bool, err error) {
	if !l.texts {
		data, ok, err := ids.get(i, 1)
		if err != nil || !ok {
			return id, false, err
		}
		return ID{Number: binary.LittleEndian.Uint64(data)}, true, nil
	}
	from := uint64(0)
	if i > 0 {
		data, ok, err := ids.get(i-1, 1)
		if err != nil || !ok {
			return id, false, err
		}
		from = binary.LittleEndian.Uint64(data)
	}
	data, ok, err := ids.get(i, 1)
	if err != nil || !ok {
		return id, false, err
	}
	to := binary.LittleEndian.Uint64(data)
	if from > to || to > uint64(texts.size) || to-from > longestText {
		return id, false, nil
	}
	text, ok, err := texts.get(int64(from), int64(to-from))
	return ID{Text: string(text)}, ok, err
}

// part reads a section from start to end.
type part struct {
	looking *looking
	section
	each   int64 // size of an element in bytes
	buffer []byte
	at     int64 // offset of the buffer in the file
}

func (l *looking) part(kind uint32, each int64) *part {
	s, _ := l.find(kind, 0)
	return &part{looking: l, section: s, each: each}
}

// get returns n elements from element i on, valid until the next call, and whether they are
// undamaged.
func (p *part) get(i, n int64) ([]byte, bool, error) {
	from, size := p.offset+i*p.each, n*p.each
	if from+size > p.offset+p.size {
		return nil, false, nil
	}
	if from < p.at || from+size > p.at+int64(len(p.buffer)) {
		if p.buffer == nil {
			p.buffer = make([]byte, max(size, min(readAhead, p.size)))
		}
		if int64(len(p.buffer)) < size {
			p.buffer = make([]byte, size)
		}
		p.at = max(p.offset, from-p.each) // for texts, the previous element is needed again
		p.buffer = p.buffer[:cap(p.buffer)]
		if from+size > p.at+int64(len(p.buffer)) {
			p.at = from
		}
		if err := p.looking.readAt(p.buffer, p.at); err != nil {
			return nil, false, err
		}
	}
	first := (from - p.looking.dataFrom()) / blockBytes
	for block := first; size > 0 && block <= (from+size-1-p.looking.dataFrom())/blockBytes; block++ {
		if block >= int64(len(p.looking.good)) || !p.looking.good[block] {
			return nil, false, nil
		}
	}
	return p.buffer[from-p.at:][:size], true, nil
}

// Damage is a part of a file that was changed after it was written.
type Damage struct {
	Offset, Bytes int64
	What          string
}

func (d *Damage) Error() string {
	return fmt.Sprintf("damaged at byte %d: %s; fphash index verify lists what can be saved", d.Offset, d.What)
}

// ErrChanged is the error for a file that was changed, other than by a Writer, while it was being
// read.
var ErrChanged = errors.New("the file was changed or cut off while it was read")

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
	return fmt.Errorf("%w (%v)", ErrChanged, fault)
}
