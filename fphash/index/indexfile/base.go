package indexfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"unsafe"

	"github.com/cespare/xxhash/v2"
	"github.com/edsrzf/mmap-go"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/internal/search"
	"simhashkit/internal/disk"
	"simhashkit/internal/hugepages"
)

// magic begins every index file. version is the version of the format.
const (
	magic   = "\x89FPI\r\n\x1a\n"
	version = 1
)

// header is the first part of the file. It never changes.
type header struct {
	salt       uint64 // random number that marks the frames of this file's log
	bits, k    int
	texts      bool
	design     search.Design
	entries    uint64
	dataTo     int64 // end of the sections, which start at dataFrom
	sums       uint64
	logFrom    int64
	allocated  int64 // size of the file when the header was written
	sections   []section
	definition string
	features   string

	length int64 // length of the header, including its checksum
}

// section is an array of numbers or bytes in the file.
type section struct {
	Kind, Table  uint32
	Offset, Size int64
}

// The kinds of sections. The kinds 2, 6 and 10 are not in use.
const (
	sectionWords     = 1
	sectionNumbers   = 3
	sectionTextEnds  = 4
	sectionTexts     = 5
	sectionStarts    = 7
	sectionScreens   = 8
	sectionPositions = 9
)

const (
	prefixBytes  = 16  // magic, version, length of the header
	fixedBytes   = 112 // with the prefix
	sectionBytes = 24
	mostHeader   = 1 << 20
	blockBytes   = search.GuardBlock
	align        = 64 // alignment of sections and of entries of the log
)

func aligned(n int64) int64 { return (n + align - 1) &^ (align - 1) }

// dataFrom returns the offset of the first section and of the first block.
func (h *header) dataFrom() int64 { return aligned(h.length) }

// blocks returns the number of blocks of the sections.
func (h *header) blocks() int { return int((h.dataTo - h.dataFrom() + blockBytes - 1) / blockBytes) }

// set returns an empty set with the properties in the header.
func (h *header) set() index.Set { return index.Set{Bits: h.bits, Definition: h.definition} }

func (h *header) stride() int { return (h.bits + 63) / 64 }

func (h *header) measure() {
	h.length = (fixedBytes+int64(len(h.sections))*sectionBytes+int64(len(h.definition)+len(h.features))+7)&^7 + 8
}

// fixedHeader is the first part of a header in the file.
type fixedHeader struct {
	Magic                                     [len(magic)]byte
	Version, Length                           uint32
	Salt                                      uint64
	Bits, Texts, K, Reserved                  uint32
	Blocks, Choose, Rest, Errors              uint32
	Entries, DataTo, Sums, LogFrom, Allocated uint64
	BlockBytes, Sections                      uint32
	Definition, Features                      uint32 // lengths
}

func (h *header) append(dst []byte) []byte {
	start := len(dst)
	fixed := fixedHeader{
		Magic: [len(magic)]byte([]byte(magic)), Version: version, Length: uint32(h.length), Salt: h.salt,
		Bits: uint32(h.bits), K: uint32(h.k), Blocks: uint32(h.design.Blocks), Choose: uint32(min(h.design.Blocks, 1)), Errors: uint32(h.design.Errors),
		Entries: h.entries, DataTo: uint64(h.dataTo), Sums: h.sums, LogFrom: uint64(h.logFrom), Allocated: uint64(h.allocated),
		BlockBytes: blockBytes, Sections: uint32(len(h.sections)), Definition: uint32(len(h.definition)), Features: uint32(len(h.features)),
	}
	if h.texts {
		fixed.Texts = 1
	}
	dst, _ = binary.Append(dst, binary.LittleEndian, &fixed) // numbers cannot fail
	dst, _ = binary.Append(dst, binary.LittleEndian, h.sections)
	dst = append(dst, h.definition...)
	dst = append(dst, h.features...)
	for (len(dst)-start)%8 != 0 {
		dst = append(dst, 0)
	}
	return putSum(dst, xxhash.Sum64(dst[start:]))
}

// headerLength returns the length of the header that begins with prefix.
func headerLength(prefix []byte) (int64, error) {
	if len(prefix) < prefixBytes || string(prefix[:len(magic)]) != magic {
		return 0, errForeign
	}
	if v := binary.LittleEndian.Uint32(prefix[8:]); v != version {
		return 0, fmt.Errorf("an index file of version %d, expected %d", v, version)
	}
	length := int64(binary.LittleEndian.Uint32(prefix[12:]))
	if length < fixedBytes+8 || length > mostHeader || length%8 != 0 {
		return 0, &Damage{0, prefixBytes, fmt.Sprintf("the header gives its length as %d bytes, expected %d to %d", length, fixedBytes+8, mostHeader)}
	}
	return length, nil
}

// errForeign is the error for files that are not index files.
var errForeign = errors.New("not an index file, expected one that fphash index build has written")

func parseHeader(data []byte) (*header, error) {
	end := len(data) - 8
	if sum := xxhash.Sum64(data[:end]); sum != binary.LittleEndian.Uint64(data[end:]) {
		return nil, &Damage{0, int64(len(data)), "the header's checksum is wrong"}
	}
	var f fixedHeader
	at, _ := binary.Decode(data, binary.LittleEndian, &f) // headerLength has checked the length
	h := &header{
		length: int64(len(data)), salt: f.Salt, bits: int(f.Bits), texts: f.Texts == 1, k: int(f.K),
		entries: f.Entries, dataTo: int64(f.DataTo), sums: f.Sums, logFrom: int64(f.LogFrom), allocated: int64(f.Allocated),
	}
	if f.Reserved != 0 {
		return nil, fmt.Errorf("an index file with %d at byte 36 of its header, expected 0: its entries contain more than fingerprints; build it again", f.Reserved)
	}
	if f.Choose == 1 && f.Rest == 0 { // otherwise, an older version has made tables that this one does not use
		h.design = search.Design{Blocks: int(f.Blocks), Errors: int(f.Errors)}
	}
	texts := int64(at) + int64(f.Sections)*sectionBytes
	features := texts + int64(f.Definition)
	if f.BlockBytes != blockBytes || features+int64(f.Features) > int64(end) {
		return nil, h.wrong("blocks of %d bytes, %d sections, texts of %d and %d bytes", f.BlockBytes, f.Sections, f.Definition, f.Features)
	}
	h.sections = make([]section, f.Sections)
	_, _ = binary.Decode(data[at:], binary.LittleEndian, h.sections)
	h.definition, h.features = string(data[texts:features]), string(data[features:features+int64(f.Features)])
	return h, h.check()
}

// wrong returns an error for impossible values in a header whose checksum is right.
func (h *header) wrong(format string, args ...any) error {
	return &Damage{0, h.length, "the header has impossible values: " + fmt.Sprintf(format, args...)}
}

func (h *header) check() error {
	switch {
	case h.bits < 1 || h.bits > fphash.MaxBits || h.k < 0 || h.k > h.bits:
		return h.wrong("%d bits, k = %d", h.bits, h.k)
	case h.entries >= 1<<32-1:
		return h.wrong("%d entries", h.entries)
	case h.dataTo < h.dataFrom() || h.logFrom != aligned(h.dataTo+8*int64(h.blocks())) || h.logFrom > 1<<46 || h.allocated < h.logFrom+align || h.allocated > 1<<46:
		return h.wrong("sections to %d, the log from %d to %d", h.dataTo, h.logFrom, h.allocated)
	}
	if set := h.set(); h.definition != "" && set.CheckDefinition() != nil {
		return h.wrong("%d bits of the definition %q", h.bits, h.definition)
	}
	at := h.dataFrom()
	for _, s := range h.sections {
		if s.Offset != aligned(at) || s.Size < 0 || s.Size > h.dataTo-s.Offset {
			return h.wrong("a section of %d bytes from %d", s.Size, s.Offset)
		}
		at = s.Offset + s.Size
	}
	if at != h.dataTo {
		return h.wrong("sections to %d, expected %d", at, h.dataTo)
	}
	return nil
}

func (h *header) find(kind, table uint32) (section, bool) {
	for _, s := range h.sections {
		if s.Kind == kind && s.Table == table {
			return s, true
		}
	}
	return section{}, false
}

// littleEndian reports whether numbers in memory have the byte order of the file.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// numbers returns little-endian numbers in place, or a copy on machines with the other byte order.
func numbers[T uint32 | uint64](data []byte) []T {
	size := int(unsafe.Sizeof(T(0)))
	if len(data) < size {
		return nil
	}
	first := unsafe.Pointer(unsafe.SliceData(data))
	if littleEndian && uintptr(first)%uintptr(size) == 0 {
		return unsafe.Slice((*T)(first), len(data)/size)
	}
	copied := make([]T, len(data)/size)
	_, _ = binary.Decode(data, binary.LittleEndian, copied) // copied has the right size
	return copied
}

// piece is the number of numbers that are converted to the byte order of the file at a time.
const piece = 8192

// writeNumbers calls write with the numbers in the byte order of the file, a piece at a time.
func writeNumbers[T uint32 | uint64](list []T, write func([]byte) error) error {
	size := int(unsafe.Sizeof(T(0)))
	var buffer []byte
	for len(list) > 0 {
		n := min(len(list), piece)
		var data []byte
		if littleEndian {
			data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), n*size)
		} else {
			buffer, _ = binary.Append(buffer[:0], binary.LittleEndian, list[:n]) // numbers cannot fail
			data = buffer
		}
		if err := write(data); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// base is the mapped part of a file. It does not change.
type base struct {
	*header
	mapped    mmap.MMap
	sums      []uint64 // checksums of the blocks
	guard     *search.Guard
	structure *search.Structure
	words     []uint64
	ids       []uint64
	textEnds  []uint64
	text      []byte

	wordsAt, idsAt, textAt int // offsets of sections, relative to the first block
}

// readHeader reads the header of a file of the given size.
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
		return nil, &Damage{0, size, fmt.Sprintf("the file is cut off in its header of %d bytes", length)}
	}
	data := make([]byte, length)
	if _, err := r.ReadAt(data, 0); err != nil {
		return nil, err
	}
	return parseHeader(data)
}

// checkSize returns an error if the file has become shorter since the header was written.
func (h *header) checkSize(size int64) error {
	if size < h.allocated {
		return &Damage{size, h.allocated - size, fmt.Sprintf("the file is cut off: it had at least %d bytes", h.allocated)}
	}
	return nil
}

func openBase(f disk.File, size int64) (*base, error) {
	h, err := readHeader(f, size)
	if err == nil {
		err = h.checkSize(size)
	}
	if err != nil {
		return nil, err
	}
	b, err := mapBase(f, h, h.logFrom)
	if err != nil {
		return nil, err
	}
	if err := reading(b.lay); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// mapBase maps the start of a file to memory.
func mapBase(f disk.File, h *header, size int64) (*base, error) {
	if size > math.MaxInt {
		return nil, fmt.Errorf("an index of %d bytes, more than this machine can map", size)
	}
	mapped, err := mmap.MapRegion(f.Handle(), int(size), mmap.RDONLY, 0, 0)
	if err != nil {
		return nil, fmt.Errorf("map to memory: %w", err)
	}
	hugepages.Advise(mapped)
	return &base{header: h, mapped: mapped}, nil
}

func (b *base) close() error {
	if b.mapped == nil {
		return nil
	}
	err := b.mapped.Unmap()
	b.mapped = nil
	return err
}

// lay makes the arrays refer to the mapped memory.
func (b *base) lay() error {
	sums := b.mapped[b.dataTo : b.dataTo+8*int64(b.blocks())]
	if sum := xxhash.Sum64(sums); sum != b.header.sums {
		return &Damage{b.dataTo, int64(len(sums)), "the checksum of the checksums of blocks is wrong"}
	}
	b.sums = numbers[uint64](sums)
	b.guard = search.NewGuard(b.mapped[b.dataFrom():b.dataTo], b.blocks(), b.checkBlock)
	if !littleEndian { // the arrays are copies, so check all blocks now
		if err := b.guard.Use(0, int(b.dataTo-b.dataFrom())); err != nil {
			return err
		}
	}
	if err := b.layEntries(); err != nil {
		return err
	}
	var tables []search.Table
	for i := range uint32(b.design.Blocks) {
		tables = append(tables, search.Table{
			Starts: numbers[uint32](b.bytes(sectionStarts, i)), Screens: numbers[uint32](b.bytes(sectionScreens, i)),
			Positions: numbers[uint32](b.bytes(sectionPositions, i)),
		})
	}
	var err error
	if b.structure, err = search.Restore(search.Fingerprints{Bits: b.bits, Words: b.words}, b.design, tables, b.guard); err != nil {
		return b.wrong("%v", err)
	}
	if b.structure.MaxK() < b.k {
		return b.wrong("k = %d with %s", b.k, b.design)
	}
	return nil
}

// layEntries makes the arrays of the entries refer to the mapped memory. If the file is truncated,
// they are shorter than the sections.
func (b *base) layEntries() error {
	b.words = numbers[uint64](b.bytes(sectionWords, 0))
	b.ids, b.textEnds, b.text = numbers[uint64](b.bytes(sectionNumbers, 0)), numbers[uint64](b.bytes(sectionTextEnds, 0)), b.bytes(sectionTexts, 0)
	b.wordsAt, b.textAt = b.place(sectionWords), b.place(sectionTexts)
	kind := uint32(sectionNumbers)
	if b.texts {
		kind = sectionTextEnds
	}
	b.idsAt = b.place(kind)
	words, _ := b.find(sectionWords, 0)
	ids, _ := b.find(kind, 0)
	if words.Size != 8*int64(b.entries)*int64(b.stride()) || ids.Size != 8*int64(b.entries) {
		return b.wrong("fingerprints of %d bytes and ids of %d, of %d entries", words.Size, ids.Size, b.entries)
	}
	return nil
}

// checkBlock checks the checksum of a block and the ranges of the numbers in it.
func (b *base) checkBlock(block int) error {
	from, to := b.block(block)
	return b.header.checkBlock(from, to, b.mapped[from:to], b.sums[block])
}

// block returns the start and end of block i.
func (h *header) block(i int) (from, to int64) {
	from = h.dataFrom() + int64(i)*blockBytes
	return from, min(from+blockBytes, h.dataTo)
}

func (h *header) checkBlock(from, to int64, data []byte, sum uint64) error {
	if xxhash.Sum64(data) != sum {
		return &Damage{from, to - from, fmt.Sprintf("the checksum of a block of %d bytes is wrong", to-from)}
	}
	for _, s := range h.sections {
		begin, end := max(from, s.Offset), min(to, s.Offset+s.Size)
		if begin >= end {
			continue
		}
		most := uint64(math.MaxUint64)
		switch s.Kind {
		case sectionPositions:
			most = h.entries - 1
		case sectionStarts:
			screens, _ := h.find(sectionScreens, s.Table)
			most = uint64(screens.Size / 4)
		case sectionTextEnds:
			texts, _ := h.find(sectionTexts, 0)
			most = uint64(texts.Size)
		default:
			continue
		}
		part, err := data[begin-from:end-from], error(nil)
		if s.Kind == sectionTextEnds {
			err = inRange(numbers[uint64](part), most)
		} else {
			err = inRange(numbers[uint32](part), most)
		}
		if err != nil {
			return &Damage{begin, end - begin, err.Error()}
		}
	}
	return nil
}

func inRange[T uint32 | uint64](list []T, most uint64) error {
	for _, x := range list {
		if uint64(x) > most {
			return fmt.Errorf("a number is %d, expected at most %d", x, most)
		}
	}
	return nil
}

// bytes returns the bytes of a section, or nil if the file has no such section.
func (b *base) bytes(kind, table uint32) []byte {
	s, ok := b.find(kind, table)
	if !ok {
		return nil
	}
	there := int64(len(b.mapped)) // less than the end of the section if the file is truncated
	return b.mapped[min(s.Offset, there):min(s.Offset+s.Size, there)]
}

// place returns the offset of a section, relative to the first block.
func (b *base) place(kind uint32) int {
	s, _ := b.find(kind, 0)
	return int(s.Offset - b.dataFrom())
}

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
		return id, &Damage{b.dataFrom(), b.dataTo - b.dataFrom(), fmt.Sprintf("id %d ends at %d, before its start at %d", i, to, from)}
	}
	if err := b.guard.Use(b.textAt+int(from), int(to-from)); err != nil || from == to {
		return id, err
	}
	return ID{Text: string(b.text[from:to])}, nil
}

// position returns the position of an id.
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

// entry returns the words of the entry at a position. They must not be changed.
func (b *base) entry(i int) ([]uint64, error) {
	w := b.stride()
	if err := b.guard.Use(b.wordsAt+8*w*i, 8*w); err != nil {
		return nil, err
	}
	return b.words[i*w : (i+1)*w], nil
}

// putSum appends a checksum in the byte order of the file.
func putSum(dst []byte, sum uint64) []byte { return binary.LittleEndian.AppendUint64(dst, sum) }
