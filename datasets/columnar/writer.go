package columnar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"simhashkit/datasets/documents"
	"simhashkit/internal/wholefile"
)

// Writer writes rows of values, packed with zstd.
type Writer struct {
	w    *parquet.Writer
	row  parquet.Row
	rows int
}

// RowsOfGroup is the number of rows in a row group, which a Writer holds in memory.
const RowsOfGroup = 1 << 16

// Column is a column of the rows that a Writer writes.
type Column struct {
	Name string
	Type parquet.Node
}

// NewWriter returns a writer of these columns to w. Close must be called at the end.
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
	options = append(options, parquet.NewSchema("fphash", &root{group, fields}), parquet.Compression(&parquet.Zstd))
	return &Writer{w: parquet.NewWriter(w, options...)}
}

// Add adds the value of the next column of the row.
func (w *Writer) Add(value any) { w.add(parquet.ValueOf(value), 0) }

// AddOptional adds the value of the next column, which is optional: null unless there is true.
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

// EndRow writes the row.
func (w *Writer) EndRow() error {
	_, err := w.w.WriteRows([]parquet.Row{w.row})
	w.row = w.row[:0]
	if w.rows++; err == nil && w.rows%RowsOfGroup == 0 {
		err = w.w.Flush()
	}
	return inWords(err)
}

// Close writes the rest of the file. It does not close the underlying writer.
func (w *Writer) Close() error { return inWords(w.w.Close()) }

func inWords(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("parquet: %w", err)
}

const (
	groupBytes = 64 << 20 // of the values in a row group that is written, about
	groupRows  = 1 << 20
	batchRows  = 64 // are read at once
)

// copyKept writes the rows to keep, with the schema and the key-value metadata of the file.
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
		case k.failed != nil: // and err is that, in the words of the library
			return k.failed
		default:
			return r.failed(err)
		}
	}
	return wholefile.WriteReady(out, write, options.ReadyAt(out))
}

// keeper copies rows. Its reader finds text and id in them and says which are documents, so columns
// are unpacked only once.
type keeper struct {
	reader  *reader
	keep    func(record int) bool
	record  int
	failed  error // of a row or of the output; returned as it is
	columns columns
	writer  *parquet.Writer
	full    int // bytes of values in a row group
	bytes   int // written to the row group
	rows    int // likewise
}

func (k *keeper) copy(w io.Writer) error {
	f := k.reader.file
	// Some readers know only the first version of data pages.
	err := guarded(func() error {
		k.writer = parquet.NewWriter(&failingWriter{w, k}, schemaToWrite(f.File),
			parquet.DataPageVersion(1), parquet.DictionaryMaxBytes(dictionaryBytes))
		k.columns = columnsOf(f.Schema(), k.reader.options.MaxLine)
		for _, pair := range f.Metadata().KeyValueMetadata {
			k.writer.SetKeyValueMetadata(pair.Key, pair.Value)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, group := range f.RowGroups() {
		if group.NumRows() == 0 { // pyarrow writes such groups, and the library cannot read them
			continue
		}
		for column := range group.ColumnChunks() {
			if err := f.checkPages(i, column); err != nil {
				return err
			}
		}
		if err := k.group(group); err != nil {
			return err
		}
	}
	return guarded(k.writer.Close)
}

// group copies the rows of a row group that are to be kept.
func (k *keeper) group(group parquet.RowGroup) error {
	rows := group.Rows()
	defer func() { _ = guarded(rows.Close) }() // the file was only read
	batch := make([]parquet.Row, batchRows)
	for left := group.NumRows(); ; {
		n := 0
		readErr := guarded(func() (err error) {
			n, err = rows.ReadRows(batch)
			return err
		})
		if left -= int64(n); left < 0 || n == 0 && left > 0 && (readErr == nil || readErr == io.EOF) {
			return errors.New("a column with more or fewer values than there are rows")
		}
		kept := 0
		for i := range n {
			keeps, err := k.keeps(batch[i])
			if err != nil {
				return err
			}
			if keeps {
				batch[kept], batch[i] = batch[i], batch[kept]
				kept++
			}
		}
		if err := k.write(batch[:kept]); err != nil {
			return err
		}
		if left == 0 && (readErr == nil || readErr == io.EOF) {
			return nil
		}
		if readErr != nil && readErr != io.EOF {
			return readErr
		}
	}
}

// keeps reports whether the next row is a document that is to be kept.
func (k *keeper) keeps(row parquet.Row) (bool, error) {
	var d documents.Document
	bad, err := k.reader.nextIn(row, &d)
	if err == nil && bad != nil {
		k.failed = k.reader.leaveOut(bad)
		err = k.failed
	}
	if err != nil || bad != nil {
		return false, err
	}
	k.record++
	return k.keep(k.record - 1), nil
}

// write adds rows. When the row group in memory is full, write begins another one.
func (k *keeper) write(rows []parquet.Row) error {
	if len(rows) == 0 {
		return nil
	}
	for _, row := range rows {
		if !k.columns.hold(row) {
			return fmt.Errorf("a row without a column, or with a value of another type or of more than %d bytes", k.columns.longest)
		}
		for i := range row {
			k.bytes += size(&row[i])
		}
	}
	err := guarded(func() error {
		_, err := k.writer.WriteRows(rows)
		return err
	})
	if err != nil {
		return err
	}
	k.rows += len(rows)
	if k.bytes < k.full && k.rows < groupRows {
		return nil
	}
	k.bytes, k.rows = 0, 0
	return guarded(k.writer.Flush)
}

func size(value *parquet.Value) int {
	switch value.Kind() {
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return 4 + len(value.ByteArray())
	default:
		return 8
	}
}

// failingWriter records errors of the output, to tell them from errors of the input.
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
