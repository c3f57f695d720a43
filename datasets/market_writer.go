package datasets

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"simhashkit/internal/scratch"
)

// MarketWriter writes sparse vectors as the rows of a general matrix in Matrix Market's coordinate
// format: real, integer by the type of W, or pattern where there are no weights.
//
// Weights are written with the fewest digits that read back to the same value. Entries are written
// to a temporary file first, since the file begins with their number.
type MarketWriter[W Weight] struct {
	w         io.Writer
	file      *scratch.File
	entries   *bufio.Writer
	kind      weightKind
	columns   uint64
	rows, nnz int
	unit      bool
	line      []byte
}

// NewMarketWriter returns a writer onto w of a matrix that has at least that many columns. Flush
// must be called at the end, and Close in any case.
func NewMarketWriter[W Weight](w io.Writer, columns uint64) (*MarketWriter[W], error) {
	file, err := scratch.New()
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return &MarketWriter[W]{w: w, file: file, entries: bufio.NewWriterSize(file, 64<<10), kind: kindOf[W](), columns: columns}, nil
}

// Close removes the temporary file.
func (m *MarketWriter[W]) Close() error { return m.file.Close() }

// Write takes one row, without its label and id, which the format does not hold. Unequal lengths,
// infinite or NaN weights, the index 2^64-1, and rows with weights among rows without are errors.
func (m *MarketWriter[W]) Write(row *Row[W]) error {
	m.rows++
	if err := m.write(row); err != nil {
		return fmt.Errorf("datasets: write row %d: %w", m.rows, err)
	}
	return nil
}

func (m *MarketWriter[W]) write(row *Row[W]) error {
	if err := checkRow(row); err != nil {
		return err
	}
	if len(row.Indices) == 0 {
		return nil
	}
	unit := row.Weights == nil
	if m.nnz > 0 && unit != m.unit {
		return fmt.Errorf("rows with and without weights in one matrix")
	}
	m.unit = unit
	for i, index := range row.Indices {
		if index == math.MaxUint64 {
			return fmt.Errorf("index %d: expected at most %d in a Matrix Market file, which counts from 1", index, uint64(math.MaxUint64-1))
		}
		m.columns = max(m.columns, index+1)
		line := strconv.AppendInt(m.line[:0], int64(m.rows), 10)
		line = strconv.AppendUint(append(line, ' '), index+1, 10)
		if !unit {
			line = appendWeight(append(line, ' '), m.kind, row.Weights[i])
		}
		m.line = append(line, '\n')
		if _, err := m.entries.Write(m.line); err != nil {
			return err
		}
	}
	m.nnz += len(row.Indices)
	return nil
}

// Flush writes the file.
func (m *MarketWriter[W]) Flush() error {
	if err := m.put(); err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	return nil
}

func (m *MarketWriter[W]) put() error {
	if err := m.entries.Flush(); err != nil {
		return err
	}
	if _, err := m.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	field := "real"
	switch {
	case m.unit:
		field = "pattern"
	case m.kind.whole:
		field = "integer"
	}
	if _, err := fmt.Fprintf(m.w, "%s matrix coordinate %s general\n%d %d %d\n", marketMagic, field, m.rows, m.columns, m.nnz); err != nil {
		return err
	}
	_, err := io.Copy(m.w, m.file)
	return err
}
