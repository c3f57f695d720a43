package columnar

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"simhashkit/datasets/documents"
)

// reader reads documents from two columns side by side.
type reader struct {
	rows
	ctx     context.Context
	options documents.Options
	text    *column
	id      *column // nil if none was asked for
	value   *column // the same
	row     int     // the last one read, from 1
	number  []byte
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
	name := options.Text
	if name == "" {
		name = documents.DefaultText
	}
	r := &reader{ctx: ctx, options: options}
	err := guarded(func() (err error) {
		if r.text, err = f.columnNamed(name, textColumn); err == nil && options.ID != "" {
			r.id, err = f.columnNamed(options.ID, idColumn)
		}
		if err == nil && options.Value != "" {
			r.value, err = f.columnNamed(options.Value, valueColumn)
		}
		return err
	})
	var damage *gaveUp
	if errors.As(err, &damage) {
		err = f.damaged(ctx, err)
	}
	if err != nil {
		return nil, err
	}
	r.rows = newRows(f, r.text, r.id, r.value)
	return r, nil
}

// Read returns the errors of rows or passes them to OnError, as the readers of documents do.
func (r *reader) Read(d *documents.Document) error {
	for r.err == nil {
		bad, err := r.next(d)
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

// leaveOut passes the error of a row on, or returns it where it ends the reading.
func (r *reader) leaveOut(bad error) error {
	if r.options.OnError == nil {
		return documents.RecordError{Err: bad}
	}
	r.options.OnError(bad)
	return nil
}

// failed says how far reading came.
func (r *reader) failed(err error) error {
	if r.ctx.Err() == nil {
		err = fmt.Errorf("after row %d: %w", r.row, err)
	}
	return r.file.damaged(r.ctx, err)
}

// next reads a row. It returns an error of the row, after which the next can be read, and one of
// the file.
func (r *reader) next(d *documents.Document) (bad, err error) {
	bad, err = r.document(d, func() (text, id parquet.Value, err error) {
		err = r.rows.next()
		return r.values[0], r.values[1], err
	})
	if err == nil && r.value != nil {
		err = guarded(func() error {
			d.Value = r.value.text(r.values[2])
			return nil
		})
	}
	return bad, err
}

// nextIn does what next does with a row that was read otherwise.
func (r *reader) nextIn(row parquet.Row, d *documents.Document) (bad, err error) {
	return r.document(d, func() (text, id parquet.Value, err error) {
		if text, err = r.text.in(row); err == nil && r.id != nil {
			id, err = r.id.in(row)
		}
		return text, id, err
	})
}

// document makes a document of the values of the next row.
func (r *reader) document(d *documents.Document, values func() (text, id parquet.Value, err error)) (bad, err error) {
	if r.ctx.Err() != nil {
		return nil, context.Cause(r.ctx)
	}
	err = guarded(func() error {
		text, id, err := values()
		if err != nil {
			return err
		}
		r.row++
		// Damage can make a value of any address, and here is where its bytes are first looked at.
		*d = documents.Document{File: r.file.path, Line: r.row, Number: r.row}
		if d.Text, bad = r.string(r.text, text); bad == nil && r.id != nil {
			d.NumericID = r.id.numbers
			d.ID, bad = r.string(r.id, id)
		}
		return nil
	})
	return bad, err
}

// Close closes the file.
func (r *reader) Close() error { return errors.Join(r.rows.close(), r.file.close()) }

// rows reads columns of a file side by side.
type rows struct {
	file    *file
	columns []*column // nil for one that the file does not have, whose values are null
	values  []parquet.Value
	groups  int   // that were begun
	left    int64 // rows of the row group
}

func newRows(f *file, columns ...*column) rows {
	return rows{file: f, columns: columns, values: make([]parquet.Value, len(columns))}
}

// next reads the values of the next row. The end is io.EOF.
func (r *rows) next() error {
	for r.left == 0 {
		if err := r.nextGroup(); err != nil {
			return err
		}
	}
	for i, c := range r.columns {
		if c == nil {
			continue
		}
		var err error
		if r.values[i], err = c.next(); err == io.EOF {
			return fmt.Errorf("%d rows are missing: %w", r.left, io.ErrUnexpectedEOF)
		} else if err != nil {
			return err
		}
	}
	r.left--
	return nil
}

// nextGroup goes to the next row group, and makes sure that the one before has no values without a
// row.
func (r *rows) nextGroup() error {
	groups := r.file.RowGroups()
	for _, c := range r.columns {
		if c == nil {
			continue
		}
		if r.groups > 0 {
			if _, err := c.next(); err == nil {
				return fmt.Errorf("expected as many values as rows in the column %q, got more", c.name)
			} else if err != io.EOF {
				return err
			}
		}
		if err := c.close(); err != nil {
			return err
		}
		if r.groups < len(groups) {
			if err := c.open(r.file, r.groups); err != nil {
				return err
			}
		}
	}
	if r.groups == len(groups) {
		return io.EOF
	}
	r.left = groups[r.groups].NumRows()
	r.groups++
	return nil
}

// close ends the reading.
func (r *rows) close() error {
	return guarded(func() error {
		var errs []error
		for _, c := range r.columns {
			if c != nil {
				errs = append(errs, c.close())
			}
		}
		return errors.Join(errs...)
	})
}

// Table is a Parquet file of which some columns are read side by side, with the same guard against
// damage as documents have: what a header claims gets no memory unless there are bytes for it.
type Table struct {
	ctx context.Context
	rows
}

// NewTable opens a file of that size, whose path stands in errors, to read the columns of these
// names. A column that the file does not have, or that has several values in a row, is one of
// nulls: Has tells.
func NewTable(ctx context.Context, r io.ReaderAt, size int64, path string, names ...string) (*Table, error) {
	f, err := newFile(ctx, r, size, path)
	if err != nil {
		return nil, err
	}
	var columns []*column
	err = guarded(func() error {
		for _, name := range names {
			var c *column
			if leaf, ok := f.Schema().Lookup(name); ok && leaf.MaxRepetitionLevel == 0 {
				c = &column{name: name, index: leaf.ColumnIndex, unsigned: unsigned(leaf.Node.Type())}
			}
			columns = append(columns, c)
		}
		return nil
	})
	if err != nil {
		return nil, f.damaged(ctx, err)
	}
	return &Table{ctx, newRows(f, columns...)}, nil
}

// Has says whether the file has a column, by its place among the names.
func (t *Table) Has(column int) bool { return t.columns[column] != nil }

// Unsigned says whether the numbers of a column are 0 or more.
func (t *Table) Unsigned(column int) bool { return t.Has(column) && t.columns[column].unsigned }

// Names lists the columns of the file, as far as they fit a line.
func (t *Table) Names() string { return t.file.columnNames() }

// Metadata returns a value of the file's own metadata.
func (t *Table) Metadata(key string) (string, bool) { return t.file.Lookup(key) }

// Each calls row for every row, with the values of the columns, which are valid during the call. It
// ends at the first error, that of row as it is.
func (t *Table) Each(row func(number int, values []parquet.Value) error) error {
	defer func() { _ = t.rows.close() }() // it was read from only
	for number := 1; ; number++ {
		if t.ctx.Err() != nil {
			return t.file.damaged(t.ctx, nil)
		}
		var own error
		// Damage can make a value of any address, and where its bytes are looked at is in row.
		err := guarded(func() error {
			err := t.rows.next()
			if err == nil {
				err = t.checkSizes()
			}
			if err == nil {
				own = row(number, t.values)
			}
			return err
		})
		switch {
		case own != nil:
			return own
		case err == io.EOF:
			return nil
		case err != nil:
			return t.file.damaged(t.ctx, fmt.Errorf("after row %d: %w", number-1, err))
		}
	}
}

// checkSizes bounds the values of a row.
func (t *Table) checkSizes() error {
	for i, value := range t.values {
		if n := len(bytesOf(value)); n < 0 || n > longestValue {
			return fmt.Errorf("a value of %d bytes in the column %q", n, t.columns[i].name)
		}
	}
	return nil
}

// longestValue bounds a value; of a damaged dictionary it may be less than 0.
const longestValue = 64 << 20

func bytesOf(value parquet.Value) []byte {
	if kind := value.Kind(); kind == parquet.ByteArray || kind == parquet.FixedLenByteArray {
		return value.ByteArray()
	}
	return nil
}
