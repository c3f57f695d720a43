// Package decompress opens gzip, zstd, bzip2 and plain streams. It stops reading when a context
// ends.
package decompress

import (
	"bufio"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxZstdWindow limits the memory that the header of a zstd frame can request. The zstd tool has
// the same default.
const maxZstdWindow = 128 << 20

// compression is a format that NewReader recognizes by the first bytes and decompresses.
type compression struct {
	magics []string
	open   func(io.Reader) (io.ReadCloser, error)
}

var compressions = []compression{
	{[]string{"\x1f\x8b\x08"}, func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
	{[]string{"\x28\xb5\x2f\xfd"}, openZstd},
	{bzip2Magics(), func(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil }},
}

// bzip2Magics lists a header for each block size, followed by the first bytes of a block or, in an
// empty file, of the end mark. "BZh" alone could also be the label of a vector.
func bzip2Magics() []string {
	var magics []string
	for size := '1'; size <= '9'; size++ {
		magics = append(magics, "BZh"+string(size)+"\x31\x41\x59", "BZh"+string(size)+"\x17\x72\x45")
	}
	return magics
}

func openZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// errTruncated is returned for a compressed stream that ends too early.
var errTruncated = fmt.Errorf("is it truncated? %w", io.ErrUnexpectedEOF)

// NewReader returns a reader of the contents of r. It recognizes gzip, zstd and bzip2 by the first
// bytes and decompresses them. For a compressed stream that ends too early, even within its first
// bytes, it returns an error that wraps io.ErrUnexpectedEOF. Closing the reader does not close r.
// Decompressing zstd takes up to 128 MiB, the largest accepted window.
//
// When the context ends, reads return its cause, even if r is waiting for data. A read of r may
// then still be pending, so r must not be used any more.
func NewReader(ctx context.Context, r io.Reader) (io.ReadCloser, error) {
	buffered := bufio.NewReaderSize(&interruptible{ctx: ctx, r: r}, 64<<10)
	// The buffered reader returns a read error again, after the bytes before it.
	head, _ := buffered.Peek(8)
	for _, c := range compressions {
		for _, magic := range c.magics {
			switch {
			case len(head) >= len(magic) && string(head[:len(magic)]) == magic:
				return unpack(buffered, c.open)
			case len(head) > 0 && len(head) < len(magic) && string(head) == magic[:len(head)]:
				return nil, errTruncated
			}
		}
	}
	if skippableZstd(head) {
		return unpack(buffered, openZstd)
	}
	return io.NopCloser(buffered), nil
}

// unpack opens a compressed stream. The stream may end within its header.
func unpack(r io.Reader, open func(io.Reader) (io.ReadCloser, error)) (io.ReadCloser, error) {
	packed, err := open(r)
	if err != nil {
		return nil, inWords(err)
	}
	return &packedReader{packed}, nil
}

// packedReader returns errTruncated if a compressed stream ends too early.
type packedReader struct{ io.ReadCloser }

func (p *packedReader) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	return n, inWords(err)
}

func inWords(err error) error {
	if err == io.ErrUnexpectedEOF {
		return errTruncated
	}
	return err
}

// skippableZstd recognizes a frame without data. Parallel compressors write such a frame first.
func skippableZstd(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18"
}

// Open opens a file and decompresses it as NewReader does. A file that is not compressed, although
// its name ends in .gz, .zst or .bz2, is an error: it may be an error page instead of the file.
func Open(ctx context.Context, path string) (*File, error) {
	// Opening a named pipe waits for its writer.
	file, err := await(ctx, func() (*os.File, error) { return os.Open(path) })
	if err != nil {
		return nil, err
	}
	unpacked, err := NewReader(ctx, file)
	if packing := strings.ToLower(filepath.Ext(path)); err == nil && slices.Contains([]string{".gz", ".zst", ".bz2"}, packing) {
		if _, packed := unpacked.(*packedReader); !packed {
			err = fmt.Errorf("expected a compressed file because of its name; if it is complete, rename it without %s", packing)
		}
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &File{unpacked, file}, nil
}

// File is a file that is decompressed while it is read.
type File struct {
	io.ReadCloser
	file *os.File
}

// Close closes the file.
func (f *File) Close() error { return errors.Join(f.ReadCloser.Close(), f.file.Close()) }

// Signature returns the first bytes of a regular file, before decompression; "" for other files,
// which cannot be read twice.
func (f *File) Signature() string {
	var head [8]byte
	n, _ := f.file.ReadAt(head[:], 0) // reading returns the error again
	return string(head[:n])
}

// interruptible reads from r until the context ends, and then returns the context's cause. A read
// from a terminal or a pipe cannot be cancelled, so it runs in a goroutine that is abandoned when
// the context ends.
type interruptible struct {
	ctx    context.Context
	r      io.Reader
	buffer []byte
	unread []byte // unread bytes of the buffer
	err    error  // returned after the unread bytes
}

func (i *interruptible) Read(p []byte) (int, error) {
	if len(i.unread) == 0 && i.err == nil {
		i.fill()
	}
	n := copy(p, i.unread)
	i.unread = i.unread[n:]
	if len(i.unread) > 0 {
		return n, nil
	}
	return n, i.err
}

// fill reads into the buffer once.
func (i *interruptible) fill() {
	if i.buffer == nil {
		i.buffer = make([]byte, 64<<10)
	}
	n, err := await(i.ctx, func() (int, error) { return i.r.Read(i.buffer) })
	i.unread, i.err = i.buffer[:n], err
}

// await returns the results of do, or the context's cause if the context ends first.
func await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	var none T
	if ctx.Err() != nil { // select chooses at random if both are ready
		return none, context.Cause(ctx)
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}
