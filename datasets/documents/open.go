package documents

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"simhashkit/internal/decompress"
	"simhashkit/internal/docformat"
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
