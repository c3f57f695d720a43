package parquet

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"simhashkit/dedup"
	"simhashkit/dedup/fingerprints"
	"simhashkit/fphash"
)

// rowsAtOnce is how many rows are read at a time.
const rowsAtOnce = 1024

// columns are the places of the columns in a row; -1 for one that is not there.
type columns struct{ id, digits, number, informative int }

// Read reads the fingerprints of a Parquet file of that size. It takes files of other programs too:
// those with a column id (text or whole numbers) and fingerprint (in hexadecimal) or
// fingerprint_u64.
func Read(r io.ReaderAt, size int64, options fingerprints.Options) (records *dedup.Records, err error) {
	defer func() {
		if p := recover(); p != nil { // the library's way with some damaged files
			records, err = nil, fmt.Errorf("%s: expected a sound Parquet file: %v", options.Name, p)
		}
	}()
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("%s: expected a sound Parquet file: %w", options.Name, err)
	}
	f := reader{records: &dedup.Records{Name: options.Name}, options: options}
	if err := f.define(file); err != nil {
		return nil, fmt.Errorf("%s: %w", options.Name, err)
	}
	for _, group := range file.RowGroups() {
		if err := f.group(group); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", options.Name, f.records.Len()+1, err)
		}
	}
	return f.records, nil
}

// reader collects the rows of a file.
type reader struct {
	records *dedup.Records
	options fingerprints.Options
	columns columns
	bits    int
	words   []uint64
	id      []byte
}

// define finds the columns, and the definition if the file has one.
func (f *reader) define(file *parquet.File) error {
	place := func(name string) int {
		leaf, ok := file.Schema().Lookup(name)
		if !ok || leaf.MaxRepetitionLevel > 0 {
			return -1
		}
		return leaf.ColumnIndex
	}
	f.columns = columns{place("id"), place("fingerprint"), place("fingerprint_u64"), place("informative")}
	if f.columns.id < 0 || f.columns.digits < 0 && f.columns.number < 0 {
		var names []string
		for _, field := range file.Schema().Fields() {
			names = append(names, field.Name())
		}
		return fmt.Errorf("expected a Parquet file with the columns id and fingerprint, got %.200q", names)
	}
	if f.bits = f.options.Bits; f.bits == 0 && f.columns.digits < 0 {
		f.bits = 64
	}
	text, ok := file.Lookup(DefinitionKey)
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

func (f *reader) group(group parquet.RowGroup) error {
	rows := group.Rows()
	defer rows.Close()
	buffer := make([]parquet.Row, rowsAtOnce)
	for {
		n, err := rows.ReadRows(buffer)
		for _, row := range buffer[:n] {
			if err := f.add(row); err != nil {
				return err
			}
			f.options.Tell(f.records)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrNoProgress
		}
	}
}

// add takes the record of a row.
func (f *reader) add(row parquet.Row) error {
	var id, digits, number, informative parquet.Value
	for _, value := range row {
		switch value.Column() {
		case f.columns.id:
			id = value
		case f.columns.digits:
			digits = value
		case f.columns.number:
			number = value
		case f.columns.informative:
			informative = value
		}
	}
	var err error
	if f.id, err = appendID(f.id[:0], id); err != nil {
		return err
	}
	if f.columns.digits < 0 {
		if number.IsNull() || number.Kind() != parquet.Int64 {
			return errors.New("expected a number of 64 bits in fingerprint_u64")
		}
		f.words = append(f.words[:0], number.Uint64())
		if f.bits > 64 || f.bits < 64 && f.words[0]>>f.bits > 0 {
			return fmt.Errorf("expected a fingerprint of %d bits, got fingerprint_u64 %d", f.bits, f.words[0])
		}
	} else if err := f.parse(digits); err != nil {
		return err
	}
	f.records.Set.Bits = f.bits
	says := fingerprints.Informative(f.words, f.bits)
	if f.columns.informative >= 0 && informative.Kind() == parquet.Boolean && !informative.IsNull() {
		says = informative.Boolean()
	}
	f.records.Add(f.id, f.words, says)
	return nil
}

// parse reads a fingerprint in hexadecimal; the first one says how many bits all have, if nothing
// else does.
func (f *reader) parse(digits parquet.Value) (err error) {
	if digits.IsNull() || digits.Kind() != parquet.ByteArray && digits.Kind() != parquet.FixedLenByteArray {
		return errors.New("expected a fingerprint in hexadecimal")
	}
	text := digits.ByteArray()
	if f.bits == 0 {
		f.bits = 4 * len(text)
	}
	f.words, err = fingerprints.ParseDigits(text, f.bits)
	return err
}

func appendID(dst []byte, id parquet.Value) ([]byte, error) {
	switch {
	case id.IsNull():
		return nil, errors.New("expected an id")
	case id.Kind() == parquet.ByteArray || id.Kind() == parquet.FixedLenByteArray:
		return append(dst, id.ByteArray()...), nil
	case id.Kind() == parquet.Int32 || id.Kind() == parquet.Int64:
		return strconv.AppendInt(dst, id.Int64(), 10), nil
	}
	return nil, fmt.Errorf("expected an id that is text or a whole number, got %v", id.Kind())
}
