package indexfile

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/cespare/xxhash/v2"
	"github.com/edsrzf/mmap-go"

	"simhashkit/fphash/index"
	"simhashkit/fphash/index/internal/layout"
	"simhashkit/internal/disk"
	"simhashkit/internal/hugepages"
)

// base is the part of a file that does not change, mapped to memory.
type base struct {
	*header
	mapped    mmap.MMap
	sums      []uint64 // of blocks
	guard     *layout.Guard
	structure index.Structure
	set       *index.Set // without ids: positions are asked for
	ids       []uint64
	textEnds  []uint64
	text      []byte

	wordsAt, idsAt, textAt int // where sections begin, from the first block on
}

// readHeader reads the header of a file of that size.
func readHeader(r io.ReaderAt, size int64) (*header, error) {
	prefix := make([]byte, prefixBytes)
	if n, err := r.ReadAt(prefix, 0); err != nil && err != io.EOF {
		return nil, err
	} else if n < prefixBytes {
		if n == 0 || n >= len(magic) && string(prefix[:len(magic)]) != magic || n < len(magic) && string(prefix[:n]) != magic[:n] {
			return nil, errForeign
		}
		return nil, &Damage{0, size, "the file is cut off in its header"}
	}
	length, err := headerLength(prefix)
	if err != nil {
		return nil, err
	}
	if length > size {
		return nil, &Damage{0, size, fmt.Sprintf("the file is cut off: it has %d bytes, of which the header alone should be %d", size, length)}
	}
	data := make([]byte, length)
	if _, err := r.ReadAt(data, 0); err != nil {
		return nil, err
	}
	return parseHeader(data)
}

// checkSize returns an error if the file is shorter than it was when it was written.
func (h *header) checkSize(size int64) error {
	if size < h.allocated {
		return &Damage{size, h.allocated - size, fmt.Sprintf("the file is cut off: it has %d bytes, at least %d when it was written", size, h.allocated)}
	}
	return nil
}

// openBase maps a file of that size.
func openBase(f disk.File, size int64) (*base, error) {
	h, err := readHeader(f, size)
	if err == nil {
		err = h.checkSize(size)
	}
	if err != nil {
		return nil, err
	}
	if h.logFrom > math.MaxInt {
		return nil, fmt.Errorf("an index of %d bytes, more than this machine can map", h.logFrom)
	}
	mapped, err := mmap.MapRegion(f.Handle(), int(h.logFrom), mmap.RDONLY, 0, 0)
	if err != nil {
		return nil, fmt.Errorf("mapping it to memory: %w", err)
	}
	hugepages.Advise(mapped)
	b := &base{header: h, mapped: mapped}
	if err := reading(b.lay); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *base) close() error {
	if b.mapped == nil {
		return nil
	}
	err := b.mapped.Unmap()
	b.mapped = nil
	return err
}

// lay lays the arrays over the memory.
func (b *base) lay() error {
	sums := b.mapped[b.dataTo : b.dataTo+8*int64(b.blocks())]
	if sum := xxhash.Sum64(sums); sum != b.header.sums {
		return &Damage{b.dataTo, int64(len(sums)), "the checksum of the checksums of blocks is wrong"}
	}
	b.sums = numbers[uint64](sums)
	b.guard = layout.NewGuard(b.mapped[b.dataFrom():b.dataTo], b.checkBlock)
	if !littleEndian { // what is used are copies, so all must be good
		if err := b.guard.Use(0, int(b.dataTo-b.dataFrom())); err != nil {
			return err
		}
	}
	set := b.header.set()
	b.set = &set
	b.set.Words = numbers[uint64](b.bytes(sectionWords, 0))
	b.ids, b.textEnds, b.text = numbers[uint64](b.bytes(sectionNumbers, 0)), numbers[uint64](b.bytes(sectionTextEnds, 0)), b.bytes(sectionTexts, 0)
	b.wordsAt, b.textAt = b.place(sectionWords), b.place(sectionTexts)
	names := len(b.ids)
	if b.idsAt = b.place(sectionNumbers); b.texts {
		b.idsAt = b.place(sectionTextEnds)
		names = len(b.textEnds)
	}
	if b.set.Len() != int(b.entries) || len(b.set.Words)%b.set.Stride() != 0 || names != int(b.entries) {
		return b.wrong("%d fingerprints and %d ids, expected %d", b.set.Len(), names, b.entries)
	}
	var tables []layout.Table
	for i := range uint32(b.tables()) {
		tables = append(tables, layout.Table{
			Starts: numbers[uint32](b.bytes(sectionStarts, i)), Screens: numbers[uint32](b.bytes(sectionScreens, i)),
			Positions: numbers[uint32](b.bytes(sectionPositions, i)),
		})
	}
	var err error
	if b.structure, err = index.Restore(b.set, b.design, tables, b.guard); err != nil {
		return b.wrong("%v", err)
	}
	if b.structure.MaxK() < b.k {
		return b.wrong("k = %d with %s", b.k, b.structure.Name())
	}
	return nil
}

// bytes returns a section; nil if the file has none.
func (b *base) bytes(kind, table uint32) []byte {
	s, ok := b.find(kind, table)
	if !ok {
		return nil
	}
	return b.mapped[s.offset : s.offset+s.size : s.offset+s.size]
}

// place returns where a section begins, from the first block on.
func (b *base) place(kind uint32) int {
	s, _ := b.find(kind, 0)
	return int(s.offset - b.dataFrom())
}

// id returns the id at a position.
func (b *base) id(i int) (id ID, err error) {
	if !b.texts {
		if err := b.guard.Use(b.idsAt+8*i, 8); err != nil {
			return id, err
		}
		return ID{Number: b.ids[i]}, nil
	}
	first := max(0, i-1)
	if err := b.guard.Use(b.idsAt+8*first, 8*(i-first+1)); err != nil {
		return id, err
	}
	from := uint64(0)
	if i > 0 {
		from = b.textEnds[i-1]
	}
	to := b.textEnds[i]
	if from > to {
		return id, &Damage{b.dataFrom(), b.dataTo - b.dataFrom(), fmt.Sprintf("id %d ends at %d before it begins at %d", i, to, from)}
	}
	if err := b.guard.Use(b.textAt+int(from), int(to-from)); err != nil {
		return id, err
	}
	return ID{Text: string(b.text[from:to])}, nil
}

// position returns where an id stands.
func (b *base) position(id ID) (position int, found bool, err error) {
	position = sort.Search(int(b.entries), func(i int) bool {
		other, failed := b.id(i)
		if failed != nil {
			err = failed
		}
		return err != nil || other.compare(id) >= 0
	})
	if err != nil || position == int(b.entries) {
		return 0, false, err
	}
	other, err := b.id(position)
	return position, err == nil && other == id, err
}

// entry returns the words at a position, which must not be changed.
func (b *base) entry(i int) ([]uint64, error) {
	w := b.set.Stride()
	if err := b.guard.Use(b.wordsAt+8*w*i, 8*w); err != nil {
		return nil, err
	}
	return b.set.At(i), nil
}

// putSum appends a checksum as it stands in the file.
func putSum(dst []byte, sum uint64) []byte { return binary.LittleEndian.AppendUint64(dst, sum) }
