// Package lines reads and writes lines in bounded memory.
package lines

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
)

// ErrTooLong is returned by Next together with the beginning of the line.
var ErrTooLong = errors.New("line too long")

// grown is the size up to which the buffer of a line grows chunk by chunk.
const grown = 1 << 20

// shown is the number of bytes of an overlong line that Next returns for error messages.
const shown = 64

// A buffer of more than kept bytes is released after a number of short lines. If huge lines are
// frequent, they reuse it.
const (
	kept      = 16 << 20
	forgotten = 1000
)

// Reader splits a stream into lines. Its memory is twice the longest line while it reads that line,
// then once until many short lines have followed. The maximum line length bounds its memory.
type Reader struct {
	r      *bufio.Reader
	long   []byte // buffer for a line larger than the buffer of r
	short  int    // number of short lines since the last use of long
	raw    []byte // the last line with its line feed
	max    int
	number int  // number of lines returned, including overlong ones
	skip   bool // skip the rest of an overlong line
}

// NewReader returns a reader of lines of at most max bytes, not counting the line feed.
func NewReader(r io.Reader, max int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// Number returns the number of the line that Next returned last, from 1.
func (l *Reader) Number() int { return l.number }

// Raw returns the line that Next returned last, with its line feed if it has one. It is valid until
// the next call of Next, and nil after an error.
func (l *Reader) Raw() []byte { return l.raw }

// Next returns the next line without its line feed, valid until the next call. The last line may
// lack the line feed. After a read error, Next drops the partial line before it, so that callers do
// not take it for a complete line.
func (l *Reader) Next() ([]byte, error) {
	l.raw = nil
	if l.skip {
		if err := l.discard(); err != nil {
			return nil, err
		}
	}
	chunk, err := l.r.ReadSlice('\n')
	if cap(l.long) > kept && err != bufio.ErrBufferFull {
		if l.short++; l.short == forgotten {
			l.long = nil
		}
	}
	if err == nil && len(chunk)-1 <= l.max {
		l.number++
		l.raw = chunk
		return chunk[:len(chunk)-1], nil
	}
	line := chunk
	if err == bufio.ErrBufferFull {
		l.long, l.short = l.long[:0], 0
		var rest [][]byte // chunks after l.long; growing l.long needs more memory
		n := 0
		for err == bufio.ErrBufferFull && n+len(chunk) <= l.max {
			if n += len(chunk); n <= max(cap(l.long), grown) {
				l.long = append(l.long, chunk...)
			} else {
				rest = append(rest, bytes.Clone(chunk))
			}
			chunk, err = l.r.ReadSlice('\n')
		}
		switch {
		case err == bufio.ErrBufferFull && n > 0: // too long: only the beginning is needed
		case len(rest) > 0:
			l.long = bytes.Join(slices.Insert(append(rest, chunk), 0, l.long), nil)
		default:
			l.long = append(l.long, chunk...)
		}
		line = l.long
	}
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, err
	}
	if err == io.EOF && len(line) == 0 {
		return nil, io.EOF
	}
	l.number++
	raw := line
	if err == nil {
		line = line[:len(line)-1]
	}
	if err == bufio.ErrBufferFull || len(line) > l.max {
		l.skip = err == bufio.ErrBufferFull
		return line[:min(len(line), shown)], ErrTooLong
	}
	l.raw = raw
	return line, nil
}

func (l *Reader) discard() error {
	for {
		_, err := l.r.ReadSlice('\n')
		if err == nil {
			l.skip = false
			return nil
		}
		if err != bufio.ErrBufferFull {
			return err
		}
	}
}

// Line is a line without its line feed. It is valid until the next line is read.
type Line struct {
	Text   []byte
	Number int // from 1
}

// All yields the lines of r, of at most max bytes each, or the cause of ctx when that ends. Its
// errors begin with the name of r and the number of the line. If whole is set, a last line without
// a line feed is an error.
func All(ctx context.Context, r io.Reader, name string, max int, whole bool) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := NewReader(r, max)
		for {
			text, err := in.Next()
			line := Line{text, in.Number()}
			switch {
			case err == io.EOF:
				return
			case line.Number%4096 == 0 && ctx.Err() != nil:
				err = context.Cause(ctx)
			case errors.Is(err, ErrTooLong):
				err = fmt.Errorf("%s:%d: expected a line of at most %d bytes", name, line.Number, max)
			case err != nil:
				err = fmt.Errorf("%s: after line %d: %w", name, line.Number, err)
			case whole && len(in.Raw()) == len(text):
				err = fmt.Errorf("%s:%d: the last line has no line feed, so it may be incomplete", name, line.Number)
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// Writer is a buffered writer. Each of its writes to w ends where a call of Write ended. With one
// line per call, a reader of the output never sees a partial line, even if the process is killed.
type Writer struct {
	w      io.Writer
	buffer []byte
	err    error // first error of w; ends all writing
}

// written is the size of the write buffer in bytes. It matches the usual capacity of a pipe.
const written = 64 << 10

// NewWriter returns a writer of lines to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, buffer: make([]byte, 0, written)} }

// Write writes bytes that must stay together, such as a line with its line feed. It returns the
// first error of w, even one from an earlier call.
func (l *Writer) Write(p []byte) (int, error) {
	if len(l.buffer)+len(p) > written {
		if err := l.Flush(); err != nil {
			return 0, err
		}
	}
	if l.err != nil {
		return 0, l.err
	}
	if len(p) > written {
		var n int
		n, l.err = l.w.Write(p)
		return n, l.err
	}
	l.buffer = append(l.buffer, p...)
	return len(p), nil
}

// Flush writes the buffered bytes to w.
func (l *Writer) Flush() error {
	if l.err == nil && len(l.buffer) > 0 {
		_, l.err = l.w.Write(l.buffer)
	}
	l.buffer = l.buffer[:0]
	return l.err
}
