package columnar

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"

	"simhashkit/datasets/internal/looks"
)

const (
	signature  = "PAR1"
	footerSize = 8 // length of the metadata, and the signature again
)

// file is an open Parquet file.
type file struct {
	*parquet.File
	path     string
	os       *os.File // nil in tests
	protocol thrift.CompactProtocol
	head     []byte // of a page
}

// openFile reads the metadata of a file.
func openFile(ctx context.Context, path string) (f *file, err error) {
	o, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("columnar: %w", err)
	}
	defer func() {
		if err != nil {
			o.Close()
		}
	}()
	info, err := o.Stat()
	if err != nil {
		return nil, fmt.Errorf("columnar: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("columnar: %s: expected a regular file, since the index of Parquet stands at its end", path)
	}
	f, err = newFile(ctx, o, info.Size(), path)
	if err != nil {
		return nil, err
	}
	f.os = o
	return f, nil
}

func newFile(ctx context.Context, r io.ReaderAt, size int64, path string) (*file, error) {
	if err := check(r, size, path); err != nil {
		return nil, err
	}
	f := &file{path: path}
	err := guarded(func() (err error) {
		f.File, err = parquet.OpenFile(&endingReaderAt{ctx, r}, size,
			parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(64<<10))
		return err
	})
	if err != nil {
		return nil, f.damaged(ctx, err)
	}
	return f, nil
}

// check looks at both ends of a file and at what its metadata claim. The library would set memory
// aside for metadata of any length.
func check(r io.ReaderAt, size int64, path string) error {
	head := make([]byte, 512)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return fmt.Errorf("columnar: %w", err)
	}
	head = head[:n]
	if like := looks.Line(head); like != "a Parquet file" {
		return fmt.Errorf("columnar: %s: expected a Parquet file%s", path, but(head, like))
	}
	var tail [footerSize]byte
	if size < int64(len(signature)+len(tail)) {
		return fmt.Errorf("columnar: %s: expected a whole Parquet file, got %d bytes: is it truncated?", path, size)
	}
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return fmt.Errorf("columnar: %w", err)
	}
	length := int64(binary.LittleEndian.Uint32(tail[:4]))
	if string(tail[4:]) != signature || length > size-int64(len(signature)+len(tail)) {
		return fmt.Errorf("columnar: %s: expected a whole Parquet file, got one without an end: is it truncated?", path)
	}
	metadata := make([]byte, length)
	if _, err := r.ReadAt(metadata, size-int64(len(tail))-length); err != nil {
		return fmt.Errorf("columnar: %w", err)
	}
	if err := checkMetadata(metadata); err != nil {
		return fmt.Errorf("columnar: %s: expected a sound Parquet file: %w", path, err)
	}
	return nil
}

// close closes what openFile has opened.
func (f *file) close() error {
	if f.os == nil {
		return nil
	}
	return f.os.Close()
}

// but says what a file is instead of Parquet.
func but(head []byte, like string) string {
	switch {
	case len(head) == 0:
		return ", got an empty one"
	case like != "":
		return "; it looks like " + like
	default:
		return fmt.Sprintf(", got one that begins with %q", head[:min(len(head), 16)])
	}
}

// damaged returns an error of the library as one of the file.
func (f *file) damaged(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("columnar: %w", context.Cause(ctx))
	}
	for _, misread := range []error{errLZ4, errDelta, errBool} { // the file is sound
		if errors.Is(err, misread) {
			return fmt.Errorf("columnar: %s: %w", f.path, misread)
		}
	}
	return fmt.Errorf("columnar: %s: expected a sound Parquet file: %w", f.path, err)
}

// guarded returns a panic of the library, which does not check all of what it reads, as an error,
// and so a fault at an address that it made of damaged bytes.
func guarded(do func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if p := recover(); p != nil {
			err = &gaveUp{p}
		}
	}()
	return do()
}

// gaveUp is a panic of the library.
type gaveUp struct{ panic any }

func (g *gaveUp) Error() string { return fmt.Sprintf("the library that reads it gave up: %v", g.panic) }

// endingReaderAt reads until the context has ended.
type endingReaderAt struct {
	ctx context.Context
	r   io.ReaderAt
}

func (e *endingReaderAt) ReadAt(p []byte, at int64) (int, error) {
	if e.ctx.Err() != nil {
		return 0, context.Cause(e.ctx)
	}
	return e.r.ReadAt(p, at)
}
