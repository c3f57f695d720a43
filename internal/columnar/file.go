package columnar

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"

	"simhashkit/internal/docformat"
	"simhashkit/internal/syntax"
)

const (
	signature  = docformat.ParquetSignature
	footerSize = 8 // length of the metadata, and the signature
)

// file is an open Parquet file.
type file struct {
	*parquet.File
	path     string
	leaves   []parquet.LeafColumn // by column index
	os       *os.File             // nil in tests
	protocol thrift.CompactProtocol
	head     []byte // buffer for readAt
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
		return nil, fmt.Errorf("columnar: %s: expected a regular file, because a Parquet file is read from its end", path)
	}
	f, err = newFile(ctx, o, info.Size(), path)
	if err != nil {
		return nil, err
	}
	f.os = o
	return f, nil
}

func newFile(ctx context.Context, r io.ReaderAt, size int64, path string) (*file, error) {
	f := &file{path: path}
	if ctx.Err() != nil {
		return nil, f.damaged(ctx, nil)
	}
	if err := check(r, size, path); err != nil {
		return nil, err
	}
	err := guarded(func() (err error) {
		f.File, err = parquet.OpenFile(r, size,
			parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(64<<10))
		if err == nil {
			f.leaves = leavesOf(f.Schema())
		}
		return err
	})
	if err != nil {
		return nil, f.damaged(ctx, err)
	}
	return f, nil
}

// leavesOf returns the leaf columns of a schema in column order.
func leavesOf(schema *parquet.Schema) (leaves []parquet.LeafColumn) {
	for _, path := range schema.Columns() {
		leaf, _ := schema.Lookup(path...)
		leaves = append(leaves, leaf)
	}
	return leaves
}

// check checks the signatures at both ends of a file, and the sizes claimed by its metadata.
// Otherwise, the library would allocate memory for any claimed size.
func check(r io.ReaderAt, size int64, path string) error {
	head := make([]byte, 512)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return fmt.Errorf("columnar: %w", err)
	}
	head = head[:n]
	if like := syntax.LikeLine(head); like != "a Parquet file" {
		return fmt.Errorf("columnar: %s: expected a Parquet file%s", path, but(head, like))
	}
	var tail [footerSize]byte
	if size < int64(len(signature)+len(tail)) {
		return fmt.Errorf("columnar: %s: truncated Parquet file: %d bytes", path, size)
	}
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return fmt.Errorf("columnar: %w", err)
	}
	length := int64(binary.LittleEndian.Uint32(tail[:4]))
	if string(tail[4:]) != signature || length > size-int64(len(signature)+len(tail)) {
		return fmt.Errorf("columnar: %s: truncated Parquet file: it has no footer", path)
	}
	metadata := make([]byte, length)
	if _, err := r.ReadAt(metadata, size-int64(len(tail))-length); err != nil {
		return fmt.Errorf("columnar: %w", err)
	}
	if err := skip(new(thrift.CompactProtocol).NewReaderFromBytes(metadata), thrift.STRUCT, deepest); err != nil {
		return fmt.Errorf("columnar: %s: damaged Parquet file: %w", path, errMetadata)
	}
	return nil
}

// close closes the file that openFile opened.
func (f *file) close() error {
	if f.os == nil {
		return nil
	}
	return f.os.Close()
}

// but describes the content of a file that is not Parquet, as the end of a sentence.
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

// damaged converts an error of the library to an error of the file.
func (f *file) damaged(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("columnar: %w", context.Cause(ctx))
	}
	for _, misread := range []error{errLZ4, errDelta, errBool} { // not damaged
		if errors.Is(err, misread) {
			return fmt.Errorf("columnar: %s: %w", f.path, misread)
		}
	}
	return fmt.Errorf("columnar: %s: damaged Parquet file: %w", f.path, err)
}

// guarded calls do and converts panics of the library to errors, since the library does not
// validate everything that it reads. It also catches faults at addresses that come from damaged
// bytes.
func guarded(do func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if recover() != nil {
			err = errPanic
		}
	}()
	return do()
}

// errPanic is returned in place of a panic of the library.
var errPanic = errors.New("its pages contradict its metadata; write the file again")

// errMetadata is returned for metadata that no writer produces.
var errMetadata = errors.New("its metadata claims more data than the file has")

// deepest bounds the nesting of structures in metadata. Valid metadata have seven levels.
const deepest = 32

// skip parses and discards a value in metadata. It returns an error if a list claims more elements
// than bytes are left; the library would allocate memory for all of them.
func skip(r thrift.Reader, kind thrift.Type, depth int) (err error) {
	switch {
	case depth == 0:
		return errMetadata
	case kind == thrift.TRUE || kind == thrift.FALSE || kind == thrift.I8:
		_, err = r.ReadInt8()
	case kind == thrift.I16 || kind == thrift.I32 || kind == thrift.I64:
		_, err = r.ReadInt64()
	case kind == thrift.DOUBLE:
		_, err = r.ReadFloat64()
	case kind == thrift.BINARY:
		_, err = r.ReadBytes() // does not copy
	case kind == thrift.LIST || kind == thrift.SET:
		var list thrift.List
		list, err = r.ReadList()
		for i := int32(0); i < list.Size && err == nil; i++ {
			err = skip(r, list.Type, depth-1)
		}
	case kind == thrift.MAP:
		var pairs thrift.Map
		pairs, err = r.ReadMap()
		for i := int32(0); i < pairs.Size && err == nil; i++ {
			err = cmp.Or(skip(r, pairs.Key, depth-1), skip(r, pairs.Value, depth-1))
		}
	case kind == thrift.STRUCT:
		var field thrift.Field
		for field, err = r.ReadField(); err == nil && field.Type != thrift.STOP; field, err = r.ReadField() {
			if field.Type == thrift.TRUE || field.Type == thrift.FALSE { // the value is in the type
				continue
			}
			if err := skip(r, field.Type, depth-1); err != nil {
				return err
			}
		}
	default:
		return errMetadata
	}
	return err
}
