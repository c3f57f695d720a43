package datasets

import (
	"archive/zip"
	"fmt"
	"io"
)

// NPZReader reads the rows of a sparse matrix that scipy.sparse.save_npz has written, in compressed
// sparse row form (CSR). Its memory is that of the longest row, as it is in the file, and of the
// zip archive's directory, whatever sizes headers state.
//
// Values may be bool, integers of any width, float32 or float64; as integers they must be whole and
// fit, as floats they are rounded to the nearest. Zeros, repeated indices and their order are as
// SVMLightReader has them. Rows have no labels and no ids. NaN and infinite values are errors.
type NPZReader[W Weight] struct {
	options ReadOptions
	kind    weightKind
	columns uint64
	rows    uint64

	data, indices, offsets *npzArray
	from                   uint64 // the offset of the next row

	number int // of the row, from 1
	bad    int
	err    error
	row    Row[W]
	places []int
	sums   summer[W]
}

// NewNPZReader returns a reader of an .npz file of that size. Close must be called at the end, and
// does not close r.
func NewNPZReader[W Weight](r io.ReaderAt, size int64, options ReadOptions) (*NPZReader[W], error) {
	n := &NPZReader[W]{options: options.withDefaults(), kind: kindOf[W]()}
	if !options.Unit {
		n.row.Weights = []W{}
	}
	if err := n.open(r, size); err != nil {
		n.Close()
		return nil, fmt.Errorf("datasets: %s: %w", n.options.Name, err)
	}
	return n, nil
}

func (n *NPZReader[W]) open(r io.ReaderAt, size int64) error {
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
func (n *NPZReader[W]) fit() error {
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

func (n *NPZReader[W]) shape(archive *zip.Reader) error {
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
func (n *NPZReader[W]) Close() error {
	for _, array := range []*npzArray{n.data, n.indices, n.offsets} {
		if array != nil {
			array.close.Close()
		}
	}
	return nil
}

// Columns returns how many columns the matrix has; indices are below that.
func (n *NPZReader[W]) Columns() uint64 { return n.columns }

// Bad returns the number of rows that were left out so far, which is 0 without OnError.
func (n *NPZReader[W]) Bad() int { return n.bad }

// NotVectors is nil: an .npz file that opens has vectors.
func (n *NPZReader[W]) NotVectors() error { return nil }

// Read stores the next vector in row, whose slices then belong to the reader and are valid until
// the next Read. The end is io.EOF; after an error, Read returns the same error again.
func (n *NPZReader[W]) Read(row *Row[W]) error {
	for n.err == nil {
		bad, err := n.next()
		switch {
		case err == io.EOF:
			n.err = io.EOF
		case err != nil:
			n.err = fmt.Errorf("datasets: %s: row %d: %w", n.options.Name, n.number, err)
		case bad == nil:
			*row = n.row
			return nil
		case n.options.OnError != nil:
			n.bad++
			n.options.OnError(bad)
		default:
			n.err = bad
		}
	}
	return n.err
}
