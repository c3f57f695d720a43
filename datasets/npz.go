package datasets

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// npzReader reads an .npz file. It needs memory only for the longest row present in the file and
// for the directory of the zip archive, whatever sizes the headers claim.
type npzReader[W Weight] struct {
	VectorReader[W]
	columns uint64
	rows    uint64

	data, indices, offsets *npzArray
	from                   uint64 // the offset of the next row
	number                 int    // number of the row, from 1
}

// newNPZReader returns a reader of an .npz file of the given size. Its arrays hold only memory, so
// they are not closed.
func newNPZReader[W Weight](source io.ReaderAt, size int64, options ReadOptions) (*VectorReader[W], error) {
	n := &npzReader[W]{VectorReader: newReader[W](options)}
	n.next = n.nextRow
	if err := n.open(source, size); err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", n.options.Name, err)
	}
	return &n.VectorReader, nil
}

func (n *npzReader[W]) open(r io.ReaderAt, size int64) error {
	if n.options.Base != 0 {
		return fmt.Errorf("expected base 0, got %d: the indices of an .npz file count from 0", n.options.Base)
	}
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return fmt.Errorf("damaged .npz file: %w", err)
	}
	format, err := readTextArray(archive, "format")
	if err != nil {
		return err
	}
	if format != "csr" {
		return fmt.Errorf("expected format csr, got %q: scipy.sparse.save_npz(file, matrix.tocsr()) writes it", format)
	}
	if err := n.shape(archive); err != nil {
		return err
	}
	if n.data, err = openArray(archive, "data", "biuf", "bool, integers, float32 or float64"); err != nil {
		return err
	}
	if n.indices, err = openArray(archive, "indices", "iu", "integers"); err != nil {
		return err
	}
	if n.offsets, err = openArray(archive, "indptr", "iu", "integers"); err != nil {
		return err
	}
	return n.fit()
}

// fit checks that the sizes of the arrays are consistent.
func (n *npzReader[W]) fit() error {
	if n.data.count != n.indices.count {
		return fmt.Errorf("expected as many indices as data, got %d and %d", n.indices.count, n.data.count)
	}
	if n.offsets.count == 0 || n.offsets.count-1 != n.rows {
		return fmt.Errorf("array indptr: expected %d numbers for %d rows, got %d", n.rows+1, n.rows, n.offsets.count)
	}
	first, err := n.offsets.nextCount()
	if err == nil && first != 0 {
		err = fmt.Errorf("array indptr: expected 0 first, got %d", first)
	}
	return err
}

func (n *npzReader[W]) shape(archive *zip.Reader) error {
	shape, err := openArray(archive, "shape", "iu", "integers")
	if err != nil {
		return err
	}
	if n.rows, err = shape.nextCount(); err == nil {
		n.columns, err = shape.nextCount()
	}
	if err == nil {
		err = shape.end()
	}
	return err
}

// npzArray reads the numbers of an array in an .npz file from start to end.
type npzArray struct {
	name    string
	r       *bufio.Reader
	numbers npyType
	count   uint64 // number of elements according to the header
	taken   uint64
	bytes   [8]byte
}

// openArray opens a one-dimensional array by name. Its numbers must have one of the kinds.
func openArray(archive *zip.Reader, name, kinds, want string) (*npzArray, error) {
	array, header, err := openHeader(archive, name)
	if err != nil {
		return nil, err
	}
	numbers, ok := parseNPYType(header.kind)
	switch {
	case !ok || strings.IndexByte(kinds, numbers.kind) < 0:
		err = fmt.Errorf("array %s: expected %s, got %s", name, want, header.kind)
	case len(header.shape) != 1:
		err = fmt.Errorf("array %s: expected one dimension, got %d", name, len(header.shape))
	}
	if err != nil {
		return nil, err
	}
	array.numbers, array.count = numbers, header.shape[0]
	return array, nil
}

// openHeader opens an array of any kind and reads its header.
func openHeader(archive *zip.Reader, name string) (*npzArray, npyHeader, error) {
	named := func(entry *zip.File) bool { return entry.Name == name+".npy" }
	at := slices.IndexFunc(archive.File, named)
	if at >= 0 && slices.ContainsFunc(archive.File[at+1:], named) {
		return nil, npyHeader{}, fmt.Errorf("expected one array %s, got several", name)
	}
	if at < 0 {
		return nil, npyHeader{}, fmt.Errorf("expected the arrays data, indices, indptr, format and shape, as scipy.sparse.save_npz writes them, got %s", arrayNames(archive))
	}
	content, err := archive.File[at].Open()
	if err != nil {
		return nil, npyHeader{}, fmt.Errorf("array %s: %w", name, err)
	}
	array := &npzArray{name: name, r: bufio.NewReaderSize(content, 32<<10)}
	header, err := readNPYHeader(array.r)
	if err != nil {
		return nil, npyHeader{}, fmt.Errorf("array %s: %w", name, err)
	}
	return array, header, nil
}

// arrayNames lists the arrays of an archive that lacks the expected ones.
func arrayNames(archive *zip.Reader) string {
	if len(archive.File) == 0 {
		return "none"
	}
	var names []string
	for _, entry := range archive.File[:min(len(archive.File), 8)] {
		names = append(names, fmt.Sprintf("%.40q", strings.TrimSuffix(entry.Name, ".npy")))
	}
	return strings.Join(names, ", ")
}

// next returns the bits of the next number.
func (a *npzArray) next() (uint64, error) {
	data := a.bytes[:a.numbers.size]
	if _, err := io.ReadFull(a.r, data); err != nil {
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, fmt.Errorf("array %s: expected %d numbers, got %d", a.name, a.count, a.taken)
		}
		return 0, fmt.Errorf("array %s: %w", a.name, err)
	}
	a.taken++
	return a.numbers.bits(data), nil
}

// nextCount returns the next number, which must not be negative.
func (a *npzArray) nextCount() (uint64, error) {
	bits, err := a.next()
	if err == nil && a.numbers.kind == 'i' && int64(bits) < 0 {
		return 0, fmt.Errorf("array %s: negative number %d", a.name, int64(bits))
	}
	return bits, err
}

// end checks that the array ends here, which also verifies its checksum.
func (a *npzArray) end() error {
	_, err := a.r.ReadByte()
	switch {
	case err == io.EOF && a.taken == a.count:
		return nil
	case err != nil && err != io.EOF:
		return fmt.Errorf("array %s: %w", a.name, err)
	}
	return fmt.Errorf("array %s: expected its end after %d numbers of %d", a.name, a.taken, a.count)
}

// readTextArray reads an array that holds a single string.
func readTextArray(archive *zip.Reader, name string) (string, error) {
	array, header, err := openHeader(archive, name)
	if err != nil {
		return "", err
	}
	text := make([]byte, 64)
	n, err := io.ReadFull(array.r, text)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", fmt.Errorf("array %s: %w", name, err)
	}
	if len(header.shape) > 0 || !strings.HasPrefix(header.kind, "|S") && !strings.HasPrefix(header.kind, "<U") && !strings.HasPrefix(header.kind, ">U") {
		return "", fmt.Errorf("array %s: expected a text, got %s", name, header.kind)
	}
	return strings.ReplaceAll(string(text[:n]), "\x00", ""), nil // kind U has 4 bytes per character
}

// nextRow reads the next row.
func (n *npzReader[W]) nextRow() (bad *SyntaxError, err error) {
	if n.offsets.taken < n.offsets.count {
		n.number++
		if bad, err = n.fill(); err == nil {
			return bad, nil
		}
	} else if err = n.end(); err == nil {
		return nil, io.EOF
	}
	return nil, fmt.Errorf("datasets: %s: row %d: %w", n.options.Name, n.number, err)
}

// fill fills the row. It returns an error if the rest of the file is unreliable.
func (n *npzReader[W]) fill() (bad *SyntaxError, err error) {
	to, err := n.offsets.nextCount()
	if err != nil {
		return nil, err
	}
	if to < n.from || to > n.indices.count {
		return nil, fmt.Errorf("array indptr: expected a number from %d to %d, got %d", n.from, n.indices.count, to)
	}
	n.begin(0)
	for place := 0; n.from < to; n.from++ {
		fault, err := n.feature(place)
		if err != nil {
			return nil, err
		}
		if bad == nil {
			bad = fault
		}
		place++
	}
	if _, ok := n.sum(); bad == nil && !ok {
		bad = n.fault("a sum of repeated features that fits "+n.kind.name, "more")
	}
	return bad, nil
}

// feature reads the next feature, at index place of its row.
func (n *npzReader[W]) feature(place int) (*SyntaxError, error) {
	index, err := n.indices.nextCount()
	if err != nil {
		return nil, err
	}
	bits, err := n.data.next()
	if err != nil {
		return nil, err
	}
	if index >= n.columns {
		return n.fault(fmt.Sprintf("an index below %d, the number of columns", n.columns), fmt.Sprint(index)), nil
	}
	weight, zero, want := n.weight(bits)
	if want != "" {
		return n.fault(want+" at index "+fmt.Sprint(index), n.data.text(bits)), nil
	}
	if !zero {
		n.add(index, weight, place)
	}
	return nil, nil
}

// weight converts the bits of a number to a weight. On failure, want describes the expected number.
func (n *npzReader[W]) weight(bits uint64) (weight W, zero bool, want string) {
	if n.data.numbers.kind == 'f' {
		f := n.data.numbers.float(bits)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return 0, false, "a finite weight"
		}
		if n.kind.whole {
			return n.wholeWeight(big.NewFloat(f))
		}
		return n.floatWeight(f)
	}
	negative := n.data.numbers.kind == 'i' && int64(bits) < 0
	switch {
	case n.options.Unit && bits != 0:
		return 1, false, ""
	case negative:
		weight = W(int64(bits))
	default:
		weight = W(bits)
	}
	if n.kind.whole && (uint64(weight) != bits || weight < 0 != negative) {
		return 0, false, "an integer weight that fits " + n.kind.name
	}
	return weight, bits == 0, ""
}

// text formats the number with these bits.
func (a *npzArray) text(bits uint64) string {
	switch a.numbers.kind {
	case 'f':
		return strings.ToLower(fmt.Sprint(a.numbers.float(bits)))
	case 'i':
		return fmt.Sprint(int64(bits))
	}
	return fmt.Sprint(bits)
}

func (n *npzReader[W]) fault(want, got string) *SyntaxError {
	return &SyntaxError{File: n.options.Name, Row: n.number, Want: want, Got: got}
}

// end checks that all arrays end with the last row.
func (n *npzReader[W]) end() error {
	for _, array := range []*npzArray{n.offsets, n.indices, n.data} {
		if err := array.end(); err != nil {
			return err
		}
	}
	return nil
}

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
