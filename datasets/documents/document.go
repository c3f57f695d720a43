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
// file, line and what was expected ([datasets.SyntaxError]); others begin with "documents:". A
// byte order mark at the beginning of a file belongs to no text, and neither does the line end,
// which may be CRLF. NUL characters are characters.
package documents

import (
	"fmt"
	"slices"
	"strings"
)

// Document is a text with its place. Its slices belong to the reader, and are valid until the next
// Read.
type Document struct {
	// ID is what the record has for an id, as it is written there; of whole files it is their path.
	// It is empty where none was asked for.
	ID []byte

	// NumericID says that the id is a number, in formats that tell numbers from texts: JSON lines
	// and Parquet.
	NumericID bool

	Text []byte

	// Value is that of the field Options.Value, as it is written there, a string without its
	// quotes; nil where it is null or not there.
	Value []byte

	// Record is the record's bytes as they stand in the file, line end included. It is nil where a
	// format has no such thing: whole files, Parquet.
	Record []byte

	// File is the path of the file; for a file in an archive, the archive's path, a colon and its
	// own.
	File string

	// Number is that of the record in its file, from 1; those that were left out count. OpenAll
	// numbers the records of all its files.
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

// DefaultText is the field that holds the text where none is named.
const DefaultText = "text"

// The longest records that a reader takes by default, 256 MiB, and 32 MiB of CSV and TSV, where a
// quote that is left open makes one record of all that follows.
const (
	DefaultMaxLine   = 256 << 20
	defaultMaxQuoted = 32 << 20
)

// Options says how documents are to be read. The zero value is right for most files.
type Options struct {
	// Format is the name of a format; "" and "auto" find it out: by the file's first bytes where
	// they tell (Parquet, tar), by the ending of its name (.jsonl, .ndjson, .json, .csv, .tsv,
	// .tab, .txt, .tar, .tgz, with or without .gz, .zst, .bz2), and then by the first character,
	// which is { in JSON lines. All else is one document a line, and a folder is one document a
	// file, without those at whose path a name begins with a dot or an underscore.
	Format string

	// Text and ID are the fields of the text and of the id; "" is "text", and no id. Fields within
	// others have a dot: meta.id is the field id of the field meta, or one that is called meta.id.
	// Columns may be numbered: #1 is the first one of a CSV or TSV file that has no header.
	Text, ID string

	// Value is a further field, of any kind. It decides nothing about which records can be read.
	Value string

	// OnError, when not nil, gets the error of each record that cannot be read; the record is left
	// out and reading goes on. When nil, Read stops at the first one.
	OnError func(error)

	// MaxLine is the longest record in bytes, whatever the format; 0 is DefaultMaxLine, but 32 MiB
	// of CSV and TSV. A reader takes up to twice its longest record in memory, three times where
	// strings of JSON have escapes, and some seven times for CSV, whose parser has copies of its
	// own.
	MaxLine int

	// Want, when not nil, says of which records the texts are wanted, by their numbers from 0 in
	// ascending order, where a file is read again that was read without an error. The other
	// documents have no text in JSON lines, which are not parsed then. With OnError it is not
	// asked.
	Want func(record int) bool

	// Whole, if it is not nil, is asked by CopyKept once all records of a file were read: its error
	// ends the work, and the copy does not get its name. Of a folder, whose copies have theirs one
	// by one, it is asked when all are made, and they are removed again.
	Whole func() error

	// Ready, if it is not nil, is asked by CopyKept for each file that it has made, at temp, before
	// that gets its name path, and without a temp before a copy at path, of a file that is not
	// kept, is removed: its error ends the work. It may be called for several at a time. What else
	// is in the folder of a copy of a folder is then its matter.
	Ready func(path, temp string) error
}

// Formats returns the names of all formats, those of registered ones included.
func Formats() []string {
	names := []string{Auto, Lines, JSONL, CSV, TSV, Files, Tar}
	for _, f := range registered {
		names = append(names, f.Name)
	}
	return names
}

// complete checks options and fills in what they leave open.
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

// withoutFields refuses fields that a format does not have: who names one expects another format.
func (o *Options) withoutFields(name, format string) error {
	for _, field := range []string{o.Text, o.ID, o.Value} {
		if field != "" {
			return fmt.Errorf("documents: %s: expected a file with the field %q, got %s", name, field, format)
		}
	}
	return nil
}

// ReadyAt returns what asks Ready for a file, nil if there is nobody to ask.
func (o *Options) ReadyAt(path string) func(temp string) error {
	if o.Ready == nil {
		return nil
	}
	return func(temp string) error { return o.Ready(path, temp) }
}

// whole returns what Whole does.
func (o *Options) whole() error {
	if o.Whole == nil {
		return nil
	}
	return o.Whole()
}
