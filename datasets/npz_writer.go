package datasets

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"simhashkit/internal/npy"
	"simhashkit/internal/scratch"
)

// NPZWriter writes sparse vectors as the rows of a matrix that scipy.sparse.load_npz reads, in
// compressed sparse row form (CSR).
//
// Values have the type of W, unit weights are bool; indices are int32 where they and their number
// fit, and int64 elsewhere. Rows are written to temporary files, since the archive has the arrays
// one after the other, and their sizes first: 24 bytes a feature or less, and 8 a row.
type NPZWriter[W Weight] struct {
	w       io.Writer
	columns uint64
	rows    int
	nnz     uint64
	unit    bool
	bytes   []byte

	data, indices, offsets *scratchArray
}

// scratchArray is an array while it grows.
type scratchArray struct {
	file *scratch.File
	w    *bufio.Writer
}

// NewNPZWriter returns a writer onto w of a matrix that has at least that many columns. Flush must
// be called at the end, and Close in any case.
func NewNPZWriter[W Weight](w io.Writer, columns uint64) (*NPZWriter[W], error) {
	n := &NPZWriter[W]{w: w, columns: columns}
	for _, array := range []**scratchArray{&n.data, &n.indices, &n.offsets} {
		file, err := scratch.New()
		if err != nil {
			n.Close()
			return nil, fmt.Errorf("datasets: %w", err)
		}
		*array = &scratchArray{file, bufio.NewWriterSize(file, 64<<10)}
	}
	if err := n.put(n.offsets, 0); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

// Close removes the temporary files.
func (n *NPZWriter[W]) Close() error {
	for _, array := range []*scratchArray{n.data, n.indices, n.offsets} {
		if array != nil {
			array.file.Close()
		}
	}
	return nil
}

// Write takes one row, without its label and id, which the format does not hold. Unequal lengths,
// infinite or NaN weights, indices beyond int64, and rows with weights among rows without are
// errors.
func (n *NPZWriter[W]) Write(row *Row[W]) error {
	n.rows++
	if err := n.write(row); err != nil {
		return fmt.Errorf("datasets: write row %d: %w", n.rows, err)
	}
	return nil
}

func (n *NPZWriter[W]) write(row *Row[W]) error {
	if err := checkRow(row); err != nil {
		return err
	}
	unit := row.Weights == nil
	if len(row.Indices) > 0 {
		if n.nnz > 0 && unit != n.unit {
			return errors.New("rows with and without weights in one matrix")
		}
		n.unit = unit
	}
	for i, index := range row.Indices {
		if index >= math.MaxInt64 {
			return fmt.Errorf("index %d: expected at most %d in an .npz file", index, int64(math.MaxInt64-1))
		}
		n.columns = max(n.columns, index+1)
		if err := n.put(n.indices, index); err != nil {
			return err
		}
		n.bytes = append(n.bytes[:0], 1)
		if !unit {
			n.bytes = appendBits(n.bytes[:0], row.Weights[i])
		}
		if _, err := n.data.w.Write(n.bytes); err != nil {
			return err
		}
	}
	n.nnz += uint64(len(row.Indices))
	return n.put(n.offsets, n.nnz)
}

func (n *NPZWriter[W]) put(array *scratchArray, number uint64) error {
	n.bytes = binary.LittleEndian.AppendUint64(n.bytes[:0], number)
	_, err := array.w.Write(n.bytes)
	return err
}

// appendBits appends a weight as it is in memory, the least significant byte first.
func appendBits[W Weight](dst []byte, weight W) []byte {
	switch w := any(weight).(type) {
	case int32:
		return binary.LittleEndian.AppendUint32(dst, uint32(w))
	case int64:
		return binary.LittleEndian.AppendUint64(dst, uint64(w))
	case float32:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(w))
	case float64:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(w))
	}
	panic("datasets: unknown type of weights")
}

// Flush writes the archive.
func (n *NPZWriter[W]) Flush() error {
	if err := n.archive(); err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	return nil
}

func (n *NPZWriter[W]) archive() error {
	archive := zip.NewWriter(n.w)
	small := n.nnz <= math.MaxInt32 && n.columns <= math.MaxInt32
	index := "<i8"
	if small {
		index = "<i4"
	}
	// in scipy's order
	err := errors.Join(
		n.numbers(archive, "indices", index, n.indices, n.nnz, small),
		n.numbers(archive, "indptr", index, n.offsets, uint64(n.rows)+1, small),
		putArray(archive, "format", npy.Header{Type: "|S3"}, []byte("csr")),
		putArray(archive, "shape", npy.Header{Type: "<i8", Shape: []uint64{2}}, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(n.rows)), n.columns)),
		n.numbers(archive, "data", n.dataType(), n.data, n.nnz, false),
	)
	return errors.Join(err, archive.Close())
}

func (n *NPZWriter[W]) dataType() string {
	switch kind := kindOf[W](); {
	case n.unit:
		return "|b1"
	case kind.whole && kind.bits == 32:
		return "<i4"
	case kind.whole:
		return "<i8"
	case kind.bits == 32:
		return "<f4"
	}
	return "<f8"
}

// numbers puts an array into the archive, with half of the bytes of each number if they are small.
func (n *NPZWriter[W]) numbers(archive *zip.Writer, name, kind string, array *scratchArray, count uint64, small bool) error {
	if err := array.w.Flush(); err != nil {
		return err
	}
	if _, err := array.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	w, err := archive.Create(name + ".npy")
	if err != nil {
		return err
	}
	if _, err := w.Write(npy.AppendHeader(nil, npy.Header{Type: kind, Shape: []uint64{count}})); err != nil {
		return err
	}
	if small {
		return halve(w, array.file)
	}
	_, err = io.Copy(w, array.file)
	return err
}

// halve copies numbers of 8 bytes with the lower 4 bytes of each.
func halve(w io.Writer, r io.Reader) error {
	buffer := make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(r, buffer)
		for i := 0; i+8 <= n; i += 8 {
			copy(buffer[i/2:i/2+4], buffer[i:i+4])
		}
		if _, err := w.Write(buffer[:n/2]); err != nil {
			return err
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func putArray(archive *zip.Writer, name string, header npy.Header, data []byte) error {
	w, err := archive.Create(name + ".npy")
	if err == nil {
		_, err = w.Write(append(npy.AppendHeader(nil, header), data...))
	}
	return err
}
