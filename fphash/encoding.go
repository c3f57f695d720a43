package fphash

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// Encoding says how an index is written as bytes, which are then hashed. Fingerprints made with
// different encodings cannot be compared, and weak hashes (FNV) are far weaker with some encodings
// than with others.
type Encoding uint8

// The encodings.
const (
	LE64 Encoding = iota // 8 bytes, least significant first: the default
	BE64                 // 8 bytes, most significant first
	Dec                  // decimal digits as text, no leading zeros
)

var encodingNames = [...]string{LE64: "le64", BE64: "be64", Dec: "dec"}

// String returns the encoding's name: le64, be64 or dec.
func (e Encoding) String() string { return nameOf(e, encodingNames[:], "Encoding") }

// AppendIndex appends the bytes of an index. It panics if e is none of the constants.
func (e Encoding) AppendIndex(dst []byte, index uint64) []byte {
	switch e {
	case LE64:
		return binary.LittleEndian.AppendUint64(dst, index)
	case BE64:
		return binary.BigEndian.AppendUint64(dst, index)
	case Dec:
		return strconv.AppendUint(dst, index, 10)
	}
	panic(fmt.Sprintf("fphash: there is no %v", e))
}
