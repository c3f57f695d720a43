package indexfile

import (
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// mended returns the bytes with all checksums right that can be found.
func mended(data []byte) []byte {
	data = slices.Clone(data)
	if len(data) < fixedBytes+8 {
		return data
	}
	copy(data, magic)
	binary.LittleEndian.PutUint32(data[8:], version)
	length := int(binary.LittleEndian.Uint32(data[12:]))
	if length < fixedBytes+8 || length > len(data) || length%8 != 0 {
		return data
	}
	mendHeader := func() { binary.LittleEndian.PutUint64(data[length-8:], xxhash.Sum64(data[:length-8])) }
	mendHeader()
	h, err := parseHeader(data[:length])
	if err != nil || h.logFrom > int64(len(data)) {
		return data
	}
	for i := range h.blocks() {
		from, to := h.block(i)
		binary.LittleEndian.PutUint64(data[h.dataTo+8*int64(i):], xxhash.Sum64(data[from:to]))
	}
	binary.LittleEndian.PutUint64(data[72:], xxhash.Sum64(data[h.dataTo:][:8*h.blocks()]))
	mendHeader()
	for at := h.logFrom; at+frameBytes <= int64(len(data)); at += align {
		if binary.LittleEndian.Uint32(data[at:]) != frameMagic {
			continue
		}
		frame := data[at:]
		binary.LittleEndian.PutUint64(frame[40:], xxhash.Sum64(frame[:40]))
		if n := binary.LittleEndian.Uint64(frame[24:]); n < uint64(len(frame)) && frameSize(int(n)) <= int64(len(frame)) {
			end := frameSize(int(n)) - 8
			binary.LittleEndian.PutUint64(frame[end:], max(1, xxhash.Sum64(frame[:end])))
		}
	}
	return data
}
