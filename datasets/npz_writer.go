package datasets

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"simhashkit/internal/npy"
)

// npzForm writes rows as those of a matrix in compressed sparse row form (CSR). Values have the
// type of W, unit weights are bool; indices are int32 where they and their number fit, and int64
// elsewhere.
type npzForm[W Weight] struct {
	matrix
	w     io.Writer
	bytes []byte

	data, indices, offsets *scratchFile
}

func newNPZForm[W Weight](w io.Writer, columns uint64) (_ form[W], err error) {
	n := &npzForm[W]{matrix: matrix{columns: columns}, w: w}
	for _, array := range []**scratchFile{&n.data, &n.indices, &n.offsets} {
		if *array, err = newScratchFile(); err != nil {
			n.close()
			return nil, err
		}
	}
	if err := n.write(n.offsets, 0); err != nil {
		n.close()
		return nil, err
	}
	return n, nil
}

func (n *npzForm[W]) close() error {
	for _, array := range []*scratchFile{n.data, n.indices, n.offsets} {
		if array != nil {
			array.file.Close()
		}
	}
	return nil
}

func (n *npzForm[W]) put(row *Row[W]) error {
	if err := addRow(&n.matrix, row, math.MaxInt64-1, "an .npz file"); err != nil {
		return err
	}
	for i, index := range row.Indices {
		if err := n.write(n.indices, index); err != nil {
			return err
		}
		weight := any(true)
		if row.Weights != nil {
			weight = row.Weights[i]
		}
		var err error
		if n.bytes, err = binary.Append(n.bytes[:0], binary.LittleEndian, weight); err == nil {
			_, err = n.data.Write(n.bytes)
		}
		if err != nil {
			return err
		}
	}
	return n.write(n.offsets, uint64(n.nnz))
}

func (n *npzForm[W]) write(array *scratchFile, number uint64) error {
	n.bytes = binary.LittleEndian.AppendUint64(n.bytes[:0], number)
	_, err := array.Write(n.bytes)
	return err
}

func (n *npzForm[W]) end() error {
	archive := zip.NewWriter(n.w)
	small := n.nnz <= math.MaxInt32 && n.columns <= math.MaxInt32
	index := "<i8"
	if small {
		index = "<i4"
	}
	// in scipy's order
	err := errors.Join(
		n.numbers(archive, "indices", index, n.indices, uint64(n.nnz), small),
		n.numbers(archive, "indptr", index, n.offsets, uint64(n.rows)+1, small),
		putArray(archive, "format", npy.Header{Type: "|S3"}, []byte("csr")),
		putArray(archive, "shape", npy.Header{Type: "<i8", Shape: []uint64{2}}, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(n.rows)), n.columns)),
		n.numbers(archive, "data", n.dataType(), n.data, uint64(n.nnz), false),
	)
	return errors.Join(err, archive.Close())
}

func (n *npzForm[W]) dataType() string {
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

// numbers adds an array to the archive. If small, each number takes 4 bytes instead of 8.
func (n *npzForm[W]) numbers(archive *zip.Writer, name, kind string, array *scratchFile, count uint64, small bool) error {
	if err := array.rewind(); err != nil {
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

// halve copies the lower 4 bytes of each number of 8 bytes.
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
