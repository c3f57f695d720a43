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
