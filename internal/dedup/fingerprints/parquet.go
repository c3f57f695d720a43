package fingerprints

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"simhashkit/fphash"
	"simhashkit/internal/columnar"
	"simhashkit/internal/docsketch"
)

// The columns of a Parquet file, by their positions in parquetColumns:
//
//	id               string
//	fingerprint      string, in hexadecimal, the most significant digit first
//	fingerprint_u64  uint64, only for fingerprints of up to 64 bits
//	informative      bool: false if the vector was empty or all sums were zero
//
// The metadata of the file has the definition of the fingerprints under definitionKey.
const (
	columnID = iota
	columnDigits
	columnNumber
	columnInformative
)

var parquetColumns = []string{"id", "fingerprint", "fingerprint_u64", "informative"}

// definitionKey is the key of the definition in the metadata of a file. fphash.ParseDefinition
// parses the value.
const definitionKey = "fphash.definition"

// Magic is at the beginning and at the end of every Parquet file.
const Magic = "PAR1"

// ErrNoFingerprints is the error for a Parquet file without columns of fingerprints. The file may
// contain other records, such as texts.
var ErrNoFingerprints = errors.New("expected a Parquet file with the columns id and fingerprint")

// parquetReader reads the rows of a Parquet file.
type parquetReader struct {
	adder
	table *columnar.Table
	id    []byte
}

// readParquet reads the fingerprints of a Parquet file of the given size. It also accepts files of
// other programs. They need the column id (text or whole numbers), and fingerprint (in hexadecimal)
// or fingerprint_u64.
func readParquet(ctx context.Context, r io.ReaderAt, size int64, options Options, a adder) error {
	table, err := columnar.NewTable(ctx, r, size, options.Name, parquetColumns...)
	if err != nil {
		return err
	}
	p := parquetReader{adder: a, table: table, id: []byte{}}
	if err := p.check(); err != nil {
		return fmt.Errorf("%s: %w", options.Name, err)
	}
	return table.Each(func(row int, values []parquet.Value) error {
		if err := p.read(values); err != nil {
			return fmt.Errorf("%s: row %d: %w", options.Name, row, err)
		}
		return options.Tell(p.records)
	})
}

// check checks the columns, and sets the definition if the file has one.
func (p *parquetReader) check() error {
	if !p.table.Has(columnID) || !p.table.Has(columnDigits) && !p.table.Has(columnNumber) {
		return fmt.Errorf("%w, got %s", ErrNoFingerprints, p.table.Names())
	}
	if p.bits == 0 && !p.table.Has(columnDigits) {
		p.bits = 64
	}
	if definition, ok := p.table.Metadata(definitionKey); ok {
		return p.define(definition)
	}
	return nil
}

// read adds the record of a row.
func (p *parquetReader) read(values []parquet.Value) (err error) {
	if values[columnID].IsNull() {
		return errors.New("expected an id")
	}
	var ok bool
	if p.id, ok = columnar.AppendText(p.id[:0], values[columnID], p.table.Unsigned(columnID)); !ok {
		return fmt.Errorf("expected an id that is text or a whole number, got %v", values[columnID].Kind())
	}
	var informative *bool
	if value := values[columnInformative]; p.table.Has(columnInformative) && value.Kind() == parquet.Boolean {
		says := value.Boolean()
		informative = &says
	}
	if !p.table.Has(columnDigits) {
		return p.addNumber(values[columnNumber], informative)
	}
	digits := values[columnDigits]
	if kind := digits.Kind(); kind != parquet.ByteArray && kind != parquet.FixedLenByteArray {
		return errors.New("expected a fingerprint in hexadecimal")
	}
	return p.addDigits(p.id, digits.ByteArray(), informative)
}

// addNumber adds a record whose fingerprint is a number.
func (p *parquetReader) addNumber(value parquet.Value, informative *bool) error {
	if value.Kind() != parquet.Int64 {
		return errors.New("expected a number of 64 bits in fingerprint_u64")
	}
	number := value.Uint64()
	if p.bits > 64 || p.bits < 64 && number>>p.bits > 0 {
		return fmt.Errorf("expected a fingerprint of %d bits, got fingerprint_u64 %d", p.bits, number)
	}
	p.add(p.id, []uint64{number}, informative)
	return nil
}

// parquetWriter writes fingerprints of one definition to Parquet.
type parquetWriter struct {
	bits int
	w    *columnar.Writer
}

func newParquetWriter(w io.Writer, definition fphash.Definition) *parquetWriter {
	columns := []columnar.Column{{Name: "id", Type: parquet.String()}, {Name: "fingerprint", Type: parquet.String()}}
	if definition.Bits <= 64 {
		columns = append(columns, columnar.Column{Name: "fingerprint_u64", Type: parquet.Uint(64)})
	}
	columns = append(columns, columnar.Column{Name: "informative", Type: parquet.Leaf(parquet.BooleanType)})
	return &parquetWriter{definition.Bits, columnar.NewWriter(w, columns, parquet.KeyValueMetadata(definitionKey, definition.String()))}
}

// Write writes a record. It replaces invalid UTF-8 in the id with U+FFFD, since the type of the
// column requires UTF-8.
func (w *parquetWriter) Write(r docsketch.Record) error {
	w.w.Add(strings.ToValidUTF8(string(r.ID), "\uFFFD"))
	w.w.Add(fphash.Fingerprint(r.Fingerprint).Hex(w.bits))
	if w.bits <= 64 {
		w.w.Add(r.Fingerprint[0])
	}
	w.w.Add(r.Informative)
	return w.w.EndRow()
}

func (w *parquetWriter) End() error { return w.w.Close() }
