package columnar

import (
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// Writer writes rows of values to a Parquet file compressed with zstd.
type Writer struct {
	w   *parquet.GenericWriter[any]
	row parquet.Row
}

// RowsOfGroup is the number of rows in a row group. A Writer holds one row group in memory.
const RowsOfGroup = 1 << 16

// Column describes a column for a Writer.
type Column struct {
	Name string
	Type parquet.Node
}

// NewWriter returns a writer of these columns to w. The caller must call Close at the end.
func NewWriter(w io.Writer, columns []Column, options ...parquet.WriterOption) *Writer {
	group := parquet.Group{}
	for _, c := range columns {
		group[c.Name] = c.Type
	}
	byName := group.Fields()
	var fields []parquet.Field
	for _, c := range columns {
		fields = append(fields, byName[slices.IndexFunc(byName, func(f parquet.Field) bool { return f.Name() == c.Name })])
	}
	options = append(options, parquet.NewSchema("fphash", &root{group, fields}), parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(RowsOfGroup))
	return &Writer{w: parquet.NewGenericWriter[any](w, options...)}
}

// Add adds the value of the next column in the current row.
func (w *Writer) Add(value any) { w.add(parquet.ValueOf(value), 0) }

// AddOptional adds the value of the next column, which is optional. If there is false, it adds
// null.
func (w *Writer) AddOptional(value any, there bool) {
	if there {
		w.add(parquet.ValueOf(value), 1)
	} else {
		w.add(parquet.NullValue(), 0)
	}
}

func (w *Writer) add(value parquet.Value, definition int) {
	w.row = append(w.row, value.Level(0, definition, len(w.row)))
}

// EndRow ends the current row.
func (w *Writer) EndRow() error {
	_, err := w.w.WriteRows([]parquet.Row{w.row})
	w.row = w.row[:0]
	return inWords(err)
}

// Close writes the remaining data. It does not close the underlying writer.
func (w *Writer) Close() error { return inWords(w.w.Close()) }

func inWords(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("parquet: %w", err)
}
