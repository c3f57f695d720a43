// Package fingerprints reads and writes files of fingerprints: text, JSON lines and CSV. Package
// parquet adds Parquet, whose library is large.
package fingerprints

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/lines"
)

// Format is a file format for fingerprints.
type Format string

// The formats.
const (
	None  Format = "" // the file is of another kind
	Text  Format = "text"
	JSONL Format = "jsonl"
	CSV   Format = "csv"

	// Parquet is for package parquet.
	Parquet Format = "parquet"
)

// Formats lists the formats.
func Formats() []Format { return []Format{Text, JSONL, CSV, Parquet} }

// Options says how a file is to be read.
type Options struct {
	Name string // of the file, for messages

	// Bits is the width of fingerprints if a file does not say; 0 is 4 for each digit of text.
	Bits int

	Progress func(records int) // called now and then; may be nil
	// Take, if it is not nil, is called with batches of records, which do not stay in memory; see
	// dedup.Records.Pass. The last records are in the result.
	Take func(*dedup.Records) error
}

// mostLine is the longest line, in bytes.
const mostLine = 16 << 20

// sniffed is how many bytes of a file Sniff inspects.
const sniffed = 4096

// Sniff detects the format of a stream by its first bytes, without consuming them. The stream's
// buffer must have space for 4 KiB.
//
// Text begins with hexadecimal digits and a tab. A line of svmlight, with a label, may begin alike.
// It is svmlight if only features follow, either at least two or after a label of less than 8
// characters.
func Sniff(r *bufio.Reader) Format {
	start, _ := r.Peek(sniffed) // reading returns the error again
	switch {
	case bytes.HasPrefix(start, []byte("PAR1")):
		return Parquet
	case bytes.HasPrefix(bytes.TrimLeft(start, " \t\r\n"), []byte("{")):
		return JSONL
	}
	line, _, _ := bytes.Cut(start, []byte("\n"))
	if isCSVHeader(line) {
		return CSV
	}
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

// SniffKnown is Sniff for a stream that is known to hold fingerprints: Text may then have digits
// only, without ids.
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

// Read reads fingerprints of that format, to the end of the stream.
func Read(r *bufio.Reader, format Format, options Options) (*dedup.Records, error) {
	records := &dedup.Records{Name: options.Name}
	var err error
	switch a := (adder{records: records, bits: options.Bits}); format {
	case Text:
		err = readLines(r, options, records, (&textLines{adder: a}).parse)
	case JSONL:
		err = readLines(r, options, records, (&jsonLines{a}).parse)
	case CSV:
		err = readCSV(r, options, a)
	default:
		err = fmt.Errorf("fingerprints: unknown format %q", format)
	}
	return records, err
}

// readLines calls parse, which adds the record of a line, with each line that is not blank.
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
	bits       int    // 0: 4 for each digit of the first fingerprint
	definition string // of the first record; all must have the same
}

// add adds a record. An empty definition is unknown. If informative is nil, the bits decide.
func (a *adder) add(id, digits []byte, definition string, informative *bool) error {
	if a.records.Len() == 0 && definition != "" {
		d, err := fphash.ParseDefinition(definition)
		if err != nil {
			return err
		}
		a.definition, a.bits, a.records.Set.Definition = definition, d.Bits, definition
	}
	if definition != a.definition {
		return fmt.Errorf("the fingerprint is %.200q; expected %.200q, as on the lines before", definition, a.definition)
	}
	if a.bits == 0 {
		a.bits = 4 * len(digits)
	}
	a.records.Set.Bits = a.bits
	fingerprint, err := ParseDigits(digits, a.bits)
	if err != nil {
		return err
	}
	says := Informative(fingerprint, a.bits)
	if informative != nil {
		says = *informative
	}
	a.records.Add(id, fingerprint, says)
	return nil
}

// Tell is called after each record. It calls Progress now and then, and Take with full batches.
func (o *Options) Tell(records *dedup.Records) error {
	if o.Progress != nil && records.Len()%4096 == 0 {
		o.Progress(records.Len())
	}
	return records.Pass(o.Take)
}

// leastWithout is the least width at which a fingerprint of zeros counts as one without
// information, in formats that do not say. Narrower fingerprints may be zeros by chance.
const leastWithout = 32

// Informative reports whether a fingerprint can be informative, judged by its bits alone.
func Informative(words []uint64, bits int) bool {
	return bits < leastWithout || slices.ContainsFunc(words, func(w uint64) bool { return w != 0 })
}

// Record is a fingerprint and what it is of.
type Record struct {
	ID          []byte
	Fingerprint []uint64
	Informative bool
	Features    int // of a text, repeats included; not stored in files
}

// Writer writes fingerprints of one definition, without a buffer.
type Writer interface {
	Write(Record) error

	// End writes the end of the file. In formats with an end, readers see that a file without it is
	// incomplete.
	End() error
}

// NewWriter returns a writer of a format onto w. Package parquet writes Parquet.
func NewWriter(w io.Writer, format Format, definition fphash.Definition) (Writer, error) {
	switch format {
	case Text:
		return &textWriter{w: w, bits: definition.Bits}, nil
	case JSONL:
		return newJSONWriter(w, definition), nil
	case CSV:
		return newCSVWriter(w, definition)
	}
	return nil, fmt.Errorf("fingerprints: unknown format %q", format)
}
