package datasets

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"simhashkit/internal/scratch"
)

// marketForm writes rows as those of a general matrix in Matrix Market's coordinate format: real,
// integer by the type of W, or pattern where there are no weights.
type marketForm[W Weight] struct {
	matrix
	w       io.Writer
	entries *scratchFile
	line    []byte
}

func newMarketForm[W Weight](w io.Writer, columns uint64) (form[W], error) {
	entries, err := newScratchFile()
	if err != nil {
		return nil, err
	}
	return &marketForm[W]{matrix: matrix{columns: columns}, w: w, entries: entries}, nil
}

func (m *marketForm[W]) close() error { return m.entries.file.Close() }

func (m *marketForm[W]) put(row *Row[W]) error {
	if err := addRow(&m.matrix, row, math.MaxUint64-1, "a Matrix Market file, which counts from 1"); err != nil {
		return err
	}
	kind := kindOf[W]()
	for i, index := range row.Indices {
		line := strconv.AppendInt(m.line[:0], int64(m.rows), 10)
		line = strconv.AppendUint(append(line, ' '), index+1, 10)
		if row.Weights != nil {
			line = appendWeight(append(line, ' '), kind, row.Weights[i])
		}
		m.line = append(line, '\n')
		if _, err := m.entries.Write(m.line); err != nil {
			return err
		}
	}
	return nil
}

func (m *marketForm[W]) end() error {
	field := "real"
	switch {
	case m.unit:
		field = "pattern"
	case kindOf[W]().whole:
		field = "integer"
	}
	if err := m.entries.rewind(); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(m.w, "%s matrix coordinate %s general\n%d %d %d\n", marketMagic, field, m.rows, m.columns, m.nnz); err != nil {
		return err
	}
	_, err := io.Copy(m.w, m.entries.file)
	return err
}

// scratchFile is written to its end, and then read.
type scratchFile struct {
	*bufio.Writer
	file *scratch.File
}

func newScratchFile() (*scratchFile, error) {
	file, err := scratch.New()
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return &scratchFile{bufio.NewWriterSize(file, 64<<10), file}, nil
}

// rewind ends the writing and goes to the beginning.
func (s *scratchFile) rewind() error {
	if err := s.Flush(); err != nil {
		return err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return err
}
