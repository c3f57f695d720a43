package indexfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
)

// entries counts the entries that can be saved, and those that cannot, and collects the former if
// there is where to.
func (l *looking) entries(to *Entries) error {
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
		return l.entriesSince(to)
	}
	there := min(n, max(0, l.size-words.offset)/words.each) // in a file that may be cut off
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
		l.Saved++
		if to != nil {
			to.add(id, slices.Clone(numbers[uint64](w)))
		}
	}
	if !ascend {
		l.found(&Damage{l.dataFrom(), l.dataTo - l.dataFrom(), "ids are not in ascending order"})
	}
	return l.entriesSince(to)
}

// entriesSince counts and collects those of the log.
func (l *looking) entriesSince(to *Entries) error {
	for i := range l.since.Len() {
		id := l.since.id(i)
		if l.changed[id] != i {
			continue
		}
		l.Saved++
		if to != nil {
			to.add(id, l.since.At(i))
		}
	}
	return nil
}

// id returns the id of an entry of what was written whole, and whether it can be read.
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

// part reads a section from the beginning to the end.
type part struct {
	looking *looking
	section
	each   int64 // bytes of an element
	buffer []byte
	at     int64 // of the buffer, in the file
}

func (l *looking) part(kind uint32, each int64) *part {
	s, _ := l.find(kind, 0)
	return &part{looking: l, section: s, each: each}
}

// get returns n elements from the i-th on, valid until the next call, and whether they are as they
// were written.
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
		p.at = max(p.offset, from-p.each) // of texts the element before is asked for again
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

// Damage is a place of a file that is not as it was written.
type Damage struct {
	Offset, Bytes int64
	What          string
}

func (d *Damage) Error() string {
	return fmt.Sprintf("damaged at byte %d: %s, expected it as it was written (fphash index verify looks at all of the file)", d.Offset, d.What)
}

// ErrChanged is the error of a file that was changed under a reader by something else than a
// Writer.
var ErrChanged = errors.New("the file was changed or cut off while it was read")

// named puts the name of the file before an error.
func named(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}

// reading calls what reads memory that a file is mapped to. Where the file was cut off or written
// over since it was checked, that is an error and no crash.
func reading(read func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() { err = faulted(before, recover(), err) }()
	return read()
}

// faulted ends the reading of memory that a file is mapped to, with what was recovered from it and
// its error.
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
