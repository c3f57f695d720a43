package columnar

import (
	"context"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

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
