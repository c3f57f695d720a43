// Package npy reads the headers and numbers of NumPy's .npy arrays.
package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Magic begins every .npy file.
const Magic = "\x93NUMPY"

// Header is the header of an array.
type Header struct {
	Type  string // as NumPy writes it: byte order, kind and bytes, such as "<f8"
	Shape []uint64
}

// mostHeader limits the text of a header. NumPy writes 118 bytes.
const mostHeader = 1 << 16

var (
	typePattern  = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	shapePattern = regexp.MustCompile(`'shape':\s*\(([0-9L, ]*)\)`)
)

// ReadHeader reads the header, after which the numbers begin.
func ReadHeader(r io.Reader) (Header, error) {
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return Header{}, inWords(err)
	}
	if string(start[:6]) != Magic || start[6] < 1 || start[6] > 3 {
		return Header{}, fmt.Errorf("expected a NumPy array of version 1 to 3, got %q", start)
	}
	var length [4]byte
	lengthBytes := 4
	if start[6] == 1 {
		lengthBytes = 2
	}
	if _, err := io.ReadFull(r, length[:lengthBytes]); err != nil {
		return Header{}, inWords(err)
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n > mostHeader {
		return Header{}, fmt.Errorf("expected a header of at most %d bytes, got %d", mostHeader, n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return Header{}, inWords(err)
	}
	return parseHeader(string(text))
}

func parseHeader(text string) (Header, error) {
	kind, shape := typePattern.FindStringSubmatch(text), shapePattern.FindStringSubmatch(text)
	if kind == nil || shape == nil {
		return Header{}, fmt.Errorf("expected a header with one type and a shape, got %.200q", text)
	}
	h := Header{Type: kind[1]}
	for part := range strings.SplitSeq(shape[1], ",") {
		if part = strings.TrimSuffix(strings.TrimSpace(part), "L"); part == "" {
			continue
		}
		size, err := strconv.ParseUint(part, 10, 64)
		if err != nil {
			return Header{}, fmt.Errorf("expected a shape of whole numbers, got (%.100s)", shape[1])
		}
		h.Shape = append(h.Shape, size)
	}
	return h, nil
}

// Type is a type of numbers.
type Type struct {
	Kind byte // b for bool, i, u, f
	Size int  // bytes
	Big  bool // the most significant byte comes first
}

// ParseType parses a type of numbers. It returns false for other types.
func ParseType(text string) (Type, bool) {
	switch text {
	case "|b1", "|i1", "|u1", "<i2", "<i4", "<i8", "<u2", "<u4", "<u8", "<f4", "<f8", ">i2", ">i4", ">i8", ">u2", ">u4", ">u8", ">f4", ">f8":
		return Type{Kind: text[1], Size: int(text[2] - '0'), Big: text[0] == '>'}, true
	}
	return Type{}, false
}

// Bits returns the bits of the first number in data, sign-extended for kind i.
func (t Type) Bits(data []byte) uint64 {
	var order binary.ByteOrder = binary.LittleEndian
	if t.Big {
		order = binary.BigEndian
	}
	var bits uint64
	switch t.Size {
	case 1:
		bits = uint64(data[0])
	case 2:
		bits = uint64(order.Uint16(data))
	case 4:
		bits = uint64(order.Uint32(data))
	default:
		bits = order.Uint64(data)
	}
	if unused := 64 - 8*t.Size; t.Kind == 'i' {
		return uint64(int64(bits<<unused) >> unused)
	}
	return bits
}

// Float returns the number whose bits these are, of kind f.
func (t Type) Float(bits uint64) float64 {
	if t.Size == 4 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// inWords replaces the errors of an array that ends too early by a message.
func inWords(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("expected a NumPy array, but it ends too early: %w", io.ErrUnexpectedEOF)
	}
	return err
}
