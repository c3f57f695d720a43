package datasets

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
)

// VowpalWriter writes sparse vectors in Vowpal Wabbit's text format, one line each:
//
//	label 'id| index:weight index:weight ...
//
// Names are indices, in the namespace without a name, so that VowpalReader reads back bit for bit
// what rows in ascending order without repeats and zeros hold (and unit rows in any order, read as
// unit).
type VowpalWriter[W Weight] struct {
	w    *bufio.Writer
	kind weightKind
	line []byte
	rows int
}

// NewVowpalWriter returns a writer onto w. Flush must be called at the end.
func NewVowpalWriter[W Weight](w io.Writer) *VowpalWriter[W] {
	return &VowpalWriter[W]{w: bufio.NewWriterSize(w, 64<<10), kind: kindOf[W]()}
}

// Write writes one row; its Line is ignored. Unequal lengths, infinite or NaN weights, and labels
// and ids that would not read back are errors, and nothing of the row is written: each must be one
// printable token without a bar, and no label begins with an apostrophe.
func (w *VowpalWriter[W]) Write(row *Row[W]) error {
	w.rows++
	err := w.format(row)
	if err == nil {
		_, err = w.w.Write(w.line)
	}
	if err != nil {
		return fmt.Errorf("datasets: write row %d: %w", w.rows, err)
	}
	return nil
}

// Flush passes everything written so far on to the underlying writer.
func (w *VowpalWriter[W]) Flush() error {
	if err := w.w.Flush(); err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	return nil
}

func (w *VowpalWriter[W]) format(row *Row[W]) error {
	if err := checkRow(row); err != nil {
		return err
	}
	if !vowpalLabel(row.Label) {
		return fmt.Errorf("label %q is not one printable token without a bar, nor an apostrophe before it", clip(row.Label))
	}
	if !vowpalID(row.ID) {
		return fmt.Errorf("id %q is not one printable token without a bar", clip(row.ID))
	}
	line := append(w.line[:0], row.Label...)
	if len(line) > 0 {
		line = append(line, ' ')
	}
	if len(row.ID) > 0 {
		line = append(append(line, '\''), row.ID...)
	}
	line = append(line, '|')
	for i, index := range row.Indices {
		line = strconv.AppendUint(append(line, ' '), index, 10)
		if row.Weights != nil {
			line = appendWeight(append(line, ':'), w.kind, row.Weights[i])
		}
	}
	w.line = append(line, '\n')
	return nil
}

// checkRow returns an error for a row that no format holds.
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

// vowpalLabel says whether the format holds a label.
func vowpalLabel(label []byte) bool {
	return !bytes.ContainsAny(label, " |") && printable(label) && !bytes.HasPrefix(label, []byte("'"))
}

// vowpalID says whether the format holds an id.
func vowpalID(id []byte) bool { return !bytes.ContainsAny(id, " |") && printable(id) }
