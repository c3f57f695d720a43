package columnar

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

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
