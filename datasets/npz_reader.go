package datasets

import (
	"archive/zip"
	"fmt"
	"io"
)

// npzReader reads an .npz file; the constant NPZ describes it. Its memory is that of the longest
// row, as it is in the file, and of the zip archive's directory, whatever sizes headers state.
type npzReader[W Weight] struct {
	rowReader[W]
	columns uint64
	rows    uint64

	data, indices, offsets *npzArray
	from                   uint64 // the offset of the next row
	number                 int    // of the row, from 1
}

// newNPZReader returns a reader of an .npz file of that size. Close must be called at the end, and
// does not close source.
func newNPZReader[W Weight](source io.ReaderAt, size int64, options ReadOptions) (*npzReader[W], error) {
	n := &npzReader[W]{rowReader: newRowReader[W](options)}
	n.kind, n.next = kindOf[W](), n.nextRow
	if err := n.open(source, size); err != nil {
		n.Close()
		return nil, fmt.Errorf("datasets: %s: %w", n.options.Name, err)
	}
	return n, nil
}

func (n *npzReader[W]) open(r io.ReaderAt, size int64) error {
	if n.options.Base != 0 {
		return fmt.Errorf("expected base 0, got %d: the indices of an .npz file count from 0", n.options.Base)
	}
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return fmt.Errorf("expected a whole .npz file: %w", err)
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

// fit holds the sizes of the arrays against each other.
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
	defer shape.close.Close()
	if n.rows, err = shape.nextCount(); err == nil {
		n.columns, err = shape.nextCount()
	}
	if err == nil {
		err = shape.end()
	}
	return err
}

// Close closes the arrays.
func (n *npzReader[W]) Close() error {
	for _, array := range []*npzArray{n.data, n.indices, n.offsets} {
		if array != nil {
			array.close.Close()
		}
	}
	return nil
}

// Columns returns how many columns the matrix has; indices are below that.
func (n *npzReader[W]) Columns() uint64 { return n.columns }

// NotVectors is nil: an .npz file that opens has vectors.
func (n *npzReader[W]) NotVectors() error { return nil }
