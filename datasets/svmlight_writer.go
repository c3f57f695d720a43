package datasets

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
)

// SVMLightWriter writes sparse vectors as svmlight text, one line each; SVMLightReader describes
// the lines.
//
// Weights are written with the fewest digits that read back to the same value, unit weights as 1. A
// row without a label gets the label 0, since most readers of the format want one. What rows in
// ascending order without repeats and zeros hold (and unit rows in any order, read as unit) reads
// back bit for bit.
type SVMLightWriter[W Weight] struct {
	w    *bufio.Writer
	kind weightKind
	line []byte
	rows int
}

// NewSVMLightWriter returns a writer onto w. Flush must be called at the end.
func NewSVMLightWriter[W Weight](w io.Writer) *SVMLightWriter[W] {
	return &SVMLightWriter[W]{w: bufio.NewWriterSize(w, 64<<10), kind: kindOf[W]()}
}

// Write writes one row; its Line is ignored. Unequal lengths, infinite or NaN weights, and labels
// and ids that would not read back are errors, and nothing of the row is written: a label must be
// one printable token without # and colon, an id must not have line breaks, nor white space at its
// ends.
func (w *SVMLightWriter[W]) Write(row *Row[W]) error {
	w.rows++
	if err := w.format(row); err != nil {
		return fmt.Errorf("datasets: write row %d: %w", w.rows, err)
	}
	if _, err := w.w.Write(w.line); err != nil {
		return fmt.Errorf("datasets: write row %d: %w", w.rows, err)
	}
	return nil
}

// Flush passes everything written so far on to the underlying writer.
func (w *SVMLightWriter[W]) Flush() error {
	if err := w.w.Flush(); err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	return nil
}

func (w *SVMLightWriter[W]) format(row *Row[W]) error {
	if err := checkRow(row); err != nil {
		return err
	}
	if !labelReadsBack(row.Label) {
		return fmt.Errorf("label %q is not one printable token without # and colon", clip(row.Label))
	}
	if !idReadsBack(row.ID) {
		return fmt.Errorf("id %q has line breaks, or white space at its ends", clip(row.ID))
	}
	line := w.line[:0]
	if len(row.Label) == 0 {
		line = append(line, '0')
	}
	line = append(line, row.Label...)
	for i, index := range row.Indices {
		line = append(line, ' ')
		line = strconv.AppendUint(line, index, 10)
		line = append(line, ':')
		if row.Weights == nil {
			line = append(line, '1')
			continue
		}
		line = appendWeight(line, w.kind, row.Weights[i])
	}
	if len(row.ID) > 0 {
		line = append(line, " # "...)
		line = append(line, row.ID...)
	}
	w.line = append(line, '\n')
	return nil
}

func labelReadsBack(label []byte) bool {
	return !bytes.ContainsAny(label, " #:") && printable(label)
}

func idReadsBack(id []byte) bool {
	return len(trimSpace(id)) == len(id) && bytes.IndexByte(id, '\n') < 0
}

func appendWeight[W Weight](line []byte, kind weightKind, weight W) []byte {
	if kind.whole {
		return strconv.AppendInt(line, int64(weight), 10)
	}
	return strconv.AppendFloat(line, float64(weight), 'g', -1, kind.bits)
}

// WriteSVMLight writes all vectors of a set as svmlight text, with their labels and ids. It ends
// with the context's cause when the context ends.
func WriteSVMLight[W Weight](ctx context.Context, w io.Writer, set *CSR[W]) error {
	if err := set.Validate(); err != nil {
		return err
	}
	writer := NewSVMLightWriter[W](w)
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
