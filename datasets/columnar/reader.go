// Package columnar reads and writes Parquet files. Importing it registers the format "parquet" with
// package documents; it is apart since its library is large.
//
// The text is a column of strings or bytes; the id is one of strings or whole numbers. Columns
// within groups are named with dots. Only these columns are read, a page at a time, so that memory
// is that of some pages, whatever the number of rows. Texts in all encodings of the format are
// read, among them dictionaries and arrow's large_string, in all compressions except LZ4. A null is
// an error as a missing field is. An error of a row says the number of the row, from 1.
//
// The library that decodes Parquet may fail on a damaged file in a way that would end the program;
// here that is an error too. A page is held in memory whole, and so is a dictionary; one that
// claims more than 64 MiB, and more than a thousand times its packed bytes, is taken for damaged.
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
	"simhashkit/datasets/documents"
)

func init() {
	documents.Register(documents.FileFormat{
		Name: "parquet", Signature: signature, Ending: ".parquet", Open: open, CopyKept: copyKept,
	})
}

// reader reads documents from the columns of text, id and value.
type reader struct {
	rows
	ctx     context.Context
	options documents.Options
	text    *column
	id      *column // nil if the options have none
	value   *column // likewise
	digits  []byte
	err     error // what every further Read returns
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
	var bad error // of the options
	err := guarded(func() error {
		text, bad = f.columnNamed(cmp.Or(options.Text, documents.DefaultText), textColumn)
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

// Read returns the errors of rows or passes them to OnError, as the readers of documents do.
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

// leaveOut calls OnError with the error of a row, or returns it if there is no OnError.
func (r *reader) leaveOut(bad error) error {
	if r.options.OnError == nil {
		return documents.RecordError{Err: bad}
	}
	r.options.OnError(bad)
	return nil
}

// failed adds to an error how far reading came.
func (r *reader) failed(err error) error {
	if r.ctx.Err() == nil {
		err = fmt.Errorf("after row %d: %w", r.number, err)
	}
	return r.file.damaged(r.ctx, err)
}

// document reads the next row as a document. bad is an error of the row, after which the next row
// can be read; err is an error of the file.
func (r *reader) document(d *documents.Document) (row parquet.Row, bad, err error) {
	if r.ctx.Err() != nil {
		return nil, nil, context.Cause(r.ctx)
	}
	// Damage can give a value any address. Here its bytes are read for the first time.
	err = guarded(func() (err error) {
		if row, err = r.next(); err != nil {
			return err
		}
		*d = documents.Document{File: r.file.path, Line: r.number, Number: r.number}
		if d.Text, bad = r.string(r.text, r.values[0]); bad == nil && r.id != nil {
			d.NumericID = r.id.numbers
			d.ID, bad = r.string(r.id, r.values[1])
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

// rows reads columns of a file side by side.
type rows struct {
	file   *file
	fields []*column       // nil for a column that the file does not have
	values []parquet.Value // of the fields in the last row; null for nil
	read   []int           // indices of the columns to read

	groups int   // row groups begun
	number int   // of the last row, from 1
	left   int64 // rows of the row group that are not in the batch
	group  parquet.RowReadSeekCloser
	batch  [batchRows]parquet.Row
	unread []parquet.Row // of the batch
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

const batchRows = 64 // are read at once

// next returns the next row, and stores the values of the fields. They are valid until the first
// row of the next batch is read. The end is io.EOF.
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

// nextGroup goes to the next row group.
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

// close ends a row group.
func (r *rows) close() error {
	if r.group == nil {
		return nil
	}
	group := r.group
	r.group = nil
	return guarded(group.Close)
}

// Table reads some columns of a Parquet file side by side. Like the reader of documents, it is
// guarded against damage: it allocates no memory for what a header claims unless the file has the
// bytes.
type Table struct {
	rows
	ctx context.Context
}

// NewTable opens a file of that size to read the columns of these names. The path appears in
// errors. A column that the file does not have, or that has several values in a row, is all null;
// see Has.
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

// Has reports whether the file has a column, by its index among the names.
func (t *Table) Has(column int) bool { return t.fields[column] != nil }

// Unsigned reports whether a column has unsigned numbers.
func (t *Table) Unsigned(column int) bool { return t.Has(column) && t.fields[column].unsigned }

// Names lists the columns of the file, as far as they fit a line.
func (t *Table) Names() string { return t.file.columnNames() }

// Metadata returns a value of the file's own metadata.
func (t *Table) Metadata(key string) (string, bool) { return t.file.Lookup(key) }

// Each calls row for every row with the values of the columns, which are valid during the call. It
// ends at the first error. It returns errors of row unchanged.
func (t *Table) Each(row func(number int, values []parquet.Value) error) error {
	defer func() { _ = t.close() }() // the file was only read
	for {
		if t.ctx.Err() != nil {
			return t.file.damaged(t.ctx, nil)
		}
		var own error
		// Damage can give a value any address, and row reads its bytes.
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

// longestValue bounds the length of a value, which can be negative if a dictionary is damaged.
const longestValue = 64 << 20

func bytesOf(value parquet.Value) []byte {
	if kind := value.Kind(); kind == parquet.ByteArray || kind == parquet.FixedLenByteArray {
		return value.ByteArray()
	}
	return nil
}
