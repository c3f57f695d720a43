package documents

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/internal/decompress"
	"simhashkit/internal/looks"
)

// StandardInput is the path that stands for standard input.
const StandardInput = "-"

// Open returns a reader of the documents of a file, of a folder or, for "-", of standard input.
// When the context ends, opening and reading return its cause, even if a pipe has no data.
func Open(ctx context.Context, path string, options Options) (Reader, error) {
	options, err := options.complete()
	if err != nil {
		return nil, err
	}
	if path == StandardInput {
		return NewReader(ctx, os.Stdin, "standard input", options)
	}
	if isFolder(path) {
		return opened(folderReader(ctx, path, options))
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("documents: %w", err)
	}
	file, err := decompress.Open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("documents: %w", err)
	}
	if format, err := formatWith(file.Signature(), path, options); err != nil || format != nil {
		file.Close()
		if err != nil {
			return nil, err
		}
		return format.Open(ctx, path, options)
	}
	return opened(streamReader(ctx, file, path, options, nil))
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
	if options.Format != Auto && options.Format != Files {
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
	like := looks.File(head)
	isTar := options.Format == Tar || options.Format == Auto && formatOf(name, head) == Tar
	if options.charset != nil && !isTar { // an archive decodes each of its files
		r = bufio.NewReaderSize(options.charset.decoded(r), 64<<10)
		if head, _ = r.Peek(512); like == looks.UTF16 {
			like = ""
		}
	}
	format, expected, hint := options.Format, called[options.Format], ""
	if format == Auto {
		format, expected, hint = formatOf(name, head), "documents", whyNot(head)
	}
	if called[format] == "" {
		return nil, fmt.Errorf("documents: %s: expected an uncompressed file on disk, because %s cannot be read from a stream", name, format)
	}
	if like != "" && like != called[format] {
		switch like {
		case called[Tar]:
			hint = ", whose files the format tar reads"
		case looks.Index:
			hint = ", which dedup --against and fphash index read"
		case looks.UTF16:
			hint = ", which --charset utf-16 reads"
		}
		return nil, fmt.Errorf("documents: %s: expected %s; it looks like %s%s", name, expected, like, hint)
	}
	switch format {
	case JSONL:
		c := newJSONLines(r, name, &options)
		c.pass = pass
		return c, nil
	case CSV, TSV:
		return newColumns(r, name, format, &options, pass)
	}
	if err := options.withoutFields(name, called[format]); err != nil {
		return nil, err
	}
	switch format {
	case Tar:
		return newArchive(ctx, r, name, &options), nil
	case Files:
		return &oneFile{r: r, options: &options, name: name}, nil
	default:
		return &plainLines{newLineCutter(r, name, &options)}, nil
	}
}

// called describes the formats in messages.
var called = map[string]string{
	Lines: "lines of text",
	JSONL: "JSON lines",
	CSV:   "comma-separated values",
	TSV:   "tab-separated values",
	Files: "a text",
	Tar:   "a tar archive",
}

// endings maps file extensions to formats. The extension of a compressed file is removed first.
var endings = map[string]string{
	".jsonl": JSONL, ".ndjson": JSONL, ".json": JSONL,
	".csv": CSV, ".tsv": TSV, ".tab": TSV,
	".txt": Lines,
	".tar": Tar, ".tgz": Tar, ".tbz2": Tar, ".tzst": Tar,
}

// formatOf returns the most likely format of a stream. An empty stream counts as JSON lines without
// documents, so any field may be requested.
func formatOf(name string, head []byte) string {
	if looks.File(head) == called[Tar] {
		return Tar
	}
	if format, ok := endings[ending(name)]; ok {
		return format
	}
	empty := len(head) == 0
	head = bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n")
	if empty || len(head) > 0 && head[0] == '{' {
		return JSONL
	}
	return Lines
}

// ending returns the extension of a name, in lower case and without the extension of a compressed
// file.
func ending(name string) string {
	name = strings.ToLower(filepath.Base(name))
	for _, packed := range []string{".gz", ".zst", ".bz2"} {
		name = strings.TrimSuffix(name, packed)
	}
	return filepath.Ext(name)
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

// FileFormat is a format that cannot be read from a stream, such as Parquet, whose index is at the
// end of the file.
type FileFormat struct {
	Name      string // value of Options.Format
	Signature string // first bytes of a file
	Ending    string // file extension, such as ".parquet"

	// Open and CopyKept implement the functions of the same names. Their options are complete.
	Open     func(ctx context.Context, path string, options Options) (Reader, error)
	CopyKept func(ctx context.Context, in, out string, options Options, keep func(record int) bool) error
}

var registered []FileFormat

// Register adds a format. The package that reads the format calls it in its init function.
func Register(f FileFormat) { registered = append(registered, f) }

// fileFormatOf returns the registered format that a file has, or that the options demand. It
// returns nil for any other format.
func fileFormatOf(path string, options Options) (*FileFormat, error) {
	signature, err := signatureOf(path)
	if err != nil {
		return nil, err
	}
	return formatWith(signature, path, options)
}

// formatWith is fileFormatOf for a file with the given first bytes.
func formatWith(signature, path string, options Options) (*FileFormat, error) {
	for i := range registered {
		f := &registered[i]
		has := strings.HasPrefix(signature, f.Signature) || ending(path) == f.Ending && !packed(path)
		if options.Format == f.Name || options.Format == Auto && has {
			if options.charset != nil {
				return nil, fmt.Errorf("documents: %s: --charset cannot be combined with %s, whose texts are UTF-8", path, f.Name)
			}
			return f, nil
		}
	}
	return nil, nil
}

// HasRecords reports whether the extension of a file belongs to a format with many documents per
// file: JSON lines, CSV, TSV, tar and registered formats, compressed or not.
func HasRecords(path string) bool {
	end := ending(path)
	if format, ok := endings[end]; ok {
		return format != Lines
	}
	return slices.ContainsFunc(registered, func(f FileFormat) bool { return f.Ending == end })
}

func packed(path string) bool { return !strings.HasSuffix(strings.ToLower(path), ending(path)) }

// signatureOf returns the first bytes of a regular file. It returns "" for other files, since those
// can be read only once.
func signatureOf(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("documents: %w", err)
	}
	if !info.Mode().IsRegular() {
		return "", nil
	}
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("documents: %w", err)
	}
	defer file.Close()
	head := make([]byte, 8)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", fmt.Errorf("documents: %w", err)
	}
	return string(head[:n]), nil
}

// whyNot returns advice for a stream that begins with the signature of a registered format.
func whyNot(head []byte) string {
	for _, f := range registered {
		if strings.HasPrefix(string(head), f.Signature) {
			return ", which can be read from a file on disk that is not packed"
		}
	}
	return ""
}
