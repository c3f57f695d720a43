package datasets

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
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
	file, header, err := openHeader(archive, name)
	if err != nil {
		return nil, err
	}
	kind, ok := npy.ParseType(header.Type)
	if !ok || strings.IndexByte(kinds, kind.Kind) < 0 {
		file.Close()
		return nil, fmt.Errorf("array %s: expected %s, got %s", name, want, header.Type)
	}
	if len(header.Shape) != 1 {
		file.Close()
		return nil, fmt.Errorf("array %s: expected one dimension, got %d", name, len(header.Shape))
	}
	return &npzArray{name: name, r: file.r, close: file.close, kind: kind, count: header.Shape[0]}, nil
}

// zipFile is an open file of an archive.
type zipFile struct {
	r     *bufio.Reader
	close io.Closer
}

func (z *zipFile) Close() { z.close.Close() }

func openHeader(archive *zip.Reader, name string) (*zipFile, npy.Header, error) {
	for _, entry := range archive.File {
		if entry.Name != name+".npy" {
			continue
		}
		content, err := entry.Open()
		if err != nil {
			return nil, npy.Header{}, fmt.Errorf("array %s: %w", name, err)
		}
		file := &zipFile{bufio.NewReaderSize(content, 32<<10), content}
		header, err := npy.ReadHeader(file.r)
		if err != nil {
			content.Close()
			return nil, npy.Header{}, fmt.Errorf("array %s: %w", name, err)
		}
		return file, header, nil
	}
	return nil, npy.Header{}, fmt.Errorf("expected the arrays data, indices, indptr, format and shape, as scipy.sparse.save_npz writes them, got %s", arrayNames(archive))
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
	file, header, err := openHeader(archive, name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text := make([]byte, 64)
	n, err := io.ReadFull(file.r, text)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", fmt.Errorf("array %s: %w", name, err)
	}
	if len(header.Shape) > 0 || !strings.HasPrefix(header.Type, "|S") && !strings.HasPrefix(header.Type, "<U") && !strings.HasPrefix(header.Type, ">U") {
		return "", fmt.Errorf("array %s: expected a text, got %s", name, header.Type)
	}
	return strings.ReplaceAll(string(text[:n]), "\x00", ""), nil // U has 4 bytes a letter
}
