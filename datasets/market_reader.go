package datasets

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"simhashkit/internal/lines"
)

// marketReader reads a Matrix Market file; the constant MatrixMarket describes it. Its rows are not
// lines that could be left out: any error ends the reading, whatever OnError is.
type marketReader[W Weight] struct {
	rowReader[W]
	ctx      context.Context // which ends a sort; what ends reading is the stream
	lines    *lines.Reader
	anyOrder bool // holds all entries in memory, and takes them in any order of their rows

	head    marketHead
	entries func() (marketEntry[W], error) // the next one; io.EOF at the end
	taken   uint64                         // entries that were read

	held   *marketEntry[W] // what was read ahead
	number uint64          // rows returned
	empty  uint64          // of them without entries
}

// marketEntry is an entry, counted from 0.
type marketEntry[W Weight] struct {
	row, column uint64
	weight      W
	line        int
}

func newMarketReader[W Weight](ctx context.Context, source io.Reader, options ReadOptions, anyOrder bool) *marketReader[W] {
	options = options.withDefaults()
	m := &marketReader[W]{rowReader: newRowReader[W](options), ctx: ctx, lines: lines.NewReader(source, options.MaxLine), anyOrder: anyOrder}
	m.next = m.nextRow
	return m
}

// Columns returns how many columns the matrix has, once a vector was read.
func (m *marketReader[W]) Columns() uint64 { return m.head.columns }

// NotVectors is nil: a file with such a header has vectors.
func (m *marketReader[W]) NotVectors() error { return nil }

func (m *marketReader[W]) open() error {
	if m.options.Base != 0 {
		return fmt.Errorf("datasets: %s: expected base 0, got %d: a Matrix Market file counts from 1 by definition", m.options.Name, m.options.Base)
	}
	if err := m.readHead(); err != nil {
		return err
	}
	if !m.anyOrder {
		if m.head.symmetry != general {
			return m.fault(1, 1, "a general matrix, or that entries may come in any order", m.head.symmetry)
		}
		m.entries = m.entry
		return m.ahead()
	}
	all, err := m.all()
	if err != nil {
		return err
	}
	m.entries = func() (entry marketEntry[W], err error) {
		if len(all) == 0 {
			return entry, io.EOF
		}
		entry, all = all[0], all[1:]
		return entry, nil
	}
	return m.ahead()
}

// all reads all entries and sorts them by row and place.
func (m *marketReader[W]) all() (all []marketEntry[W], err error) {
	for {
		entry, err := m.entry()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		all = append(all, entry)
		if m.head.symmetry != general && entry.row != entry.column {
			entry.row, entry.column = entry.column, entry.row
			if m.head.symmetry == skewSymmetric {
				var ok bool
				if entry.weight, ok = multiplyWeights(entry.weight, -1); !ok {
					return nil, m.fault(entry.line, 1, "a weight whose negative fits "+m.kind.name, "less")
				}
			}
			all = append(all, entry)
		}
	}
	err = sortFunc(m.ctx, all, func(a, b marketEntry[W]) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.line, b.line))
	})
	return all, err
}

// ahead reads the next entry, if there is one.
func (m *marketReader[W]) ahead() error {
	entry, err := m.entries()
	if m.held = &entry; err == io.EOF {
		m.held = nil
		return nil
	}
	return err
}

// nextRow collects the next row.
func (m *marketReader[W]) nextRow() (*SyntaxError, error) {
	if m.entries == nil {
		if err := m.open(); err != nil {
			return nil, err
		}
	}
	if m.held == nil && m.number == m.head.rows {
		return nil, io.EOF
	}
	m.begin(0)
	for m.held != nil && m.held.row == m.number {
		if m.row.Line == 0 {
			m.row.Line = m.held.line
		}
		if m.held.weight != 0 {
			m.add(m.held.column, m.held.weight, m.held.line)
		}
		if err := m.ahead(); err != nil {
			return nil, err
		}
	}
	if m.held != nil && m.held.row < m.number {
		return nil, m.fault(m.held.line, 1, fmt.Sprintf("row %d or one behind it, or that entries may come in any order", m.number+1), fmt.Sprint(m.held.row+1))
	}
	m.number++
	if line, ok := m.sum(); !ok {
		return nil, m.fault(line, 1, "a sum of repeated entries that fits "+m.kind.name, "more")
	}
	return nil, m.checkEmpty()
}

// emptyRows and emptyPerEntry bound the rows without entries: a header of a few bytes must not make
// vectors without end.
const (
	emptyRows     = 1 << 18
	emptyPerEntry = 64
)

func (m *marketReader[W]) checkEmpty() error {
	if m.row.Line > 0 {
		return nil
	}
	m.empty++
	if m.empty/emptyPerEntry > m.taken+emptyRows/emptyPerEntry {
		return m.fault(m.head.line, 1, "fewer rows without entries", fmt.Sprintf("%d rows, %d entries", m.head.rows, m.head.entries))
	}
	return nil
}

func (m *marketReader[W]) fault(line, column int, want, got string) error {
	return NewSyntaxError(m.options.Name, line, column, want, []byte(got))
}

// ascends says whether all rows of plain Matrix Market text can be read in the order of the file.
// What is malformed counts as if it could: reading it says what is wrong.
func ascends(r io.Reader, options ReadOptions) bool {
	m := newMarketReader[float64](context.Background(), r, options, false)
	if m.readHead() != nil {
		return true
	}
	if m.head.symmetry != general {
		return false
	}
	for last := uint64(0); ; {
		entry, err := m.entry()
		if err != nil {
			return true
		}
		if entry.row < last {
			return false
		}
		last = entry.row
	}
}
