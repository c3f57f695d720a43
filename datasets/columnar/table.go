package columnar

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// Table is a Parquet file of which some columns are read side by side, with the same guard against
// damage as documents have: what a header claims gets no memory unless there are bytes for it.
type Table struct {
	ctx     context.Context
	file    *file
	columns []*column // nil where there is none of that name
	row     int       // the last one read, from 1
}

// NewTable opens a file of that size, whose path stands in errors, to read the columns of these
// names. A column that the file does not have, or that has several values in a row, is one of
// nulls: Has tells.
func NewTable(ctx context.Context, r io.ReaderAt, size int64, path string, names ...string) (*Table, error) {
	f, err := newFile(ctx, r, size, path)
	if err != nil {
		return nil, err
	}
	t := &Table{ctx: ctx, file: f}
	err = guarded(func() error {
		for _, name := range names {
			var c *column
			if leaf, ok := f.Schema().Lookup(name); ok && leaf.MaxRepetitionLevel == 0 {
				c = &column{name: name, index: leaf.ColumnIndex, unsigned: unsigned(leaf.Node.Type())}
			}
			t.columns = append(t.columns, c)
		}
		return nil
	})
	if err != nil {
		return nil, f.damaged(ctx, err)
	}
	return t, nil
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
	for group := range t.file.RowGroups() {
		err := t.group(group, row)
		_ = guarded(t.close) // it was read from only
		var own *rowError
		switch {
		case errors.As(err, &own):
			return own.error
		case err != nil && t.ctx.Err() == nil:
			return t.file.damaged(t.ctx, fmt.Errorf("after row %d: %w", t.row, err))
		case err != nil:
			return t.file.damaged(t.ctx, err)
		}
	}
	return nil
}

// rowError is one of the function that takes the rows.
type rowError struct{ error }

func (t *Table) group(group int, row func(int, []parquet.Value) error) error {
	left := t.file.RowGroups()[group].NumRows()
	err := guarded(func() error {
		for _, c := range t.columns {
			if c == nil {
				continue
			}
			if err := c.open(t.file, group); err != nil {
				return err
			}
		}
		return nil
	})
	values := make([]parquet.Value, len(t.columns))
	for ; err == nil && left > 0; left-- {
		if t.ctx.Err() != nil {
			return context.Cause(t.ctx)
		}
		// Damage can make a value of any address, and where its bytes are looked at is in row.
		err = guarded(func() error { return t.one(values, row) })
	}
	if err == io.EOF {
		err = fmt.Errorf("%d rows are missing: %w", left, io.ErrUnexpectedEOF)
	}
	return err
}

func (t *Table) one(values []parquet.Value, row func(int, []parquet.Value) error) (err error) {
	for i, c := range t.columns {
		if c == nil {
			continue
		}
		if values[i], err = c.next(); err != nil {
			return err
		}
		if n := len(bytesOf(values[i])); n < 0 || n > longestValue {
			return fmt.Errorf("a value of %d bytes in the column %q", n, c.name)
		}
	}
	t.row++
	if err := row(t.row, values); err != nil {
		return &rowError{err}
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

func (t *Table) close() error {
	var errs []error
	for _, c := range t.columns {
		if c != nil {
			errs = append(errs, c.close())
		}
	}
	return errors.Join(errs...)
}
