// Package parquet reads and writes fingerprints in Parquet files. It is separate from package
// fingerprints because its library is large.
//
// The columns are
//
//	id               string
//	fingerprint      string, in hexadecimal, the most significant digit first
//	fingerprint_u64  uint64, only for fingerprints of up to 64 bits
//	informative      bool: false if the vector was empty or all sums were zero
//
// The metadata of the file has the definition of the fingerprints under DefinitionKey.
package parquet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/columnar"
	"simhashkit/internal/dedup/fingerprints"
	"simhashkit/internal/scratch"
)

// The positions of the columns that Read reads.
const (
	id = iota
	digits
	number
	informative
)

// Read reads the fingerprints of a Parquet file of the given size. It also accepts files of other
// programs. They need the column id (text or whole numbers), and fingerprint (in hexadecimal) or
// fingerprint_u64.
func Read(ctx context.Context, r io.ReaderAt, size int64, options fingerprints.Options) (*dedup.Records, error) {
	table, err := columnar.NewTable(ctx, r, size, options.Name, "id", "fingerprint", "fingerprint_u64", "informative")
	if err != nil {
		return nil, err
	}
	f := reader{records: &dedup.Records{Name: options.Name}, options: options, table: table, id: []byte{}}
	if err := f.define(); err != nil {
		return nil, fmt.Errorf("%s: %w", options.Name, err)
	}
	err = table.Each(func(row int, values []parquet.Value) error {
		if err := f.add(values); err != nil {
			return fmt.Errorf("%s: row %d: %w", options.Name, row, err)
		}
		return options.Tell(f.records)
	})
	if err != nil {
		return nil, err
	}
	return f.records, nil
}

// ErrNoFingerprints is the error for a file without columns of fingerprints. The file may contain
// other records, such as texts.
var ErrNoFingerprints = errors.New("expected a Parquet file with the columns id and fingerprint")

// reader collects the rows of a file.
type reader struct {
	records *dedup.Records
	options fingerprints.Options
	table   *columnar.Table
	bits    int
	words   []uint64
	id      []byte
}

// define checks the columns, and sets the definition if the file has one.
func (f *reader) define() error {
	if !f.table.Has(id) || !f.table.Has(digits) && !f.table.Has(number) {
		return fmt.Errorf("%w, got %s", ErrNoFingerprints, f.table.Names())
	}
	if f.bits = f.options.Bits; f.bits == 0 && !f.table.Has(digits) {
		f.bits = 64
	}
	text, ok := f.table.Metadata(DefinitionKey)
	if !ok {
		return nil
	}
	definition, err := fphash.ParseDefinition(text)
	if err != nil {
		return err
	}
	f.bits = definition.Bits
	f.records.Set.Definition = text
	return nil
}

// add adds the record of a row.
func (f *reader) add(values []parquet.Value) (err error) {
	if f.id, err = appendID(f.id[:0], values[id], f.table.Unsigned(id)); err != nil {
		return err
	}
	if f.table.Has(digits) {
		err = f.parse(values[digits])
	} else {
		err = f.take(values[number])
	}
	if err != nil {
		return err
	}
	f.records.Set.Bits = f.bits
	says := fingerprints.Informative(f.words, f.bits)
	if value := values[informative]; f.table.Has(informative) && value.Kind() == parquet.Boolean {
		says = value.Boolean()
	}
	f.records.Add(f.id, f.words, says)
	return nil
}

// parse reads a fingerprint in hexadecimal. If the width is still unknown, the first fingerprint
// defines it.
func (f *reader) parse(value parquet.Value) (err error) {
	if !isText(value) {
		return errors.New("expected a fingerprint in hexadecimal")
	}
	text := value.ByteArray()
	if f.bits == 0 {
		f.bits = 4 * len(text)
	}
	f.words, err = fingerprints.ParseDigits(text, f.bits)
	return err
}

// take reads a fingerprint that is a number.
func (f *reader) take(value parquet.Value) error {
	if value.Kind() != parquet.Int64 {
		return errors.New("expected a number of 64 bits in fingerprint_u64")
	}
	f.words = append(f.words[:0], value.Uint64())
	if f.bits > 64 || f.bits < 64 && f.words[0]>>f.bits > 0 {
		return fmt.Errorf("expected a fingerprint of %d bits, got fingerprint_u64 %d", f.bits, f.words[0])
	}
	return nil
}

func isText(value parquet.Value) bool {
	return value.Kind() == parquet.ByteArray || value.Kind() == parquet.FixedLenByteArray
}

func appendID(dst []byte, value parquet.Value, unsigned bool) ([]byte, error) {
	if value.IsNull() {
		return nil, errors.New("expected an id")
	}
	id, ok := columnar.AppendText(dst, value, unsigned)
	if !ok {
		return nil, fmt.Errorf("expected an id that is text or a whole number, got %v", value.Kind())
	}
	return id, nil
}

// Magic is at the beginning and at the end of every Parquet file.
const Magic = "PAR1"

// DefinitionKey is the key of the definition in the metadata of a file. fphash.ParseDefinition
// parses the value.
const DefinitionKey = "fphash.definition"

// Writer writes fingerprints of one definition.
type Writer struct {
	bits int
	w    *columnar.Writer
}

// NewWriter returns a writer to w. End must be called after the last record.
func NewWriter(w io.Writer, definition string, bits int) *Writer {
	columns := []columnar.Column{{Name: "id", Type: parquet.String()}, {Name: "fingerprint", Type: parquet.String()}}
	if bits <= 64 {
		columns = append(columns, columnar.Column{Name: "fingerprint_u64", Type: parquet.Uint(64)})
	}
	columns = append(columns, columnar.Column{Name: "informative", Type: parquet.Leaf(parquet.BooleanType)})
	return &Writer{bits, columnar.NewWriter(w, columns, parquet.KeyValueMetadata(DefinitionKey, definition))}
}

// Write writes a record. It replaces invalid UTF-8 in the id with U+FFFD, since the type of the
// column requires UTF-8.
func (w *Writer) Write(r fingerprints.Record) error {
	w.w.Add(strings.ToValidUTF8(string(r.ID), "\uFFFD"))
	w.w.Add(fphash.Fingerprint(r.Fingerprint).Hex(w.bits))
	if w.bits <= 64 {
		w.w.Add(r.Fingerprint[0])
	}
	w.w.Add(r.Informative)
	return w.w.EndRow()
}

// End writes the rest of the file.
func (w *Writer) End() error { return w.w.Close() }

// ReadStream reads fingerprints of any format from the stream of the file at path. Parquet needs
// random access, so it is read from the file, or from a temporary copy of the stream.
func ReadStream(ctx context.Context, stream *bufio.Reader, path string, format fingerprints.Format, options fingerprints.Options) (*dedup.Records, error) {
	if format != fingerprints.Parquet {
		return fingerprints.Read(stream, format, options)
	}
	file, size, err := scratch.At(stream, path, Magic)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", options.Name, err)
	}
	defer file.Close()
	return Read(ctx, file, size, options)
}
