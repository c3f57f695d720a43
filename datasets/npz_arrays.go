package datasets

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"simhashkit/internal/npy"
)

// npzArray is an array of numbers of an .npz file, read from its start to its end.
type npzArray struct {
	name  string
	r     *bufio.Reader
	close io.Closer
	kind  npy.Type
	count uint64 // of its numbers, as its header says
	taken uint64
	bytes [8]byte
}

// openArray opens the array of one dimension of that name, whose numbers must be of one of the
// kinds.
func openArray(archive *zip.Reader, name, kinds, want string) (*npzArray, error) {
	array, header, err := openHeader(archive, name)
	if err != nil {
		return nil, err
	}
	kind, ok := npy.ParseType(header.Type)
	switch {
	case !ok || strings.IndexByte(kinds, kind.Kind) < 0:
		err = fmt.Errorf("array %s: expected %s, got %s", name, want, header.Type)
	case len(header.Shape) != 1:
		err = fmt.Errorf("array %s: expected one dimension, got %d", name, len(header.Shape))
	}
	if err != nil {
		array.close.Close()
		return nil, err
	}
	array.kind, array.count = kind, header.Shape[0]
	return array, nil
}

// openHeader opens an array of any kind and reads its header.
func openHeader(archive *zip.Reader, name string) (*npzArray, npy.Header, error) {
	at := slices.IndexFunc(archive.File, func(entry *zip.File) bool { return entry.Name == name+".npy" })
	if at < 0 {
		return nil, npy.Header{}, fmt.Errorf("expected the arrays data, indices, indptr, format and shape, as scipy.sparse.save_npz writes them, got %s", arrayNames(archive))
	}
	content, err := archive.File[at].Open()
	if err != nil {
		return nil, npy.Header{}, fmt.Errorf("array %s: %w", name, err)
	}
	array := &npzArray{name: name, r: bufio.NewReaderSize(content, 32<<10), close: content}
	header, err := npy.ReadHeader(array.r)
	if err != nil {
		content.Close()
		return nil, npy.Header{}, fmt.Errorf("array %s: %w", name, err)
	}
	return array, header, nil
}

// arrayNames lists what is in the archive instead.
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
	data := a.bytes[:a.kind.Size]
	if _, err := io.ReadFull(a.r, data); err != nil {
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, fmt.Errorf("array %s: expected %d numbers, got %d", a.name, a.count, a.taken)
		}
		return 0, fmt.Errorf("array %s: %w", a.name, err)
	}
	a.taken++
	return a.kind.Bits(data), nil
}

// nextCount returns the next number, which counts something.
func (a *npzArray) nextCount() (uint64, error) {
	bits, err := a.next()
	if err == nil && a.kind.Kind == 'i' && int64(bits) < 0 {
		return 0, fmt.Errorf("array %s: expected no number below 0, got %d", a.name, int64(bits))
	}
	return bits, err
}

// end wants the array to end here, which checks its checksum too.
func (a *npzArray) end() error {
	_, err := a.r.ReadByte()
	switch {
	case err == io.EOF && a.taken == a.count:
		return nil
	case err != nil && err != io.EOF:
		return fmt.Errorf("array %s: %w", a.name, err)
	}
	return fmt.Errorf("array %s: expected its end behind %d numbers of %d", a.name, a.taken, a.count)
}

// readTextArray reads an array without dimensions that is a text.
func readTextArray(archive *zip.Reader, name string) (string, error) {
	array, header, err := openHeader(archive, name)
	if err != nil {
		return "", err
	}
	defer array.close.Close()
	text := make([]byte, 64)
	n, err := io.ReadFull(array.r, text)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", fmt.Errorf("array %s: %w", name, err)
	}
	if len(header.Shape) > 0 || !strings.HasPrefix(header.Type, "|S") && !strings.HasPrefix(header.Type, "<U") && !strings.HasPrefix(header.Type, ">U") {
		return "", fmt.Errorf("array %s: expected a text, got %s", name, header.Type)
	}
	return strings.ReplaceAll(string(text[:n]), "\x00", ""), nil // U has 4 bytes a letter
}
