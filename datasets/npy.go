package datasets

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

// npyMagic begins every .npy file.
const npyMagic = "\x93NUMPY"

// npyHeader is the header of an array.
type npyHeader struct {
	kind  string // NumPy's notation: byte order, kind and size, such as "<f8"
	shape []uint64
}

// mostNPYHeader bounds the length of a header. NumPy writes 118 bytes.
const mostNPYHeader = 1 << 16

var (
	typePattern  = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	shapePattern = regexp.MustCompile(`'shape':\s*\(([0-9L, ]*)\)`)
)

// readNPYHeader reads the header of an array, up to its first number.
func readNPYHeader(r io.Reader) (npyHeader, error) {
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return npyHeader{}, inWords(err)
	}
	if string(start[:6]) != npyMagic || start[6] < 1 || start[6] > 3 {
		return npyHeader{}, fmt.Errorf("expected a NumPy array of version 1 to 3, got %q", start)
	}
	var length [4]byte
	lengthBytes := 4
	if start[6] == 1 {
		lengthBytes = 2
	}
	if _, err := io.ReadFull(r, length[:lengthBytes]); err != nil {
		return npyHeader{}, inWords(err)
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n > mostNPYHeader {
		return npyHeader{}, fmt.Errorf("expected a header of at most %d bytes, got %d", mostNPYHeader, n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return npyHeader{}, inWords(err)
	}
	return parseNPYHeader(string(text))
}

func parseNPYHeader(text string) (npyHeader, error) {
	kind, shape := typePattern.FindStringSubmatch(text), shapePattern.FindStringSubmatch(text)
	if kind == nil || shape == nil {
		return npyHeader{}, fmt.Errorf("expected a header with one type and a shape, got %.200q", text)
	}
	h := npyHeader{kind: kind[1]}
	for part := range strings.SplitSeq(shape[1], ",") {
		if part = strings.TrimSuffix(strings.TrimSpace(part), "L"); part == "" {
			continue
		}
		size, err := strconv.ParseUint(part, 10, 64)
		if err != nil {
			return npyHeader{}, fmt.Errorf("expected a shape of whole numbers, got (%.100s)", shape[1])
		}
		h.shape = append(h.shape, size)
	}
	return h, nil
}

// npyType is a number type.
type npyType struct {
	kind byte // 'b' (bool), 'i', 'u' or 'f'
	size int  // bytes
	big  bool // big-endian
}

// parseNPYType parses a number type. It returns false for other types.
func parseNPYType(text string) (npyType, bool) {
	switch text {
	case "|b1", "|i1", "|u1", "<i2", "<i4", "<i8", "<u2", "<u4", "<u8", "<f4", "<f8", ">i2", ">i4", ">i8", ">u2", ">u4", ">u8", ">f4", ">f8":
		return npyType{kind: text[1], size: int(text[2] - '0'), big: text[0] == '>'}, true
	}
	return npyType{}, false
}

// bits returns the bits of the first number in data. Kind 'i' is sign-extended.
func (t npyType) bits(data []byte) uint64 {
	var order binary.ByteOrder = binary.LittleEndian
	if t.big {
		order = binary.BigEndian
	}
	var bits uint64
	switch t.size {
	case 1:
		bits = uint64(data[0])
	case 2:
		bits = uint64(order.Uint16(data))
	case 4:
		bits = uint64(order.Uint32(data))
	default:
		bits = order.Uint64(data)
	}
	if unused := 64 - 8*t.size; t.kind == 'i' {
		return uint64(int64(bits<<unused) >> unused)
	}
	return bits
}

// float converts bits of a number of kind 'f'.
func (t npyType) float(bits uint64) float64 {
	if t.size == 4 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// inWords replaces the errors of a truncated array by a readable message.
func inWords(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("expected a NumPy array, but it ends too early: %w", io.ErrUnexpectedEOF)
	}
	return err
}
