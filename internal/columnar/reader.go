// Package columnar reads and writes Parquet files. Importing it lets package documents read
// Parquet. It is a separate package because its library is large.
//
// The text is a column of strings or bytes, or of lists of them, which are joined with line feeds.
// The id is a column of strings or whole numbers. Columns within groups are named with dots, and
// columns within lists with brackets: messages[].content. The reader decodes only these columns,
// one page at a time, so memory does not grow with the number of rows. It supports all encodings of
// text, including dictionaries and arrow's large_string, and all compressions except LZ4. A null is
// an empty text, or an id that is made up. The error of a row contains the row number, from 1.
//
// On damaged files, the Parquet library may panic or fault; this package returns an error instead.
// A page or dictionary is held in memory as a whole. One that claims both more than 64 MiB and more
// than a thousand times its packed size is treated as damaged.
package columnar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"simhashkit/datasets/documents"
	"simhashkit/internal/docformat"
)

func init() { documents.RegisterParquet(open, copyKept) }

// reader reads documents from the columns for text, id and value.
type reader struct {
	rows
	ctx     context.Context
	options documents.Options
	text    *column
	id      *column // nil if the options name no id
	value   *column // nil if the options name no value
	digits  []byte
	joined  []byte // strings of a list
	err     error  // returned by every further Read
}

func open(ctx context.Context, path string, options documents.Options) (documents.Reader, error) {
	f, err := openFile(ctx, path)
	if err != nil {
		return nil, err
	}
	r, err := newReader(ctx, f, options)
	if err != nil {
		f.close()
		return nil, err
	}
	return r, nil
}

func newReader(ctx context.Context, f *file, options documents.Options) (*reader, error) {
	var text, id, value *column
	var bad error // error of the options
	err := guarded(func() error {
		text, bad = f.columnNamed(cmp.Or(options.Text, docformat.DefaultText), textColumn)
		if bad == nil && options.ID != "" {
			id, bad = f.columnNamed(options.ID, idColumn)
		}
		if bad == nil && options.Value != "" {
			value, bad = f.columnNamed(options.Value, valueColumn)
		}
		return nil
	})
	if err != nil {
		return nil, f.damaged(ctx, err)
	}
	if bad != nil {
		return nil, bad
	}
	return &reader{rows: newRows(f, text, id, value), ctx: ctx, options: options, text: text, id: id, value: value}, nil
}

// Read returns the error of a row or passes it to OnError, like other readers of documents.
func (r *reader) Read(d *documents.Document) error {
	for r.err == nil {
		_, bad, err := r.document(d)
		switch {
		case err == io.EOF:
			r.err = io.EOF
		case err != nil:
			r.err = r.failed(err)
		case bad == nil:
			return nil
		default:
			r.err = r.leaveOut(bad)
		}
	}
	return r.err
}

// leaveOut passes the error of a row to OnError. Without OnError, it returns the error.
func (r *reader) leaveOut(bad error) error {
	if r.options.OnError == nil {
		return documents.RecordError{Err: bad}
	}
	r.options.OnError(bad)
	return nil
}

// failed adds the number of the last row read to an error.
func (r *reader) failed(err error) error {
	if r.ctx.Err() == nil {
		err = fmt.Errorf("after row %d: %w", r.number, err)
	}
	return r.file.damaged(r.ctx, err)
}

// document reads the next row as a document. bad is an error of this row only; err is an error of
// the file.
func (r *reader) document(d *documents.Document) (row parquet.Row, bad, err error) {
	if r.ctx.Err() != nil {
		return nil, nil, context.Cause(r.ctx)
	}
	// In a damaged file, a value can have any address. Its bytes are read here for the first time.
	err = guarded(func() (err error) {
		if row, err = r.next(); err != nil {
			return err
		}
		*d = documents.Document{File: r.file.path, Line: r.number, Number: r.number}
		if r.text.list {
			var ok bool
			d.Text, ok, bad = r.strings(r.text, row)
			d.NoText = !ok
		} else {
			d.Text, bad = r.string(r.text, r.values[0])
			d.NoText = r.values[0].IsNull()
		}
		if bad == nil && r.id != nil {
			d.NumericID = r.id.numbers
			if d.ID, bad = r.string(r.id, r.values[1]); len(d.ID) == 0 {
				d.MakeUpID()
			}
		}
		if r.value != nil {
			d.Value = r.value.text(r.values[2])
		}
		return nil
	})
	return row, bad, err
}

// Close closes the file.
func (r *reader) Close() error { return errors.Join(r.rows.close(), r.file.close()) }

// rows reads several columns of a file in parallel, row by row.
type rows struct {
	file   *file
	fields []*column       // nil for a column that the file does not have
	values []parquet.Value // values of the fields in the last row; null for a nil field
	read   []int           // indices of the columns to read

	groups int   // number of row groups opened
	number int   // number of the last row, from 1
	left   int64 // number of rows of the row group after the batch
	group  parquet.RowReadSeekCloser
	batch  [batchRows]parquet.Row
	unread []parquet.Row // unread rows of the batch
}

func newRows(f *file, fields ...*column) rows {
	r := rows{file: f, fields: fields, values: make([]parquet.Value, len(fields))}
	for _, c := range fields {
		if c != nil {
			r.read = append(r.read, c.index)
		}
	}
	return r
}

const batchRows = 64 // number of rows read at once

// next returns the next row and stores the values of the fields. They are valid until next reads
// another batch. At the end, it returns io.EOF.
func (r *rows) next() (parquet.Row, error) {
	for len(r.unread) == 0 {
		if r.group == nil {
			if err := r.nextGroup(); err != nil {
				return nil, err
			}
			continue
		}
		n, err := r.group.ReadRows(r.batch[:])
		if err != nil && err != io.EOF {
			return nil, err
		}
		if r.left -= int64(n); r.left < 0 || n == 0 && r.left > 0 {
			return nil, errRows
		}
		r.unread = r.batch[:n]
		if n == 0 {
			if err := r.close(); err != nil {
				return nil, err
			}
		}
	}
	row := r.unread[0]
	r.unread = r.unread[1:]
	r.number++
	for i, c := range r.fields {
		if c == nil {
			continue
		}
		at := slices.IndexFunc(row, func(v parquet.Value) bool { return v.Column() == c.index })
		if at < 0 {
			return nil, fmt.Errorf("expected a value in the column %q, got none", c.name)
		}
		r.values[i] = row[at]
	}
	return row, nil
}

// nextGroup opens the next row group.
func (r *rows) nextGroup() error {
	groups := r.file.RowGroups()
	if r.groups == len(groups) {
		return io.EOF
	}
	group := groups[r.groups]
	r.left = group.NumRows()
	var columns []parquet.ColumnChunk
	for _, c := range r.read {
		column := group.ColumnChunks()[c]
		if r.left == 0 && column.NumValues() > 0 {
			return errRows
		}
		if err := r.file.checkPages(r.groups, c); err != nil {
			return fmt.Errorf("the column %q: %w", strings.Join(r.file.Schema().Columns()[c], "."), err)
		}
		columns = append(columns, column)
	}
	r.groups++
	if r.left > 0 { // pyarrow writes empty row groups, and the library cannot read them
		r.group = parquet.NewColumnChunkRowReader(columns)
	}
	return nil
}

var errRows = errors.New("a column with more or fewer values than there are rows")

// close closes the row group.
func (r *rows) close() error {
	if r.group == nil {
		return nil
	}
	group := r.group
	r.group = nil
	return guarded(group.Close)
}

// Table reads several columns of a Parquet file row by row. It handles damaged files like the
// reader of documents: it allocates only memory that the size of the file justifies.
type Table struct {
	rows
	ctx context.Context
}

// NewTable opens a file of the given size to read the named columns. path appears in errors. A
// column that is missing, or that has several values per row, reads as null; see Has.
func NewTable(ctx context.Context, r io.ReaderAt, size int64, path string, names ...string) (*Table, error) {
	f, err := newFile(ctx, r, size, path)
	if err != nil {
		return nil, err
	}
	var fields []*column
	for _, name := range names {
		var c *column
		if leaf, ok := f.Schema().Lookup(name); ok && leaf.MaxRepetitionLevel == 0 {
			c = &column{name: name, index: leaf.ColumnIndex, unsigned: unsigned(leaf.Node.Type())}
		}
		fields = append(fields, c)
	}
	return &Table{newRows(f, fields...), ctx}, nil
}

// Has reports whether the file has a usable column for names[column].
func (t *Table) Has(column int) bool { return t.fields[column] != nil }

// Unsigned reports whether a column holds unsigned numbers.
func (t *Table) Unsigned(column int) bool { return t.Has(column) && t.fields[column].unsigned }

// Texts returns the columns of strings that can be the text, as in documents.Options.
func (t *Table) Texts() (names []string) {
	for i, name := range t.file.paths() {
		if _, decimal := logical(t.file.leaves[i].Node.Type()).(*format.DecimalType); t.file.leaves[i].Node.Type().Kind() == parquet.ByteArray && !decimal {
			names = append(names, name)
		}
	}
	return names
}

// Names lists as many columns of the file as fit on a line.
func (t *Table) Names() string { return t.file.columnNames() }

// Metadata returns the value for a key in the file's key-value metadata.
func (t *Table) Metadata(key string) (string, bool) { return t.file.Lookup(key) }

// Each calls row for every row with the values of the columns, which are valid during the call. It
// stops at the first error, and returns errors of row unchanged.
func (t *Table) Each(row func(number int, values []parquet.Value) error) error {
	defer func() { _ = t.close() }() // read-only, so errors do not matter
	for {
		if t.ctx.Err() != nil {
			return t.file.damaged(t.ctx, nil)
		}
		var own error
		// In a damaged file, a value can have any address, and row reads its bytes.
		err := guarded(func() error {
			if _, err := t.next(); err != nil {
				return err
			}
			for i, value := range t.values {
				if n := len(bytesOf(value)); n < 0 || n > longestValue {
					return fmt.Errorf("a value of %d bytes in the column %q", n, t.fields[i].name)
				}
			}
			own = row(t.number, t.values)
			return nil
		})
		switch {
		case own != nil:
			return own
		case err == io.EOF:
			return nil
		case err != nil:
			return t.file.damaged(t.ctx, fmt.Errorf("after row %d: %w", t.number, err))
		}
	}
}

// longestValue is the maximum length of a value. A damaged dictionary can also give a negative
// length.
const longestValue = 64 << 20

func bytesOf(value parquet.Value) []byte {
	if kind := value.Kind(); kind == parquet.ByteArray || kind == parquet.FixedLenByteArray {
		return value.ByteArray()
	}
	return nil
}
