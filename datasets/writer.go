package datasets

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// VectorWriter writes sparse vectors in one of the formats.
type VectorWriter[W Weight] struct {
	form form[W]
	rows int
}

// form holds the differences between the formats.
type form[W Weight] interface {
	put(row *Row[W]) error
	end() error
	close() error
}

// NewVectorWriter returns a writer of the format onto w. Matrices have at least that many columns.
//
// Weights are written with the fewest digits that read back to the same value, unit weights as 1,
// as none in formats that know it. What rows in ascending order without repeats and zeros hold (and
// unit rows in any order, read as unit) reads back bit for bit. In svmlight, a row without a label
// gets the label 0, since most readers of the format want one. Matrix Market and .npz files have
// sizes first, so what follows is in temporary files until Flush: of .npz 24 bytes a feature or
// less, and 8 a row.
func NewVectorWriter[W Weight](w io.Writer, format Format, columns uint64) (*VectorWriter[W], error) {
	var form form[W]
	var err error
	switch format {
	case SVMLight:
		form = newLineForm(w, appendSVMLight[W])
	case Vowpal:
		form = newLineForm(w, appendVowpal[W])
	case MatrixMarket:
		form, err = newMarketForm[W](w, columns)
	case NPZ:
		form, err = newNPZForm[W](w, columns)
	default:
		_, err = ParseFormat(string(format))
	}
	if err != nil {
		return nil, err
	}
	return &VectorWriter[W]{form: form}, nil
}

// Write takes one row, with the label and the id where the format has room for them; its Line is
// ignored. Unequal lengths, infinite or NaN weights, and labels, ids and indices that would not
// read back are errors, and nothing of the row is written.
func (w *VectorWriter[W]) Write(row *Row[W]) error {
	w.rows++
	err := checkRow(row)
	if err == nil {
		err = w.form.put(row)
	}
	if err != nil {
		return fmt.Errorf("datasets: write row %d: %w", w.rows, err)
	}
	return nil
}

// Flush passes on everything that was written; it must be called at the end.
func (w *VectorWriter[W]) Flush() error {
	if err := w.form.end(); err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	return nil
}

// Close removes temporary files. It may be called with or without Flush before.
func (w *VectorWriter[W]) Close() error { return w.form.close() }

// checkRow returns an error for a row that no format can hold.
func checkRow[W Weight](row *Row[W]) error {
	if row.Weights != nil && len(row.Weights) != len(row.Indices) {
		return fmt.Errorf("%d indices and %d weights", len(row.Indices), len(row.Weights))
	}
	for i, weight := range row.Weights {
		if f := float64(weight); math.IsInf(f, 0) || math.IsNaN(f) {
			return fmt.Errorf("weight %v of index %d is not finite", weight, row.Indices[i])
		}
	}
	return nil
}

// matrix collects the properties of a matrix while its rows arrive.
type matrix struct {
	columns   uint64
	rows, nnz int
	unit      bool
}

// addRow adds a row. Files of that kind hold indices up to most.
func addRow[W Weight](m *matrix, row *Row[W], most uint64, kind string) error {
	m.rows++
	if len(row.Indices) == 0 {
		return nil
	}
	unit := row.Weights == nil
	if m.nnz > 0 && unit != m.unit {
		return errors.New("rows with and without weights in one matrix")
	}
	m.unit = unit
	for _, index := range row.Indices {
		if index > most {
			return fmt.Errorf("index %d: expected at most %d in %s", index, most, kind)
		}
		m.columns = max(m.columns, index+1)
	}
	m.nnz += len(row.Indices)
	return nil
}

// WriteSVMLight writes all vectors of a set as svmlight text, with their labels and ids. It ends
// with the context's cause when the context ends.
func WriteSVMLight[W Weight](ctx context.Context, w io.Writer, set *CSR[W]) error {
	if err := set.Validate(); err != nil {
		return err
	}
	writer, err := NewVectorWriter[W](w, SVMLight, 0)
	if err != nil {
		return err
	}
	for i := range set.Len() {
		if err := ended(ctx); err != nil {
			return err
		}
		indices, weights := set.Row(i)
		row := Row[W]{Label: []byte(set.Label(i)), ID: []byte(set.ID(i)), Indices: indices, Weights: weights}
		if err := writer.Write(&row); err != nil {
			return err
		}
	}
	return writer.Flush()
}

// lineForm writes formats with one vector on each line.
type lineForm[W Weight] struct {
	w      *bufio.Writer
	line   []byte
	append func(line []byte, row *Row[W]) ([]byte, error)
}

func newLineForm[W Weight](w io.Writer, append func(line []byte, row *Row[W]) ([]byte, error)) *lineForm[W] {
	return &lineForm[W]{w: bufio.NewWriterSize(w, 64<<10), append: append}
}

func (l *lineForm[W]) put(row *Row[W]) (err error) {
	if l.line, err = l.append(l.line[:0], row); err == nil {
		_, err = l.w.Write(append(l.line, '\n'))
	}
	return err
}

func (l *lineForm[W]) end() error   { return l.w.Flush() }
func (l *lineForm[W]) close() error { return nil }

func appendWeight[W Weight](line []byte, kind weightKind, weight W) []byte {
	if kind.whole {
		return strconv.AppendInt(line, int64(weight), 10)
	}
	return strconv.AppendFloat(line, float64(weight), 'g', -1, kind.bits)
}
