package datasets

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"simhashkit/internal/english"
	"simhashkit/internal/lines"
	"simhashkit/internal/syntax"
)

// marketMagic begins every Matrix Market file, in any letter case.
const marketMagic = "%%MatrixMarket"

// The symmetries of a matrix.
const (
	general       = "general"
	symmetric     = "symmetric"
	skewSymmetric = "skew-symmetric"
)

// marketHead holds the header of the file.
type marketHead struct {
	field, symmetry        string
	rows, columns, entries uint64
	line                   int // line number of the sizes
}

// readHead reads the first line and the size line.
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

// sizes reads the line with the numbers of rows, columns and entries.
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
		return m.fault(m.lines.Number(), at+1, "nothing after rows, columns and entries", string(tokenAt(line, at)))
	}
	if m.head.symmetry != general && m.head.rows != m.head.columns {
		return m.fault(m.head.line, 1, "as many rows as columns of a "+m.head.symmetry+" matrix", string(line))
	}
	if m.head.rows/rowsPerEntry > m.head.entries+emptyRows/rowsPerEntry {
		return m.fault(m.head.line, 1, "fewer rows without entries", fmt.Sprintf("%d rows, %d entries", m.head.rows, m.head.entries))
	}
	return nil
}

// emptyRows and rowsPerEntry bound the number of rows, so that a header of a few bytes cannot
// demand a huge number of vectors.
const (
	emptyRows    = 1 << 18
	rowsPerEntry = 64
)

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

// entry reads the next entry. After the last entry, it returns io.EOF if the file has exactly the
// announced number of entries.
func (m *marketReader[W]) entry() (entry marketEntry[W], err error) {
	line, err := m.content()
	if err == io.EOF && m.taken < m.head.entries {
		return entry, m.fault(m.head.line, 1, fmt.Sprintf("as many entries as announced, %d", m.head.entries), fmt.Sprint(m.taken))
	}
	if err != nil {
		return entry, err
	}
	if m.taken == m.head.entries {
		return entry, m.fault(m.lines.Number(), 1, fmt.Sprintf("the end after %d %s, as announced", m.taken, english.Plural(int(m.taken), "entry", "entries")), string(line))
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
		err = m.fault(m.lines.Number(), at+1, "the end of the line after "+map[bool]string{true: "row and column", false: "row, column and value"}[m.head.field == "pattern"], string(line[at:]))
	}
	return entry, err
}

// place reads a row or column number. It returns the number, counted from 0, and the position of
// the next token.
func (m *marketReader[W]) place(line []byte, at int, what string, most uint64) (uint64, int, error) {
	n, end, ok := scanIndex(line, at)
	if end == at || !ok || n < 1 || n > most || end < len(line) && !isSpace(line[end]) {
		return 0, at, m.fault(m.lines.Number(), at+1, fmt.Sprintf("a %s from 1 to %d", what, most), string(tokenAt(line, at)))
	}
	return n - 1, skipSpace(line, end), nil
}

func (m *marketReader[W]) weight(line []byte, at int) (weight W, end int, err error) {
	token := tokenAt(line, at)
	weight, _, want := m.parseWeight(token, "a number after row and column")
	if want != "" {
		return 0, at, m.fault(m.lines.Number(), at+1, want, string(token))
	}
	return weight, skipSpace(line, at+len(token)), nil
}

// marketReader reads a Matrix Market file. A malformed entry cannot be skipped like a line, so any
// error ends the reading, even with OnError.
type marketReader[W Weight] struct {
	rowReader[W]
	lines   *lines.Reader
	head    marketHead
	taken   uint64           // number of entries read
	entries []marketEntry[W] // entries of the remaining rows, in row order
	number  uint64           // number of rows returned
}

// marketEntry is an entry with its row and column, counted from 0.
type marketEntry[W Weight] struct {
	row, column uint64
	weight      W
	line        int
}

// newMarketReader reads the whole file at once, since entries may come in any order.
func newMarketReader[W Weight](ctx context.Context, source io.Reader, options ReadOptions) (*marketReader[W], error) {
	options = options.withDefaults()
	m := &marketReader[W]{rowReader: newRowReader[W](options), lines: lines.NewReader(source, options.MaxLine)}
	m.next = m.nextRow
	if options.Base != 0 {
		return nil, fmt.Errorf("datasets: %s: expected base 0, got %d: a Matrix Market file counts from 1 by definition", options.Name, options.Base)
	}
	err := m.readHead()
	if err == nil {
		m.entries, err = m.all(ctx)
	}
	return m, err
}

// all reads all entries and sorts them by row and position in the file.
func (m *marketReader[W]) all(ctx context.Context) (all []marketEntry[W], err error) {
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
	return all, sortUnlessEnded(ctx, len(all), func() { slices.SortFunc(all, compare) })
}

// nextRow collects the next row.
func (m *marketReader[W]) nextRow() (*syntax.Error, error) {
	if m.number == m.head.rows {
		return nil, io.EOF
	}
	m.begin(0)
	for ; len(m.entries) > 0 && m.entries[0].row == m.number; m.entries = m.entries[1:] {
		entry := &m.entries[0]
		if m.row.Line == 0 {
			m.row.Line = entry.line
		}
		if entry.weight != 0 {
			m.add(entry.column, entry.weight, entry.line)
		}
	}
	m.number++
	if line, ok := m.sum(); !ok {
		return nil, m.fault(line, 1, "a sum of repeated entries that fits "+m.kind.name, "more")
	}
	return nil, nil
}

func (m *marketReader[W]) fault(line, column int, want, got string) error {
	return syntax.New(m.options.Name, line, column, want, []byte(got))
}
