// Package npy reads and writes the headers and numbers of NumPy's .npy arrays.
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
	Type    string // as NumPy writes it: byte order, kind and bytes, such as "<f8"
	Fortran bool   // column-major order
	Shape   []uint64
}

// mostHeader limits the text of a header. NumPy writes 118 bytes.
const mostHeader = 1 << 16

var (
	typePattern    = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	fortranPattern = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	shapePattern   = regexp.MustCompile(`'shape':\s*\(([0-9L, ]*)\)`)
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
	kind, order, shape := typePattern.FindStringSubmatch(text), fortranPattern.FindStringSubmatch(text), shapePattern.FindStringSubmatch(text)
	if kind == nil || order == nil || shape == nil {
		return Header{}, fmt.Errorf("expected a header with one type, an order and a shape, got %.200q", text)
	}
	h := Header{Type: kind[1], Fortran: order[1] == "True"}
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

// AppendHeader appends the header as NumPy writes it, padded so that the numbers begin at a
// multiple of 64 bytes.
func AppendHeader(dst []byte, h Header) []byte {
	order := "False"
	if h.Fortran {
		order = "True"
	}
	var shape strings.Builder
	for i, size := range h.Shape {
		if i > 0 {
			shape.WriteString(" ")
		}
		fmt.Fprintf(&shape, "%d,", size)
	}
	sizes := shape.String()
	if len(h.Shape) > 1 {
		sizes = strings.TrimSuffix(sizes, ",")
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", h.Type, order, sizes)
	before := len(Magic) + 4
	padding := -(before + len(text) + 1) & 63
	dst = append(append(dst, Magic...), 1, 0)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(text)+padding+1))
	dst = append(append(dst, text...), strings.Repeat(" ", padding)...)
	return append(dst, '\n')
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
