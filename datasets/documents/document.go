// Package documents reads texts: one per line, fields of JSON lines, columns of CSV and TSV files,
// whole files, folders and tar archives, plain or compressed with gzip, zstd or bzip2.
//
// [Open] reads one such file and [OpenAll] several. [Expand] turns files, globs and folders into a
// list of files. [CopyKept] copies a file without some of its records. Programs that import
// simhashkit/dedup/source also read Parquet.
//
// # Rules for all formats
//
// Memory is bounded by the longest record, which has a limit (see Options). Texts and ids must be
// valid in UTF-8 or in the encoding Options.Charset. A record without a text, because the field is
// missing or null, has an empty text. A record without an id is named by its number, such as #3. A
// value of another type is an error. No record is skipped silently: an unreadable record ends the
// reading, or is passed to OnError and skipped. The error of a record contains the file, the line
// and the expected syntax (see [RecordError]). Other errors begin with "documents:".
// A byte order mark at the beginning of a file and the line end (LF or CRLF) are not part of any
// text. NUL characters are allowed.
package documents

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simhashkit/internal/docformat"
)

// Document is a text with its position. Its slices belong to the reader and are valid until the
// next Read.
type Document struct {
	// ID is the record's id as written. For a whole file it is the path. It is empty if Options.ID
	// is empty.
	ID []byte

	// MadeUp reports whether the record has no id, although Options.ID names a field: the field is
	// missing, null or empty. ID is then a # and Number, such as #3.
	MadeUp bool

	// NumericID reports whether the id is a number. Only JSON lines and Parquet distinguish numbers
	// from strings.
	NumericID bool

	// OtherID reports whether the record of JSON lines has a string or a number in the field "id",
	// although Options.ID names no field.
	OtherID bool

	Text []byte

	// NoText reports whether the field of the text is missing or null. Text is then empty.
	NoText bool

	// Value is the value of the field Options.Value as written; strings lose their quotes. It is
	// nil if the field is null or missing.
	Value []byte

	// Record holds the bytes of the record in the file, including the line end. It is nil for whole
	// files and Parquet.
	Record []byte

	// File is the path of the file. For a file in an archive, it is the path of the archive, a
	// colon and the path in the archive.
	File string

	// Number is the number of the record in its file, from 1, including skipped records. OpenAll
	// numbers the records of all files consecutively.
	Number int

	// Line is the first line of the record, from 1. For Parquet it is the row number.
	Line int
}

// MakeUpID names a record without an id by its number.
func (d *Document) MakeUpID() {
	d.ID, d.NumericID, d.MadeUp = strconv.AppendInt([]byte("#"), int64(d.Number), 10), false, true
}

// Reader reads documents. It is not safe for concurrent use.
type Reader interface {
	// Read stores the next document. At the end, it returns io.EOF. After an error, Read returns
	// the same error again.
	Read(*Document) error
	Close() error
}

// defaultID is the usual name of the id field.
const defaultID = "id"

// Default maximum sizes of a record: 256 MiB, and 32 MiB for CSV and TSV, where an unclosed quote
// turns the rest of the file into one record.
const (
	defaultMaxLine   = 256 << 20
	defaultMaxQuoted = 32 << 20
)

// Options configures the reading of documents. The zero value suits most files.
type Options struct {
	// Format is the name of a format: lines (one document per line), jsonl (one JSON object per
	// line), csv, tsv, files (each file is a document), tar (each file in the archive is a document)
	// or parquet. "" and "auto" detect the format: first by the leading bytes of the file (Parquet,
	// tar), then by the file extension (.jsonl, .ndjson, .json, .csv, .tsv, .tab, .txt, .tar, .tgz,
	// with or without .gz, .zst, .bz2), then by the first character, which is { in JSON lines. All
	// other files have one document per line. In a folder, each file is a document, except files and
	// folders whose names begin with a dot or an underscore.
	Format string

	// Text is the name of the text field; "" means "text". ID is the name of the id field; "" means
	// no id. A dot selects a nested field: meta.id is the field id of the field meta, or a field
	// named meta.id. In Text, brackets select the elements of a list: messages[].content joins the
	// strings in the field content of all messages, separated by line feeds. In a CSV or TSV file
	// without a header, #1 is the first column.
	Text, ID string

	// Value is the name of another field, of any type. It may be missing in a record.
	Value string

	// Charset is the encoding of texts that are not UTF-8: a name of the WHATWG Encoding Standard,
	// such as latin1 (which is windows-1252), windows-1251, shift_jis, gbk or utf-16. A byte order
	// mark overrides it. The columns of errors count bytes in UTF-8, and MaxLine does too. Parquet
	// and CopyKept refuse a charset. "" is UTF-8.
	Charset string
	charset *charset // of Charset

	// OnError, if not nil, is called with the error of each unreadable record, which is then
	// skipped. If it is nil, Read stops at the first such error.
	OnError func(error)

	// MaxLine is the maximum size of a record in bytes, in any format; 0 means 256 MiB, or 32
	// MiB for CSV and TSV. A reader needs twice the memory of its longest record, three times if
	// JSON strings have escapes, and about seven times for CSV, whose parser makes copies.
	MaxLine int

	// Want, if not nil, selects the records whose text is needed when a file is read again that was
	// read without errors before. Its argument is the record number from 0, in ascending order. The
	// reader of JSON lines does not parse other records and leaves their text empty. With OnError,
	// Want is ignored.
	Want func(record int) bool

	// Unpacked says that the stream of NewReader is not compressed, or was decompressed before.
	Unpacked bool

	// Whole, if not nil, is called by CopyKept after it has read all records of a file. If Whole
	// returns an error, CopyKept fails without creating the copy. For a folder, the copies are
	// created one by one; Whole is called at the end, and an error removes the copies.
	Whole func() error

	// Ready, if not nil, is called by CopyKept before the temporary file temp is renamed to path.
	// CopyKept also calls it, with an empty temp, before it removes an earlier copy at path. An
	// error ends the copying. Calls may be concurrent.
	Ready func(path, temp string) error
}

// complete checks the options and fills in defaults.
func (o Options) complete() (Options, error) {
	o.Format = cmp.Or(o.Format, docformat.Auto)
	if names := docformat.Names(); !slices.Contains(names, o.Format) {
		return o, fmt.Errorf("documents: unknown format of documents %q; expected %s", o.Format, strings.Join(names, ", "))
	}
	if o.MaxLine < 0 {
		return o, fmt.Errorf("documents: MaxLine = %d, want 1 or more", o.MaxLine)
	}
	o.MaxLine = cmp.Or(o.MaxLine, defaultMaxLine)
	var err error
	o.charset, err = charsetOf(o.Charset)
	return o, err
}

// text returns the name of the text field.
func (o *Options) text() string {
	return cmp.Or(o.Text, docformat.DefaultText)
}

// withoutFields returns an error if the options name a field, but the format has no fields: the
// user probably expects another format.
func (o *Options) withoutFields(name, format string) error {
	for _, field := range []string{o.Text, o.ID, o.Value} {
		if field != "" {
			return fmt.Errorf("documents: %s: expected the field %q, got %s; name no field, or give files of one kind", name, field, format)
		}
	}
	return nil
}

// ReadyAt returns a function that calls Ready for a path. It is nil if Ready is nil.
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
