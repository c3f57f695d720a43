package fphash

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// What is written as bytes begins with a magic number, whose last byte is the version, and the
// definition, and ends with a checksum; FORMAT.md has it byte by byte. All numbers are
// little-endian.

// appendHeader appends the magic number and the definition.
func appendHeader(dst []byte, magic, definition string) []byte {
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(definition)))
	return append(dst, definition...)
}

// appendChecksum appends the CRC-32C of all from the given place on.
func appendChecksum(dst []byte, start int) []byte {
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// openState checks magic number, version and checksum, and returns the definition and a reader of
// what is behind it. The name is that of the kind of data, for messages.
func openState(data []byte, magic, name string) (r stateReader, definition string, err error) {
	version := len(magic) - 1
	if len(data) < len(magic) || string(data[:version]) != magic[:version] {
		return r, "", fmt.Errorf("fphash: these bytes are no %s", name)
	}
	if data[version] != magic[version] {
		return r, "", fmt.Errorf("fphash: %s of version %d, expected %d", name, data[version], magic[version])
	}
	end := len(data) - 4
	if end < len(magic) || crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
		return r, "", fmt.Errorf("fphash: the %s is cut off or damaged: its checksum is wrong", name)
	}
	r.rest = data[len(magic):end]
	return r, string(r.next(int(min(r.uint32(), uint32(len(data)))))), nil
}

// stateReader takes bytes apart; of what is not there it gives zeros.
type stateReader struct{ rest []byte }

func (r *stateReader) next(n int) []byte {
	got := make([]byte, n)
	r.rest = r.rest[copy(got, r.rest):]
	return got
}

func (r *stateReader) byte() byte     { return r.next(1)[0] }
func (r *stateReader) uint32() uint32 { return binary.LittleEndian.Uint32(r.next(4)) }
func (r *stateReader) uint64() uint64 { return binary.LittleEndian.Uint64(r.next(8)) }

func (r *stateReader) words(n int) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = r.uint64()
	}
	return words
}
