package documents

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"simhashkit/internal/decompress"
	"simhashkit/internal/docformat"
	"simhashkit/internal/lines"
	"simhashkit/internal/syntax"
)

// Open returns a reader of the documents of a file, of a folder or, for "-", of standard input.
// When the context ends, opening and reading return its cause, even if a pipe has no data.
func Open(ctx context.Context, path string, options Options) (Reader, error) {
	options, err := options.complete()
	if err != nil {
		return nil, err
	}
	if path == docformat.StandardInput {
		return NewReader(ctx, os.Stdin, "standard input", options)
	}
	if isFolder(path) {
		return opened(folderReader(ctx, path, options))
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("documents: %w", err)
	}
	file, isParquet, err := openFile(ctx, path, &options)
	if err != nil {
		return nil, err
	}
	if isParquet {
		file.Close()
		return openParquet(ctx, path, options)
	}
	return opened(streamReader(ctx, file, path, options, nil))
}

// openFile opens a file, and reports whether to read it as Parquet.
func openFile(ctx context.Context, path string, options *Options) (file *decompress.File, isParquet bool, err error) {
	if file, err = decompress.Open(ctx, path); err != nil {
		return nil, false, fmt.Errorf("documents: %w", err)
	}
	isParquet = options.Format == docformat.Parquet || options.Format == docformat.Auto && docformat.IsParquet(path, file.Signature())
	switch {
	case isParquet && options.charset != nil:
		err = fmt.Errorf("documents: %s: --charset cannot be combined with parquet, whose texts are UTF-8", path)
	case isParquet && openParquet == nil:
		err = fmt.Errorf("documents: %s: Parquet is read only by programs that import simhashkit/dedup/source", path)
	}
	if err != nil {
		file.Close()
	}
	return file, isParquet, err
}

// NewReader returns a reader of the documents of a stream, plain or compressed. The name appears in
// errors, and its extension determines the format as in Open. Closing the reader does not close r.
func NewReader(ctx context.Context, r io.Reader, name string, options Options) (Reader, error) {
	options, err := options.complete()
	if err != nil {
		return nil, err
	}
	unpacked := io.NopCloser(r)
	if !options.Unpacked {
		if unpacked, err = decompress.NewReader(ctx, r); err != nil {
			return nil, fmt.Errorf("documents: %s: %w", name, err)
		}
	}
	return opened(streamReader(ctx, unpacked, name, options, nil))
}

// opened converts a *reader to a Reader; a nil reader becomes a nil interface.
func opened(r *reader, err error) (Reader, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func folderReader(ctx context.Context, path string, options Options) (*reader, error) {
	if options.Format != docformat.Auto && options.Format != docformat.Files {
		return nil, fmt.Errorf("documents: %s: expected a file of the format %s, got a folder", path, options.Format)
	}
	if err := options.withoutFields(path, "a folder of documents"); err != nil {
		return nil, err
	}
	cutter, err := openFolder(ctx, path, &options)
	if err != nil {
		return nil, err
	}
	return &reader{ctx: ctx, cutter: cutter, onError: options.OnError}, nil
}

// streamReader reads a decompressed stream. pass is called with the bytes that belong to no
// document.
func streamReader(ctx context.Context, r io.ReadCloser, name string, options Options, pass func([]byte) error) (*reader, error) {
	cutter, err := newCutter(ctx, bufio.NewReaderSize(r, 64<<10), name, options, pass)
	if err != nil {
		r.Close()
		return nil, err
	}
	return &reader{ctx: ctx, cutter: cutter, closer: r, onError: options.OnError, ids: options.ID != ""}, nil
}

func newCutter(ctx context.Context, r *bufio.Reader, name string, options Options, pass func([]byte) error) (cutter, error) {
	head, _ := r.Peek(512) // a later read returns the error again
	like := syntax.LikeFile(head)
	isTar := options.Format == docformat.Tar || options.Format == docformat.Auto && docformat.OfStream(name, head) == docformat.Tar
	if options.charset != nil && !isTar { // an archive decodes each of its files
		r = bufio.NewReaderSize(options.charset.decoded(r), 64<<10)
		if head, _ = r.Peek(512); like == syntax.UTF16 {
			like = ""
		}
	}
	format, expected, hint := options.Format, docformat.Called[options.Format], ""
	if format == docformat.Auto {
		if format, expected = docformat.OfStream(name, head), "documents"; bytes.HasPrefix(head, []byte(docformat.ParquetSignature)) {
			hint = ", which can be read from a file on disk that is not packed"
		}
	}
	called := docformat.Called[format]
	if called == "" {
		return nil, fmt.Errorf("documents: %s: expected an uncompressed file on disk, because %s cannot be read from a stream", name, format)
	}
	if like != "" && like != called {
		switch like {
		case docformat.Called[docformat.Tar]:
			hint = ", whose files the format tar reads"
		case syntax.Index:
			hint = ", which dedup --against and fphash index read"
		case syntax.UTF16:
			hint = ", which --charset utf-16 reads"
		}
		return nil, fmt.Errorf("documents: %s: expected %s; it looks like %s%s", name, expected, like, hint)
	}
	switch format {
	case docformat.JSONL:
		c := newJSONLines(r, name, &options)
		c.pass = pass
		return c, nil
	case docformat.CSV, docformat.TSV:
		return newColumns(r, name, format, &options, pass)
	}
	if err := options.withoutFields(name, called); err != nil {
		return nil, err
	}
	switch format {
	case docformat.Tar:
		return newArchive(ctx, r, name, &options), nil
	case docformat.Files:
		return &oneFile{r: r, options: &options, name: name}, nil
	default:
		return &plainLines{newLineCutter(r, name, &options)}, nil
	}
}

// OpenAll returns a reader of the documents of several files, one file after the other. It opens a
// file only when the previous one has ended. Documents are numbered as if the files were one.
func OpenAll(ctx context.Context, paths []string, options Options) (Reader, error) {
	options, err := options.complete()
	if err != nil {
		return nil, err
	}
	return &filesReader{ctx: ctx, paths: paths, options: options}, nil
}

type filesReader struct {
	ctx     context.Context
	paths   []string // paths of the files not opened yet
	options Options
	file    Reader // nil between files
	before  int    // number of documents in earlier files
	last    int    // number of the last document
	err     error
}

func (r *filesReader) Read(d *Document) error {
	for r.err == nil {
		if r.file == nil && len(r.paths) == 0 {
			r.err = io.EOF
			break
		}
		if r.file == nil {
			if r.file, r.err = Open(r.ctx, r.paths[0], r.options); r.err != nil {
				break
			}
			r.paths = r.paths[1:]
		}
		err := r.file.Read(d)
		if err == nil {
			if d.Number += r.before; d.MadeUp {
				d.MakeUpID()
			}
			r.last = d.Number
			return nil
		}
		r.before = r.last
		if !errors.Is(err, io.EOF) {
			r.err = err
			break
		}
		r.err = r.Close()
	}
	return r.err
}

func (r *filesReader) Close() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}

// openParquet and copyParquet implement Open and CopyKept for Parquet files, whose options are
// complete. They are nil unless RegisterParquet was called.
var (
	openParquet func(ctx context.Context, path string, options Options) (Reader, error)
	copyParquet func(ctx context.Context, in, out string, options Options, keep func(record int) bool) error
)

// RegisterParquet links the reader of Parquet files, whose library is large. Package
// simhashkit/internal/columnar calls it in its init function.
func RegisterParquet(
	open func(ctx context.Context, path string, options Options) (Reader, error),
	copyKept func(ctx context.Context, in, out string, options Options, keep func(record int) bool) error,
) {
	openParquet, copyParquet = open, copyKept
}

// cutter splits a source into documents.
type cutter interface {
	// next stores the next document. It returns a RecordError for an error of one record. After any
	// other error, including io.EOF, there is no next document.
	next(*Document) error
}

// RecordError is the error of a single record; the next record can still be read. OnError is called
// with the wrapped error; without OnError, Read returns it.
type RecordError struct{ Err error }

// Error returns the message of the wrapped error.
func (e RecordError) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e RecordError) Unwrap() error { return e.Err }

// passing is called with the bytes of a file that belong to no document. It may be nil.
type passing func(bytes []byte) error

func (p passing) over(bytes []byte) error {
	if p == nil || len(bytes) == 0 {
		return nil
	}
	return p(bytes)
}

// reader reads the documents of a cutter.
type reader struct {
	ctx     context.Context
	cutter  cutter
	closer  io.Closer // may be nil
	onError func(error)
	ids     bool  // an id is requested
	number  int   // number of records so far
	err     error // returned by every further Read
}

func (r *reader) Read(d *Document) error {
	for r.err == nil {
		// The stream watches the context only when its buffer is empty.
		if r.ctx.Err() != nil {
			r.err = fmt.Errorf("documents: %w", context.Cause(r.ctx))
			break
		}
		err := r.cutter.next(d)
		r.number++
		if err == nil {
			if d.Number = r.number; r.ids && len(d.ID) == 0 {
				d.MakeUpID()
			}
			return nil
		}
		var bad RecordError
		switch {
		case !errors.As(err, &bad):
			r.err = err
		case r.onError != nil:
			r.onError(bad.Err)
		default:
			r.err = bad
		}
	}
	return r.err
}

func (r *reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// syntaxError returns the error of a malformed record.
func syntaxError(file string, line, column int, want string, got []byte) RecordError {
	return RecordError{syntax.New(file, line, column, want, got)}
}

// quoted is the number of bytes of a malformed text that an error shows.
const quoted = 16

// lineCutter splits a stream into lines, for formats with one record per line.
type lineCutter struct {
	charset *charset
	name    string
	lines   *lines.Reader
	max     int
	pass    passing
}

func newLineCutter(r io.Reader, name string, options *Options) lineCutter {
	return lineCutter{name: name, charset: options.charset, lines: lines.NewReader(r, options.MaxLine), max: options.MaxLine}
}

// line returns the next line without its line end and byte order mark, and stores its position and
// raw bytes in d.
func (c *lineCutter) line(d *Document) ([]byte, error) {
	line, err := c.lines.Next()
	if err == lines.ErrTooLong {
		want := fmt.Sprintf("a line of at most %d bytes", c.max)
		return nil, syntaxError(c.name, c.lines.Number(), 1, want, line)
	}
	if err == io.EOF {
		return nil, io.EOF
	}
	if err != nil {
		return nil, fmt.Errorf("documents: %s: after line %d: %w", c.name, c.lines.Number(), err)
	}
	*d = Document{File: c.name, Line: c.lines.Number(), Record: c.lines.Raw()}
	if d.Line == 1 {
		line = bytes.TrimPrefix(line, docformat.ByteOrderMark)
	}
	return bytes.TrimSuffix(line, []byte("\r")), nil
}

// column returns the column of line[at], for a line returned by the method line.
func (c *lineCutter) column(line []byte, at int) int {
	if c.lines.Number() == 1 && bytes.HasPrefix(c.lines.Raw(), docformat.ByteOrderMark) {
		at += len(docformat.ByteOrderMark)
	}
	return at + 1
}

// plainLines returns each line as a document.
type plainLines struct{ lineCutter }

func (c *plainLines) next(d *Document) error {
	text, err := c.line(d)
	if err != nil {
		return err
	}
	d.Text = text
	return c.charset.checkText(text, c.name, d.Line, c.column(text, 0))
}

// charset is an encoding of texts. A nil charset is UTF-8.
type charset struct {
	name     string
	encoding encoding.Encoding
	hasFFFD  bool // a valid text may contain U+FFFD
}

// charsetOf returns the charset of a name in the Encoding Standard, or nil for UTF-8 and "".
func charsetOf(name string) (*charset, error) {
	if name == "" {
		return nil, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement {
		return nil, fmt.Errorf("documents: unknown charset %q: want a name such as latin1, windows-1251, shift_jis, gbk, big5, utf-16", name)
	}
	c := &charset{encoding: e}
	if c.name, err = htmlindex.Name(e); err != nil {
		return nil, fmt.Errorf("documents: charset %q: %w", name, err)
	}
	if c.name == "utf-8" {
		return nil, nil
	}
	_, err = e.NewEncoder().String(string(utf8.RuneError))
	c.hasFFFD = err == nil
	return c, nil
}

// decoded returns a reader of the text in UTF-8, without a byte order mark. A byte that the charset
// does not define becomes U+FFFD.
func (c *charset) decoded(r io.Reader) io.Reader {
	if c == nil {
		return r
	}
	return transform.NewReader(r, unicode.BOMOverride(c.encoding.NewDecoder()))
}

// firstInvalid returns the position of the first byte of a decoded text that is not valid UTF-8, or
// that the charset did not define. It returns -1 if there is none.
func (c *charset) firstInvalid(text []byte) int {
	at := syntax.FirstInvalid(text)
	if at < 0 && c != nil && !c.hasFFFD {
		at = bytes.Index(text, []byte(string(utf8.RuneError)))
	}
	return at
}

// want describes a valid text in errors.
func (c *charset) want() string {
	if c == nil {
		return "UTF-8 text (--charset latin1 reads other encodings)"
	}
	return "text in " + c.name
}

// Decode converts the first bytes of a file from Charset to UTF-8.
func (o Options) Decode(start []byte) ([]byte, error) {
	c, err := charsetOf(o.Charset)
	if err != nil || c == nil {
		return start, err
	}
	return io.ReadAll(c.decoded(bytes.NewReader(start)))
}

// checkText returns an error if a decoded text is not valid UTF-8. line and column are the position
// of the text.
func (c *charset) checkText(text []byte, file string, line, column int) error {
	at := c.firstInvalid(text)
	if at < 0 {
		return nil
	}
	column += at
	if feed := bytes.LastIndexByte(text[:at], '\n'); feed >= 0 {
		line, column = line+bytes.Count(text[:at], []byte("\n")), at-feed
	}
	return syntaxError(file, line, column, c.want(), text[at:min(len(text), at+quoted)])
}
