package lines

import "io"

// Writer gathers what is written and passes it on in large pieces, each of which ends where a call
// of Write has ended: with a line a call, who reads the stream of a process that was killed finds
// no half line there.
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
