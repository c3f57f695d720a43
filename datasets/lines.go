package datasets

import (
	"bufio"
	"errors"
	"io"
)

// errLineTooLong is returned by lineReader.next together with the first bytes of the line.
var errLineTooLong = errors.New("line too long")

// lineReader cuts a stream into lines. Its memory is the longest line read so far and no more than
// max, whatever the input says.
type lineReader struct {
	r      *bufio.Reader
	long   []byte // a line that does not fit the buffer of r
	max    int
	number int  // lines returned so far, too long ones included
	skip   bool // the rest of a line that was too long is still to be passed over
}

func newLineReader(r io.Reader, max int) lineReader {
	return lineReader{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// next returns the next line without its line feed, valid until the next call. The last line may
// lack the line feed. At a read error the part of a line before it is dropped: a torn line must not
// pass for a whole one.
func (l *lineReader) next() ([]byte, error) {
	if l.skip {
		if err := l.discard(); err != nil {
			return nil, err
		}
	}
	chunk, err := l.r.ReadSlice('\n')
	if err == nil && len(chunk)-1 <= l.max {
		l.number++
		return chunk[:len(chunk)-1], nil
	}
	line := chunk
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull && len(l.long)+len(chunk) <= l.max {
			l.long = append(l.long, chunk...)
			chunk, err = l.r.ReadSlice('\n')
		}
		if err != bufio.ErrBufferFull || len(l.long) == 0 {
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
	if err == nil {
		line = line[:len(line)-1]
	}
	if err == bufio.ErrBufferFull || len(line) > l.max {
		l.skip = err == bufio.ErrBufferFull
		return line[:min(len(line), maxGot+1)], errLineTooLong
	}
	return line, nil
}

func (l *lineReader) discard() error {
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
