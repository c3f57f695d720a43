package datasets

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"simhashkit/internal/lines"
)

// MarketOptions says how a Matrix Market file is to be read.
type MarketOptions struct {
	ReadOptions

	// AnyOrder takes entries in any order of their rows, and symmetric matrices: it holds all
	// entries in memory, some 32 bytes each. Without it rows must not fall, as those of a matrix
	// that was written row by row do not, and memory is that of the longest row.
	AnyOrder bool
}

// MarketReader reads the rows of a sparse matrix in a Matrix Market file: coordinate format, with
// real, integer or pattern entries (a pattern's are 1), general, symmetric or skew-symmetric.
//
// Rows and columns count from 1 there, and indices from 0, so that they are those of the same
// matrix elsewhere. All rows of the matrix are vectors, those without entries too; they have no
// labels and no ids. Values, zeros and repeats are as SVMLightReader has them.
//
// The rows are not lines that could be left out: any error ends the reading, whatever OnError is.
type MarketReader[W Weight] struct {
	ctx     context.Context // which ends a sort; what ends reading is the stream
	lines   *lines.Reader
	options MarketOptions
	kind    weightKind

	head    marketHead
	entries func() (marketEntry[W], error) // the next one; io.EOF at the end
	taken   uint64                         // entries that were read

	held   *marketEntry[W] // what was read ahead
	number uint64          // rows returned
	empty  uint64          // of them without entries
	err    error
	row    Row[W]
	places []int
	sums   summer[W]
}

// marketEntry is an entry, counted from 0.
type marketEntry[W Weight] struct {
	row, column uint64
	weight      W
	line        int
}

// NewMarketReader returns a reader of plain text; Open gives that of a file. It panics when MaxLine
// is negative.
func NewMarketReader[W Weight](r io.Reader, options MarketOptions) *MarketReader[W] {
	options.ReadOptions = options.withDefaults()
	m := &MarketReader[W]{ctx: context.Background(), lines: lines.NewReader(r, options.MaxLine), options: options, kind: kindOf[W]()}
	if options.Unit {
		m.kind = kindOf[float64]()
	} else {
		m.row.Weights = []W{}
	}
	return m
}

// Read stores the next vector in row, whose slices then belong to the reader and are valid until
// the next Read. Line is that of its first entry. The end is io.EOF; after an error, Read returns
// the same error again.
func (m *MarketReader[W]) Read(row *Row[W]) error {
	if m.err == nil && m.entries == nil {
		m.err = m.begin()
	}
	if m.err == nil {
		m.err = m.next()
	}
	if m.err == nil {
		*row = m.row
	}
	return m.err
}

// Columns returns how many columns the matrix has, once a vector was read.
func (m *MarketReader[W]) Columns() uint64 { return m.head.columns }

// Bad is 0: nothing is left out.
func (m *MarketReader[W]) Bad() int { return 0 }

// NotVectors is nil: a file with this header has vectors.
func (m *MarketReader[W]) NotVectors() error { return nil }

func (m *MarketReader[W]) begin() error {
	if m.options.Base != 0 {
		return fmt.Errorf("datasets: %s: expected base 0, got %d: a Matrix Market file counts from 1 by definition", m.options.Name, m.options.Base)
	}
	if err := m.readHead(); err != nil {
		return err
	}
	if !m.options.AnyOrder {
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
func (m *MarketReader[W]) all() (all []marketEntry[W], err error) {
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
func (m *MarketReader[W]) ahead() error {
	entry, err := m.entries()
	if m.held = &entry; err == io.EOF {
		m.held = nil
		return nil
	}
	return err
}

// next collects the next row.
func (m *MarketReader[W]) next() error {
	if m.held == nil && m.number == m.head.rows {
		return io.EOF
	}
	m.row = Row[W]{Indices: m.row.Indices[:0], Weights: m.row.Weights[:0]}
	m.places, m.sums.unsorted = m.places[:0], false
	for m.held != nil && m.held.row == m.number {
		m.add(m.held)
		if err := m.ahead(); err != nil {
			return err
		}
	}
	if m.held != nil && m.held.row < m.number {
		return m.fault(m.held.line, 1, fmt.Sprintf("row %d or one behind it, or that entries may come in any order", m.number+1), fmt.Sprint(m.held.row+1))
	}
	m.number++
	if m.sums.unsorted {
		if line, ok := m.sums.sum(&m.row, m.places); !ok {
			return m.fault(line, 1, "a sum of repeated entries that fits "+m.kind.name, "more")
		}
	}
	return m.checkEmpty()
}

func (m *MarketReader[W]) add(entry *marketEntry[W]) {
	if m.row.Line == 0 {
		m.row.Line = entry.line
	}
	if entry.weight == 0 {
		return
	}
	if !m.options.Unit {
		m.sums.next(&m.row, entry.column)
		m.row.Weights = append(m.row.Weights, entry.weight)
		m.places = append(m.places, entry.line)
	}
	m.row.Indices = append(m.row.Indices, entry.column)
}

// emptyRows and emptyPerEntry bound the rows without entries: a header of a few bytes must not make
// vectors without end.
const (
	emptyRows     = 1 << 18
	emptyPerEntry = 64
)

func (m *MarketReader[W]) checkEmpty() error {
	if m.row.Line > 0 {
		return nil
	}
	m.empty++
	if m.empty/emptyPerEntry > m.taken+emptyRows/emptyPerEntry {
		return m.fault(m.head.line, 1, "fewer rows without entries", fmt.Sprintf("%d rows, %d entries", m.head.rows, m.head.entries))
	}
	return nil
}

func (m *MarketReader[W]) fault(line, column int, want, got string) error {
	return NewSyntaxError(m.options.Name, line, column, want, []byte(got))
}

// ascends says whether all rows of plain Matrix Market text can be read without AnyOrder. What is
// malformed counts as if it could: reading it says what is wrong.
func ascends(r io.Reader, options ReadOptions) bool {
	m := NewMarketReader[float64](r, MarketOptions{ReadOptions: options})
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
