// Package lines reads and writes lines in bounded memory.
package lines

import (
	"bufio"
	"errors"
	"io"

	"simhashkit/internal/pieces"
)

// ErrTooLong is returned by Next together with the first bytes of the line.
var ErrTooLong = errors.New("line too long")

// shown is how much of a line that is too long Next returns, for an error to quote.
const shown = 64

// forgotten is after how many short lines the room for a huge one is let go: where huge lines come
// again and again, they should not each take it anew.
const forgotten = 1000

// Reader cuts a stream into lines. Its memory is twice the longest line while that is read, and
// then the line, until many short ones have come; whatever the input says, it is bounded by the
// longest line allowed.
type Reader struct {
	r      *bufio.Reader
	long   []byte      // a line that does not fit the buffer of r
	rest   pieces.List // of that line, while it is read
	short  int         // lines since then that do, while there is room for a huge one
	raw    []byte      // the last line with its line feed
	max    int
	number int  // lines returned so far, too long ones included
	skip   bool // the rest of a line that was too long is still to be passed over
}

// NewReader returns a reader of lines of at most max bytes, the line feed not counted.
func NewReader(r io.Reader, max int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// Number returns the number of the line that Next returned last, from 1.
func (l *Reader) Number() int { return l.number }

// Raw returns the line that Next returned last with its line feed, which the last one of a stream
// may lack. It is valid until the next call of Next, and nothing after an error.
func (l *Reader) Raw() []byte { return l.raw }

// Next returns the next line without its line feed, valid until the next call. The last line may
// lack the line feed. At a read error the part of a line before it is dropped: a torn line must not
// pass for a whole one.
func (l *Reader) Next() ([]byte, error) {
	l.raw = nil
	if l.skip {
		if err := l.discard(); err != nil {
			return nil, err
		}
	}
	chunk, err := l.r.ReadSlice('\n')
	if cap(l.long) > pieces.Kept && err != bufio.ErrBufferFull {
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
		for err == bufio.ErrBufferFull && len(l.long)+l.rest.Len()+len(chunk) <= l.max {
			l.add(chunk)
			chunk, err = l.r.ReadSlice('\n')
		}
		if err != bufio.ErrBufferFull || len(l.long) == 0 {
			l.add(chunk)
		}
		if err == bufio.ErrBufferFull {
			l.rest = pieces.List{} // too long: its beginning does
		}
		l.long = l.rest.MoveTo(l.long)
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

// Empty passes over the empty lines that come next, some thousand at a time, and returns their line
// feeds; none if the next line is not empty. A file of a few megabytes can unpack to billions of
// them. It is called after Next has returned a line and no error.
func (l *Reader) Empty() []byte {
	l.raw = nil
	if next, _ := l.r.Peek(1); len(next) == 0 || next[0] != '\n' {
		return nil // an error shows again in Next
	}
	chunk, _ := l.r.Peek(l.r.Buffered())
	n := 1
	for n < len(chunk) && chunk[n] == '\n' {
		n++
	}
	l.number += n
	_, _ = l.r.Discard(n) // it is in the buffer
	return chunk[:n]
}

// add adds to the long line.
func (l *Reader) add(chunk []byte) {
	if l.rest.Len() == 0 && len(l.long)+len(chunk) <= max(cap(l.long), pieces.Size) {
		l.long = append(l.long, chunk...)
	} else {
		l.rest.Append(chunk)
	}
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

// Writer buffers what is written and passes it on in large pieces that end where a call of Write
// ended. With one line per call, a reader sees no half line even if the process is killed.
type Writer struct {
	w      io.Writer
	buffer []byte
	err    error // of w; nothing is written after it
}

// written is how much is passed on at a time, in bytes, and what a pipe usually holds.
const written = 64 << 10

// NewWriter returns a writer of lines to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, buffer: make([]byte, 0, written)} }

// Write takes what stays together, such as a line with its line feed. An error is the first one of
// passing on, which may be that of an earlier call.
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

// Flush passes on what is left.
func (l *Writer) Flush() error {
	if l.err == nil && len(l.buffer) > 0 {
		_, l.err = l.w.Write(l.buffer)
	}
	l.buffer = l.buffer[:0]
	return l.err
}
