package columnar

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

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

// check checks both ends of a file and what its metadata claim. The library would allocate memory
// for metadata of any length.
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

// but describes a file that is not Parquet.
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

// guarded returns panics of the library as errors, since the library does not check everything it
// reads. That includes faults at addresses that come from damaged bytes.
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

// logical returns the logical type, nil if there is only a physical one.
func logical(t parquet.Type) any {
	if of := t.LogicalType(); of != nil {
		return of.Value
	}
	return nil
}

// measured reports whether values are numbers, dates or times that the method text can write.
func measured(t parquet.Type) bool {
	switch logical(t).(type) {
	case *format.DateType:
		return t.Kind() == parquet.Int32
	case *format.TimestampType:
		return t.Kind() == parquet.Int64
	case *format.DecimalType:
		return slices.Contains([]parquet.Kind{parquet.Int32, parquet.Int64, parquet.ByteArray, parquet.FixedLenByteArray}, t.Kind())
	case nil:
		return t.Kind() == parquet.Float || t.Kind() == parquet.Double
	}
	return false
}

// text returns a value as CSV would have it: a number, a date, a time or a string; nil for null.
func (c *column) text(value parquet.Value) []byte {
	if value.IsNull() {
		return nil
	}
	switch of := logical(c.kind).(type) {
	case *format.DateType:
		return time.Unix(int64(value.Int32())*24*60*60, 0).UTC().AppendFormat(nil, time.DateOnly)
	case *format.TimestampType:
		return timeOf(value.Int64(), of).UTC().AppendFormat(nil, time.RFC3339Nano)
	case *format.DecimalType:
		unscaled := new(big.Int)
		switch c.kind.Kind() {
		case parquet.Int32:
			unscaled.SetInt64(int64(value.Int32()))
		case parquet.Int64:
			unscaled.SetInt64(value.Int64())
		default:
			bytes := value.ByteArray() // big-endian, in two's complement
			unscaled.SetBytes(bytes)
			if len(bytes) > 0 && bytes[0] >= 0x80 {
				unscaled.Sub(unscaled, new(big.Int).Lsh(big.NewInt(1), uint(8*len(bytes))))
			}
		}
		return strconv.AppendInt(append(unscaled.Append(nil, 10), 'e'), -int64(of.Scale), 10)
	}
	switch value.Kind() {
	case parquet.Float:
		return strconv.AppendFloat(nil, float64(value.Float()), 'g', -1, 32)
	case parquet.Double:
		return strconv.AppendFloat(nil, value.Double(), 'g', -1, 64)
	}
	text, _ := AppendText(nil, value, c.unsigned)
	return text
}

func timeOf(n int64, of *format.TimestampType) time.Time {
	switch of.Unit.Value.(type) {
	case *format.MilliSeconds:
		return time.UnixMilli(n)
	case *format.MicroSeconds:
		return time.UnixMicro(n)
	}
	return time.Unix(0, n)
}
