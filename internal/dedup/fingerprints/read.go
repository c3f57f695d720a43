// Package fingerprints reads and writes files of fingerprints: text, JSON lines and Parquet.
package fingerprints

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/docsketch"
	"simhashkit/internal/lines"
	"simhashkit/internal/scratch"
	"simhashkit/internal/tabular"
)

// Format is a file format for fingerprints.
type Format string

// The formats.
const (
	None    Format = "" // not a file of fingerprints
	Text    Format = "text"
	JSONL   Format = "jsonl"
	Parquet Format = "parquet"
)

// Formats lists the formats.
func Formats() []Format { return []Format{Text, JSONL, Parquet} }

// Options defines how a file is read.
type Options struct {
	Name string // name of the file in messages

	// Bits is the width of the fingerprints if the file does not record it; 0 means 4 bits per
	// hexadecimal digit.
	Bits int

	Progress func(records int) // called every few thousand records; may be nil
	// Take, if not nil, is called with batches of records, which are then released; see
	// dedup.Records.Pass. The last, incomplete batch is in the result.
	Take func(*dedup.Records) error
}

// mostLine is the length of the longest accepted line, in bytes.
const mostLine = 16 << 20

// sniffed is the number of bytes that Sniff inspects.
const sniffed = 4096

// Sniff detects the format of a stream from its first bytes, without consuming them. The stream's
// buffer must have space for 4 KiB.
//
// Text begins with hexadecimal digits and a tab. A line of svmlight with a label may begin in the
// same way. It is svmlight if only features follow, and if there are at least two features or the
// label has fewer than 8 characters.
func Sniff(r *bufio.Reader) Format {
	start, _ := r.Peek(sniffed) // reading the stream returns the error again
	switch {
	case bytes.HasPrefix(start, []byte(Magic)):
		return Parquet
	case bytes.HasPrefix(bytes.TrimLeft(start, " \t\r\n"), []byte("{")):
		return JSONL
	}
	line, _, _ := bytes.Cut(start, []byte("\n"))
	digits, rest, ok := bytes.Cut(line, []byte("\t"))
	if !ok || len(digits) == 0 || len(bytes.Trim(digits, "0123456789abcdefABCDEF")) > 0 {
		return None
	}
	rest, _, _ = bytes.Cut(rest, []byte("#"))
	tokens := bytes.Fields(rest)
	for _, token := range tokens {
		if !isFeature(token) {
			return Text
		}
	}
	if len(tokens) == 1 && len(digits) >= 8 || len(tokens) == 0 {
		return Text
	}
	return None
}

// SniffKnown is Sniff for a stream that is known to contain fingerprints. It also accepts text
// without ids.
func SniffKnown(r *bufio.Reader) Format {
	if format := Sniff(r); format != None {
		return format
	}
	start, _ := r.Peek(sniffed)
	line, _, _ := bytes.Cut(start, []byte("\n"))
	if line = bytes.TrimSuffix(line, []byte("\r")); len(line) > 0 && len(bytes.Trim(line, "0123456789abcdefABCDEF")) == 0 {
		return Text
	}
	return None
}

// isFeature reports whether a token has the form index:value.
func isFeature(token []byte) bool {
	index, value, ok := bytes.Cut(token, []byte(":"))
	if !ok {
		return false
	}
	if _, err := strconv.ParseUint(string(index), 10, 64); err != nil && string(index) != "qid" {
		return false
	}
	_, err := strconv.ParseFloat(string(value), 64)
	return err == nil
}

// Read reads all fingerprints of the file at path from its stream. Parquet needs random access, so
// it is read from the file, or from a temporary copy of the stream. None is the format of an empty
// file.
func Read(ctx context.Context, stream *bufio.Reader, path string, format Format, options Options) (*dedup.Records, error) {
	records := &dedup.Records{Name: options.Name}
	var err error
	switch a := (adder{records: records, bits: options.Bits}); format {
	case Text:
		err = readLines(stream, options, records, a.parseText)
	case JSONL:
		err = readLines(stream, options, records, a.parseJSON)
	case Parquet:
		file, size, openErr := scratch.At(stream, path, Magic)
		if openErr != nil {
			return nil, fmt.Errorf("%s: %w", options.Name, openErr)
		}
		defer file.Close()
		err = readParquet(ctx, file, size, options, a)
	default:
		if _, err = stream.Peek(1); err == io.EOF {
			return records, nil
		}
		if err == nil {
			err = errors.New("expected fingerprints: lines in hexadecimal, or a file of fphash sketch")
		}
		err = fmt.Errorf("%s: %w", options.Name, err)
	}
	return records, err
}

// readLines calls parse for each line that is not blank. parse adds the record of the line.
func readLines(r io.Reader, options Options, records *dedup.Records, parse func(line []byte) error) error {
	reader := lines.NewReader(r, mostLine)
	for {
		line, err := reader.Next()
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, lines.ErrTooLong):
			err = fmt.Errorf("expected a line of at most %d bytes", mostLine)
		case err != nil:
			return fmt.Errorf("%s: after line %d: %w", options.Name, reader.Number(), err)
		default:
			line = bytes.TrimSuffix(line, []byte("\r"))
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			err = parse(line)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", options.Name, reader.Number(), err)
		}
		if err := options.Tell(records); err != nil {
			return err
		}
	}
}

// adder adds the records of a file.
type adder struct {
	records    *dedup.Records
	bits       int    // 0 means 4 bits per digit of the first fingerprint
	definition string // of the first record; all records must have the same
	bare       bool   // the lines of a text have no ids
}

// define sets the definition.
func (a *adder) define(definition string) error {
	d, err := fphash.ParseDefinition(definition)
	if err == nil {
		a.definition, a.bits, a.records.Set.Definition = definition, d.Bits, definition
	}
	return err
}

// addDefined is addDigits for a format in which each record has a definition, "" if it is unknown.
func (a *adder) addDefined(id, digits []byte, definition string, informative *bool) error {
	if a.records.Len() == 0 && definition != "" {
		if err := a.define(definition); err != nil {
			return err
		}
	}
	if definition != a.definition {
		return fmt.Errorf("the definition is %.200q; expected %.200q, as in the records before", definition, a.definition)
	}
	return a.addDigits(id, digits, informative)
}

// addDigits adds a record whose fingerprint is in hexadecimal. If the width is still unknown, the
// first fingerprint defines it.
func (a *adder) addDigits(id, digits []byte, informative *bool) error {
	if a.bits == 0 {
		a.bits = 4 * len(digits)
	}
	if a.bits < 1 || a.bits > fphash.MaxBits {
		return fmt.Errorf("fingerprint of %d bits, expected 1 to %d", a.bits, fphash.MaxBits)
	}
	fingerprint, err := fphash.ParseHex(string(digits), a.bits)
	if err != nil {
		return fmt.Errorf("fingerprint %.80q: expected %d hexadecimal digits, since all have %d bits", digits, (a.bits+3)/4, a.bits)
	}
	a.add(id, fingerprint, informative)
	return nil
}

// leastWithout is the smallest width at which a fingerprint of zeros counts as not informative, in
// formats that do not record this. Narrower fingerprints may be zero by chance.
const leastWithout = 32

// add adds a record. If informative is nil, it is derived from the bits of the fingerprint.
func (a *adder) add(id []byte, fingerprint []uint64, informative *bool) {
	says := a.bits < leastWithout || slices.ContainsFunc(fingerprint, func(w uint64) bool { return w != 0 })
	if informative != nil {
		says = *informative
	}
	a.records.Set.Bits = a.bits
	a.records.Add(id, fingerprint, says)
}

// Tell must be called after each record. It calls Progress every few thousand records, and Take
// with full batches.
func (o *Options) Tell(records *dedup.Records) error {
	if o.Progress != nil && records.Len()%4096 == 0 {
		o.Progress(records.Len())
	}
	return records.Pass(o.Take)
}

// Writer writes fingerprints of one definition without buffering.
type Writer interface {
	Write(docsketch.Record) error

	// End writes the end of the file, if the format has one. Readers then detect that a file
	// without an end is incomplete.
	End() error
}

// NewWriter returns a writer to w in the format.
func NewWriter(w io.Writer, format Format, definition fphash.Definition) (Writer, error) {
	switch format {
	case Text:
		return &textWriter{w: w, bits: definition.Bits}, nil
	case JSONL:
		return &tableWriter{tabular.New(w, tabular.JSONLines, jsonFields), definition}, nil
	case Parquet:
		return newParquetWriter(w, definition), nil
	}
	return nil, fmt.Errorf("fingerprints: unknown format %q", format)
}
