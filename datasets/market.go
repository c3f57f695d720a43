package datasets

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/internal/english"
	"simhashkit/internal/lines"
	"simhashkit/internal/scratch"
)

// marketMagic begins every Matrix Market file, in small letters or capitals.
const marketMagic = "%%MatrixMarket"

// The symmetries of a matrix.
const (
	general       = "general"
	symmetric     = "symmetric"
	skewSymmetric = "skew-symmetric"
)

// marketHead is the part of the file before the entries.
type marketHead struct {
	field, symmetry        string
	rows, columns, entries uint64
	line                   int // of the sizes
}

// readHead reads the first line and the line of sizes.
func (m *marketReader[W]) readHead() error {
	line, err := readLine(m.lines, &m.options)
	if err != nil && err != io.EOF {
		return err
	}
	line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	words := strings.Fields(strings.ToLower(string(line[:min(len(line), maxLooked)])))
	want := ""
	switch {
	case len(words) != 5 || words[0] != strings.ToLower(marketMagic) || words[1] != "matrix":
		want = marketMagic + " matrix coordinate real general"
	case words[2] != "coordinate":
		want = "a sparse matrix (coordinate)"
	case words[3] != "real" && words[3] != "integer" && words[3] != "pattern":
		want = "real, integer or pattern entries"
	case words[4] != general && words[4] != symmetric && words[4] != skewSymmetric:
		want = "a general, symmetric or skew-symmetric matrix"
	}
	if want != "" {
		return m.fault(1, 1, want, string(line))
	}
	m.head.field, m.head.symmetry = words[3], words[4]
	return m.sizes()
}

// sizes reads the line of rows, columns and entries.
func (m *marketReader[W]) sizes() error {
	line, err := m.content()
	if err == io.EOF {
		return m.fault(m.lines.Number()+1, 1, "a line of rows, columns and entries", "nothing")
	}
	if err != nil {
		return err
	}
	m.head.line = m.lines.Number()
	at := skipSpace(line, 0)
	for _, size := range []*uint64{&m.head.rows, &m.head.columns, &m.head.entries} {
		n, end, ok := scanIndex(line, at)
		if end == at || !ok || end < len(line) && !isSpace(line[end]) {
			return m.fault(m.lines.Number(), at+1, "rows, columns and entries, three whole numbers", string(tokenAt(line, at)))
		}
		*size, at = n, skipSpace(line, end)
	}
	if at < len(line) {
		return m.fault(m.lines.Number(), at+1, "nothing behind rows, columns and entries", string(tokenAt(line, at)))
	}
	if m.head.symmetry != general && m.head.rows != m.head.columns {
		return m.fault(m.lines.Number(), 1, "as many rows as columns of a "+m.head.symmetry+" matrix", string(line))
	}
	return nil
}

// content returns the next line that is neither blank nor a comment.
func (m *marketReader[W]) content() ([]byte, error) {
	for {
		line, err := readLine(m.lines, &m.options)
		if err != nil {
			return nil, err
		}
		if at := skipSpace(line, 0); at < len(line) && line[at] != '%' {
			return line, nil
		}
	}
}

// entry reads the next entry. After the last one, it returns io.EOF if the file has as many entries
// as announced.
func (m *marketReader[W]) entry() (entry marketEntry[W], err error) {
	line, err := m.content()
	if err == io.EOF && m.taken < m.head.entries {
		return entry, m.fault(m.head.line, 1, fmt.Sprintf("as many entries as announced, %d", m.head.entries), fmt.Sprint(m.taken))
	}
	if err != nil {
		return entry, err
	}
	if m.taken == m.head.entries {
		return entry, m.fault(m.lines.Number(), 1, fmt.Sprintf("the end behind %d %s, as announced", m.taken, english.Plural(int(m.taken), "entry", "entries")), string(line))
	}
	m.taken++
	at := skipSpace(line, 0)
	if entry.row, at, err = m.place(line, at, "row", m.head.rows); err == nil {
		entry.column, at, err = m.place(line, at, "column", m.head.columns)
	}
	if err != nil {
		return entry, err
	}
	entry.line, entry.weight = m.lines.Number(), 1
	if m.head.field != "pattern" {
		entry.weight, at, err = m.weight(line, at)
	}
	if err == nil && at < len(line) {
		err = m.fault(m.lines.Number(), at+1, "the end of the line behind "+map[bool]string{true: "row and column", false: "row, column and value"}[m.head.field == "pattern"], string(line[at:]))
	}
	return entry, err
}

// place reads the number of a row or a column and returns it, counted from 0, and where the next
// token begins.
func (m *marketReader[W]) place(line []byte, at int, what string, most uint64) (uint64, int, error) {
	n, end, ok := scanIndex(line, at)
	if end == at || !ok || n < 1 || n > most || end < len(line) && !isSpace(line[end]) {
		return 0, at, m.fault(m.lines.Number(), at+1, fmt.Sprintf("a %s from 1 to %d", what, most), string(tokenAt(line, at)))
	}
	return n - 1, skipSpace(line, end), nil
}

func (m *marketReader[W]) weight(line []byte, at int) (weight W, end int, err error) {
	token := tokenAt(line, at)
	weight, want := m.scanWeight(token, "a number behind row and column")
	if want != "" {
		return 0, at, m.fault(m.lines.Number(), at+1, want, string(token))
	}
	return weight, skipSpace(line, at+len(token)), nil
}

// marketReader reads a Matrix Market file; the constant MatrixMarket describes the format. A
// malformed entry cannot be left out like a line, so any error ends the reading, whatever OnError
// is.
type marketReader[W Weight] struct {
	rowReader[W]
	ctx      context.Context // ends a sort; the stream ends reading
	lines    *lines.Reader
	anyOrder bool // rows may be in any order: all entries are held in memory

	head    marketHead
	entries func() (marketEntry[W], error) // the next one; io.EOF at the end
	taken   uint64                         // entries that were read

	held   *marketEntry[W] // read ahead
	number uint64          // rows returned
	empty  uint64          // those without entries
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
	compare := func(a, b marketEntry[W]) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.line, b.line)) }
	return all, sortUnlessEnded(m.ctx, len(all), func() { slices.SortFunc(all, compare) })
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
// an endless number of vectors.
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

// ascends reports whether the rows of a Matrix Market file are in ascending order. Malformed lines
// count as ascending: reading them reports the error.
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

// scratchFile is a temporary file that is written first, and then read.
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
