package columnar

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"

	"simhashkit/datasets/documents"
	"simhashkit/internal/wholefile"
)

const (
	groupBytes = 64 << 20 // approximate size of the values in a written row group
	groupRows  = 1 << 20
)

// copyKept copies the rows that keep selects, with the schema and the key-value metadata of the
// file.
func copyKept(ctx context.Context, in, out string, options documents.Options, keep func(record int) bool) error {
	for _, packed := range []string{".gz", ".zst"} {
		if strings.HasSuffix(out, packed) {
			return fmt.Errorf("columnar: %s: expected a name without %s, since Parquet packs its columns itself", out, packed)
		}
	}
	f, err := openFile(ctx, in)
	if err != nil {
		return err
	}
	defer f.close()
	r, err := newReader(ctx, f, options)
	if err != nil {
		return err
	}
	k := &keeper{reader: r, keep: keep, full: groupBytes}
	write := func(w io.Writer) error {
		err := k.copy(w)
		switch {
		case err == nil && options.Whole != nil:
			return options.Whole()
		case err == nil:
			return nil
		case k.failed != nil: // the library wraps this error in err
			return k.failed
		default:
			return r.failed(err)
		}
	}
	return wholefile.WriteReady(out, write, options.ReadyAt(out))
}

// keeper copies rows. Its reader finds text and id in the same rows and decides which are
// documents, so that each column is decompressed only once.
type keeper struct {
	reader *reader
	keep   func(record int) bool
	record int
	failed error // error of a row or of the output; returned unchanged
	writer *parquet.GenericWriter[any]
	full   int // maximum bytes of values in a row group
	bytes  int // bytes written to the current row group
}

func (k *keeper) copy(w io.Writer) error {
	f := k.reader.file
	// Some readers know only the first version of data pages.
	err := guarded(func() error {
		k.writer = parquet.NewGenericWriter[any](&failingWriter{w, k}, schemaToWrite(f.File),
			parquet.DataPageVersion(1), parquet.DictionaryMaxBytes(dictionaryBytes), parquet.MaxRowsPerRowGroup(groupRows))
		for _, pair := range f.Metadata().KeyValueMetadata {
			k.writer.SetKeyValueMetadata(pair.Key, pair.Value)
		}
		return nil
	})
	if err != nil {
		return err
	}
	k.reader.read = nil
	for column := range f.leaves {
		k.reader.read = append(k.reader.read, column)
	}
	var kept []parquet.Row
	for {
		row, err := k.next()
		if err == io.EOF {
			return guarded(k.writer.Close)
		}
		if err != nil {
			return err
		}
		if row != nil {
			kept = append(kept, row)
		}
		if len(k.reader.unread) == 0 { // rows are valid until the batch ends
			if err := k.write(kept); err != nil {
				return err
			}
			kept = kept[:0]
		}
	}
}

// next returns the next row, or nil if it is not a document to keep.
func (k *keeper) next() (parquet.Row, error) {
	var d documents.Document
	row, bad, err := k.reader.document(&d)
	if err == nil && bad != nil {
		k.failed = k.reader.leaveOut(bad)
		err = k.failed
	}
	if err != nil || bad != nil {
		return nil, err
	}
	k.record++
	if !k.keep(k.record - 1) {
		return nil, nil
	}
	return row, nil
}

// write adds rows. If the row group in memory is full, write flushes it.
func (k *keeper) write(rows []parquet.Row) error {
	if len(rows) == 0 {
		return nil
	}
	for _, row := range rows {
		if !k.sound(row) {
			return fmt.Errorf("a row without a column, or with a value of another type or of more than %d bytes", k.reader.options.MaxLine)
		}
		for i := range row {
			k.bytes += 8 + len(bytesOf(row[i]))
		}
	}
	err := guarded(func() error {
		_, err := k.writer.WriteRows(rows)
		return err
	})
	if err != nil {
		return err
	}
	if k.bytes < k.full {
		return nil
	}
	k.bytes = 0
	return guarded(k.writer.Flush)
}

// failingWriter records write errors, to distinguish them from errors of the input.
type failingWriter struct {
	w io.Writer
	k *keeper
}

func (f *failingWriter) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if err != nil {
		f.k.failed = err
	}
	return n, err
}

// sound reports whether a row has all columns in order, with values of their types. For damaged
// pages, the library's reader can return malformed rows, which its writer does not check.
func (k *keeper) sound(row parquet.Row) bool {
	columns, sound := 0, true
	row.Range(func(column int, values []parquet.Value) bool {
		columns++
		for i := range values {
			sound = sound && column < len(k.reader.file.leaves) && values[i].Column() == column &&
				(values[i].RepetitionLevel() == 0) == (i == 0) && k.belongs(&values[i], &k.reader.file.leaves[column])
		}
		return sound
	})
	return sound && columns == len(k.reader.file.leaves)
}

func (k *keeper) belongs(value *parquet.Value, leaf *parquet.LeafColumn) bool {
	if value.IsNull() {
		return value.DefinitionLevel() < leaf.MaxDefinitionLevel
	}
	if value.DefinitionLevel() != leaf.MaxDefinitionLevel || value.Kind() != leaf.Node.Type().Kind() {
		return false
	}
	if value.Kind() != parquet.ByteArray {
		return true
	}
	n := len(value.ByteArray()) // negative if a dictionary is damaged
	return n >= 0 && n <= k.reader.options.MaxLine
}

// dictionaryBytes is the maximum size of a dictionary; the values after it are written plain, as by
// other writers. Without a limit, all texts would be held in memory, since most are distinct.
const dictionaryBytes = 1 << 20

// schemaToWrite returns a file's schema with the encodings for writing: a dictionary where the file
// has one, and plain values elsewhere. Without it, the library would guess the encoding of a column
// from a list that covers all pages and levels, and may be unable to write it.
func schemaToWrite(f *parquet.File) *parquet.Schema {
	elements := []format.SchemaElement(f.Metadata().Schema)
	return parquet.NewSchema(f.Schema().Name(), &root{f.Root(), fieldsToWrite(f.Root(), &elements)})
}

// root is a schema root with replaced columns.
type root struct {
	parquet.Node
	fields []parquet.Field
}

func (r *root) Fields() []parquet.Field { return r.fields }

// field is a column or a group of columns, with its type and encoding for writing.
type field struct {
	parquet.Field
	typ    parquet.Type
	fields []parquet.Field
}

// fieldsToWrite returns the fields of a node. It removes the schema elements of the node and its
// descendants from the front of elements, the depth-first list of all elements.
func fieldsToWrite(node parquet.Node, elements *[]format.SchemaElement) []parquet.Field {
	*elements = (*elements)[1:]
	var fields []parquet.Field
	for _, f := range node.Fields() {
		typ := typeToWrite(f.Type(), &(*elements)[0])
		fields = append(fields, &field{f, typ, fieldsToWrite(f, elements)})
	}
	return fields
}

func (f *field) Fields() []parquet.Field { return f.fields }

func (f *field) Type() parquet.Type { return f.typ }

func (f *field) Encoding() encoding.Encoding {
	if !f.Leaf() {
		return f.Field.Encoding()
	}
	_, nulls := f.typ.(*physicalType)
	if was := f.Field.Encoding(); was != nil && !nulls { // a dictionary of nulls has no type
		//lint:ignore SA1019 old files have it
		if e := was.Encoding(); e == format.RLEDictionary || e == format.PlainDictionary {
			return &parquet.RLEDictionary
		}
	}
	return &parquet.Plain
}

// typeToWrite returns a type with the logical type of the file, even if the library does not
// support it, such as 16-bit floats. Columns of only nulls get the physical type of the file: the
// library assigns none, and DuckDB rejects files without one.
func typeToWrite(t parquet.Type, element *format.SchemaElement) parquet.Type {
	if element.Type.Valid && t.Kind() < 0 { // groups have no physical type
		t = &physicalType{t, parquet.Kind(element.Type.V)}
	}
	if element.LogicalType.Value == nil || t.LogicalType() != nil {
		return t
	}
	return &logicalType{t, &element.LogicalType}
}

type logicalType struct {
	parquet.Type
	logical *format.LogicalType
}

func (t *logicalType) LogicalType() *format.LogicalType { return t.logical }

type physicalType struct {
	parquet.Type
	kind parquet.Kind
}

func (t *physicalType) Kind() parquet.Kind { return t.kind }

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
