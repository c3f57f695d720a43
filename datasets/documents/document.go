// Package documents reads texts: one a line, fields of JSON lines, columns of CSV and TSV files,
// whole files, folders and tar archives, plain or packed with gzip, zstd or bzip2.
//
// [Open] reads one file of any of these and [OpenAll] several, [Expand] turns files, globs and
// folders into a list of files, and [CopyKept] writes a file anew with some of its records left out
// and the others as they were. Import simhashkit/datasets/columnar to read Parquet as well.
//
// # Rules that hold everywhere
//
// Memory is bounded by the longest record, which has a limit (see Options). Texts and ids are
// UTF-8: what is not is an error, and so are a missing field, a null and a value of another type;
// an empty text is a document like others. Nothing is left out without an error: a record that
// cannot be read ends the reading, or goes to OnError and is left out. An error of a record says
// file, line and what was expected (Error of package datasets/syntax); others begin with
// "documents:". A byte order mark at the beginning of a file belongs to no text, and neither does
// the line end, which may be CRLF. NUL characters are characters.
package documents

import (
	"fmt"
	"slices"
	"strings"
)

// Document is a text with its place. Its slices belong to the reader, and are valid until the next
// Read.
type Document struct {
	// ID is the record's id as written; for whole files, their path. It is empty if Options.ID is.
	ID []byte

	// NumericID says that the id is a number, in formats that tell numbers from texts: JSON lines
	// and Parquet.
	NumericID bool

	Text []byte

	// Value is the value of the field Options.Value as written, a string without its quotes; nil if
	// it is null or missing.
	Value []byte

	// Record is the record's bytes as they are in the file, including the line end. It is nil for
	// whole files and Parquet.
	Record []byte

	// File is the path of the file. For a file in an archive, it is the archive's path, a colon and
	// the file's path.
	File string

	// Number is the number of the record in its file, from 1, counting records that were left out.
	// OpenAll numbers the records of all its files.
	Number int

	// Line is where the record begins, from 1; in Parquet it is the number of the row.
	Line int
}

// Reader reads documents, for one goroutine.
type Reader interface {
	// Read stores the next document. The end is io.EOF; after an error, Read returns the same error
	// again.
	Read(*Document) error
	Close() error
}

// The names of formats.
const (
	Auto  = "auto"
	Lines = "lines" // one document a line
	JSONL = "jsonl" // one JSON object a line
	CSV   = "csv"
	TSV   = "tsv"
	Files = "files" // a document is a whole file
	Tar   = "tar"   // a document is a file in an archive
)

// DefaultText is the default field of the text.
const DefaultText = "text"

// The longest record by default: 256 MiB, and 32 MiB for CSV and TSV, where a quote that is left
// open turns the rest of the file into one record.
const (
	DefaultMaxLine   = 256 << 20
	defaultMaxQuoted = 32 << 20
)

// Options says how documents are to be read. The zero value is right for most files.
type Options struct {
	// Format is the name of a format. "" and "auto" detect it: by the file's first bytes (Parquet,
	// tar), then by the ending of its name (.jsonl, .ndjson, .json, .csv, .tsv, .tab, .txt, .tar,
	// .tgz, with or without .gz, .zst, .bz2), and then by the first character, which is { in JSON
	// lines. Other files have one document on each line. In a folder, each file is a document,
	// except files and folders whose names begin with a dot or an underscore.
	Format string

	// Text is the field of the text; "" is "text". ID is the field of the id; "" is none. A dot
	// leads into nested fields: meta.id is the field id of the field meta, or a field named
	// meta.id. In a CSV or TSV file without a header, #1 is the first column.
	Text, ID string

	// Value is a further field, of any kind. It may be missing in a record.
	Value string

	// OnError, when not nil, gets the error of each record that cannot be read; the record is left
	// out and reading goes on. When nil, Read stops at the first one.
	OnError func(error)

	// MaxLine is the longest record in bytes, in any format; 0 is DefaultMaxLine, or 32 MiB for CSV
	// and TSV. A reader needs memory for twice its longest record, for three times if strings of
	// JSON have escapes, and for about seven times for CSV, whose parser makes copies.
	MaxLine int

	// Want, when not nil, says which records need their text, when a file is read again that was
	// read before without an error. It is called with the numbers of records from 0, in ascending
	// order. Other records of JSON lines are not parsed and have no text. With OnError it is
	// ignored.
	Want func(record int) bool

	// Whole, if it is not nil, is called by CopyKept when all records of a file were read. If it
	// returns an error, CopyKept fails and the copy does not get its name. For a folder, whose
	// copies get their names one by one, it is called at the end, and an error removes them again.
	Whole func() error

	// Ready, if it is not nil, is called by CopyKept before a file gets its name: the copy is at
	// temp, and path will be its name. It is also called, without a temp, before CopyKept removes
	// an earlier copy at path. An error ends the work. Calls may be concurrent.
	Ready func(path, temp string) error
}

// Formats returns the names of all formats, including registered ones.
func Formats() []string {
	names := []string{Auto, Lines, JSONL, CSV, TSV, Files, Tar}
	for _, f := range registered {
		names = append(names, f.Name)
	}
	return names
}

// complete checks the options and fills in defaults.
func (o Options) complete() (Options, error) {
	if o.Format == "" {
		o.Format = Auto
	}
	if names := Formats(); !slices.Contains(names, o.Format) {
		return o, fmt.Errorf("documents: expected a format of %s, got %q", strings.Join(names, ", "), o.Format)
	}
	if o.MaxLine < 0 {
		return o, fmt.Errorf("documents: expected a longest record of 1 byte or more, got %d", o.MaxLine)
	}
	if o.MaxLine == 0 {
		o.MaxLine = DefaultMaxLine
	}
	return o, nil
}

// text returns the name of the field that holds the text.
func (o *Options) text() string {
	if o.Text == "" {
		return DefaultText
	}
	return o.Text
}

// withoutFields refuses fields for a format that has none: a user who names one expects another
// format.
func (o *Options) withoutFields(name, format string) error {
	for _, field := range []string{o.Text, o.ID, o.Value} {
		if field != "" {
			return fmt.Errorf("documents: %s: expected a file with the field %q, got %s", name, field, format)
		}
	}
	return nil
}

// ReadyAt returns a function that calls Ready for a file, nil without Ready.
func (o *Options) ReadyAt(path string) func(temp string) error {
	if o.Ready == nil {
		return nil
	}
	return func(temp string) error { return o.Ready(path, temp) }
}

// whole calls Whole, if it is set.
func (o *Options) whole() error {
	if o.Whole == nil {
		return nil
	}
	return o.Whole()
}
