package indexfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/internal/layout"
)

// magic begins every index file, version is the form that this package writes.
const (
	magic   = "\x89FPI\r\n\x1a\n"
	version = 1
)

// header is what stands first in the file. It does not change.
type header struct {
	salt       uint64 // of this file alone: entries of the log of another are none of this one
	bits, k    int
	texts      bool
	design     index.Design
	entries    uint64
	dataTo     int64 // from dataFrom to here are the sections
	sums       uint64
	logFrom    int64
	allocated  int64 // the size of the file when it was written
	sections   []section
	definition string
	features   string

	length int64 // of the header, with its checksum
}

// section is an array of numbers, or bytes, in the file.
type section struct {
	kind, table  uint32
	offset, size int64
}

// The kinds of sections. 2, 6 and 10 are not in use.
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
	blockBytes   = layout.GuardBlock
	align        = 64 // where sections, and entries of the log, begin
)

func aligned(n int64) int64 { return (n + align - 1) &^ (align - 1) }

// dataFrom is where the first section begins, and with it the first block.
func (h *header) dataFrom() int64 { return aligned(h.length) }

// blocks is how many blocks the sections are.
func (h *header) blocks() int { return int((h.dataTo - h.dataFrom() + blockBytes - 1) / blockBytes) }

// set returns an empty set with the properties in the header.
func (h *header) set() index.Set { return index.Set{Bits: h.bits, Definition: h.definition} }

func (h *header) measure() {
	h.length = (fixedBytes+int64(len(h.sections))*sectionBytes+int64(len(h.definition)+len(h.features))+7)&^7 + 8
}

func (h *header) append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, magic...)
	u32 := func(list ...int) {
		for _, n := range list {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
		}
	}
	u64 := func(list ...uint64) {
		for _, n := range list {
			dst = binary.LittleEndian.AppendUint64(dst, n)
		}
	}
	texts := 0
	if h.texts {
		texts = 1
	}
	u32(version, int(h.length))
	u64(h.salt)
	u32(h.bits, texts, h.k, 0, h.design.Blocks, h.design.Choose, h.design.Rest, h.design.Errors)
	u64(h.entries, uint64(h.dataTo), h.sums, uint64(h.logFrom), uint64(h.allocated))
	u32(blockBytes, len(h.sections), len(h.definition), len(h.features))
	for _, s := range h.sections {
		u32(int(s.kind), int(s.table))
		u64(uint64(s.offset), uint64(s.size))
	}
	dst = append(dst, h.definition...)
	dst = append(dst, h.features...)
	for (len(dst)-start)%8 != 0 {
		dst = append(dst, 0)
	}
	return binary.LittleEndian.AppendUint64(dst, xxhash.Sum64(dst[start:]))
}

// headerLength returns the length of the header that begins so, or an error.
func headerLength(prefix []byte) (int64, error) {
	if len(prefix) < prefixBytes || string(prefix[:len(magic)]) != magic {
		return 0, errForeign
	}
	if v := binary.LittleEndian.Uint32(prefix[8:]); v != version {
		return 0, fmt.Errorf("an index file of version %d, expected %d", v, version)
	}
	length := int64(binary.LittleEndian.Uint32(prefix[12:]))
	if length < fixedBytes+8 || length > mostHeader || length%8 != 0 {
		return 0, &Damage{0, prefixBytes, fmt.Sprintf("the header says that it has %d bytes, expected %d to %d", length, fixedBytes+8, mostHeader)}
	}
	return length, nil
}

// errForeign is the error of files of other kinds.
var errForeign = errors.New("not an index file, expected one that fphash index build has written")

// parseHeader reads a whole header.
func parseHeader(data []byte) (*header, error) {
	end := len(data) - 8
	if sum := xxhash.Sum64(data[:end]); sum != binary.LittleEndian.Uint64(data[end:]) {
		return nil, &Damage{0, int64(len(data)), "the header's checksum is wrong"}
	}
	at := prefixBytes
	u32 := func() int {
		at += 4
		return int(binary.LittleEndian.Uint32(data[at-4:]))
	}
	u64 := func() uint64 {
		at += 8
		return binary.LittleEndian.Uint64(data[at-8:])
	}
	h := &header{length: int64(len(data)), salt: u64(), bits: u32()}
	texts := u32()
	h.texts, h.k = texts == 1, u32()
	if reserved := u32(); reserved != 0 {
		return nil, fmt.Errorf("an index file with %d at byte 36 of its header, expected 0: its entries are more than fingerprints; expected one to be built anew", reserved)
	}
	h.design = index.Design{Blocks: u32(), Choose: u32(), Rest: u32(), Errors: u32()}
	h.entries, h.dataTo, h.sums, h.logFrom, h.allocated = u64(), int64(u64()), u64(), int64(u64()), int64(u64())
	block, sections, definition, features := u32(), u32(), u32(), u32()
	if block != blockBytes || int64(fixedBytes)+int64(sections)*sectionBytes+int64(definition)+int64(features) > int64(end) {
		return nil, h.wrong("blocks of %d bytes, %d sections, texts of %d and %d bytes", block, sections, definition, features)
	}
	for range sections {
		h.sections = append(h.sections, section{uint32(u32()), uint32(u32()), int64(u64()), int64(u64())})
	}
	h.definition = string(data[at : at+definition])
	h.features = string(data[at+definition : at+definition+features])
	return h, h.check()
}

// wrong says what cannot be in a header, though its checksum is right.
func (h *header) wrong(format string, args ...any) error {
	return &Damage{0, h.length, "the header says what cannot be: " + fmt.Sprintf(format, args...)}
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
	if h.definition != "" {
		if index.CheckDefinition(h.definition, h.bits) != nil {
			return h.wrong("%d bits of the definition %q", h.bits, h.definition)
		}
	}
	at := h.dataFrom()
	for _, s := range h.sections {
		if s.offset != aligned(at) || s.size < 0 || s.size > h.dataTo-s.offset {
			return h.wrong("a section of %d bytes from %d", s.size, s.offset)
		}
		at = s.offset + s.size
	}
	if at != h.dataTo {
		return h.wrong("sections to %d, expected %d", at, h.dataTo)
	}
	return nil
}

// find returns a section.
func (h *header) find(kind, table uint32) (section, bool) {
	for _, s := range h.sections {
		if s.kind == kind && s.table == table {
			return s, true
		}
	}
	return section{}, false
}

// tables returns the number of tables of a design.
func (h *header) tables() (n int) {
	for _, s := range h.sections {
		if s.kind == sectionStarts {
			n++
		}
	}
	return n
}

// littleEndian is whether numbers lie in memory as in the file.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// numbers returns little-endian numbers where they lie; on machines of the other order a copy.
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
	_, _ = binary.Decode(data, binary.LittleEndian, copied) // which has room for no more
	return copied
}

// piece is how many numbers are brought into the order of the file at a time.
const piece = 8192

// writeNumbers calls write with the numbers as they stand in the file, a piece at a time.
func writeNumbers[T uint32 | uint64](list []T, write func([]byte) error) error {
	size := int(unsafe.Sizeof(T(0)))
	var buffer []byte
	for len(list) > 0 {
		n := min(len(list), piece)
		var data []byte
		if littleEndian {
			data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), n*size)
		} else {
			buffer, _ = binary.Append(buffer[:0], binary.LittleEndian, list[:n]) // no error for numbers
			data = buffer
		}
		if err := write(data); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}
