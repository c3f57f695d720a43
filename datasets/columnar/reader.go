package columnar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"simhashkit/datasets/documents"
)

// reader reads documents from two columns side by side.
type reader struct {
	ctx     context.Context
	file    *file
	options documents.Options
	text    *column
	id      *column // nil if none was asked for
	groups  int     // that were begun
	left    int64   // rows of the row group
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
	r := &reader{ctx: ctx, file: f, options: options}
	err := guarded(func() (err error) {
		if r.text, err = f.columnNamed(name, false); err == nil && options.ID != "" {
			r.id, err = f.columnNamed(options.ID, true)
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
		case r.options.OnError != nil:
			r.options.OnError(bad)
		default:
			r.err = documents.RecordError{Err: bad}
		}
	}
	return r.err
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
	if r.ctx.Err() != nil {
		return nil, context.Cause(r.ctx)
	}
	err = guarded(func() error {
		if err := r.group(); err != nil {
			return err
		}
		text, id, err := r.values()
		if err != nil {
			return err
		}
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

// group goes to the row group of the next row.
func (r *reader) group() error {
	for r.left == 0 {
		if r.text.pages != nil {
			if err := r.ended(); err != nil {
				return err
			}
		}
		groups := r.file.RowGroups()
		if r.groups == len(groups) {
			return io.EOF
		}
		for _, c := range r.columns() {
			if err := c.close(); err != nil {
				return err
			}
			if err := c.open(r.file, r.groups); err != nil {
				return err
			}
		}
		r.left = groups[r.groups].NumRows()
		r.groups++
	}
	return nil
}

// ended makes sure that there are no values without a row.
func (r *reader) ended() error {
	for _, c := range r.columns() {
		if _, err := c.next(); err == nil {
			return fmt.Errorf("expected as many values as rows in the column %q, got more", c.name)
		} else if err != io.EOF {
			return err
		}
	}
	return nil
}

func (r *reader) columns() []*column {
	if r.id == nil {
		return []*column{r.text}
	}
	return []*column{r.text, r.id}
}

// values reads the values of the next row.
func (r *reader) values() (text, id parquet.Value, err error) {
	if text, err = r.text.next(); err == nil && r.id != nil {
		id, err = r.id.next()
	}
	if err == io.EOF {
		return text, id, fmt.Errorf("%d rows are missing: %w", r.left, io.ErrUnexpectedEOF)
	}
	if err == nil {
		r.left--
		r.row++
	}
	return text, id, err
}

// string returns a value as the bytes of a string or the digits of a number.
func (r *reader) string(c *column, value parquet.Value) ([]byte, error) {
	switch {
	case value.IsNull():
		return nil, r.bad(c, "a value", "null")
	case c.numbers:
		r.number = appendNumber(r.number[:0], value, c.unsigned)
		return r.number, nil
	}
	bytes := value.ByteArray()
	switch {
	case len(bytes) < 0 || len(bytes) > r.options.MaxLine: // less than 0 where a dictionary is damaged
		return nil, r.bad(c, fmt.Sprintf("at most %d bytes", r.options.MaxLine), strconv.Itoa(len(bytes)))
	case !utf8.Valid(bytes):
		return nil, r.bad(c, "UTF-8 text", notUTF8(bytes))
	}
	return bytes, nil
}

func (r *reader) bad(c *column, want, got string) error {
	return fmt.Errorf("columnar: %s: row %d: expected %s in the column %q, got %s", r.file.path, r.row, want, c.name, got)
}

// appendNumber writes a whole number, whose type may be of 32 bits or of 64.
func appendNumber(dst []byte, value parquet.Value, unsigned bool) []byte {
	switch {
	case value.Kind() == parquet.Int32 && unsigned:
		return strconv.AppendUint(dst, uint64(value.Uint32()), 10)
	case value.Kind() == parquet.Int32:
		return strconv.AppendInt(dst, int64(value.Int32()), 10)
	case unsigned:
		return strconv.AppendUint(dst, value.Uint64(), 10)
	default:
		return strconv.AppendInt(dst, value.Int64(), 10)
	}
}

// notUTF8 quotes a text from the place on where it is no UTF-8.
func notUTF8(text []byte) string {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return strconv.Quote(string(text[at:min(len(text), at+16)]))
}

// Close closes the file.
func (r *reader) Close() error {
	err := guarded(func() error {
		var errs []error
		for _, c := range r.columns() {
			errs = append(errs, c.close())
		}
		return errors.Join(errs...)
	})
	return errors.Join(err, r.file.close())
}
