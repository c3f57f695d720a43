package documents

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// tapped is the size of the buffer that reads from a tap, which is ahead of the records by as much.
const tapped = 64 << 10

// errRecordTooLong ends the reading of a tap.
var errRecordTooLong = errors.New("record too long")

// tap keeps the bytes that were read from a stream until they are taken, so that the bytes of a
// record are available once a parser has found its end.
type tap struct {
	r     io.Reader
	max   int    // of a record
	kept  []byte // read and not dropped
	taken int    // bytes of kept that were taken, and are dropped at the next read
	base  int64  // the parser's offset of the first byte of kept
	line  int    // of the first byte that was not taken, from 1
	ended bool   // there is no more to read
}

// newTap returns a tap that hides a byte order mark from the parser, but not from take.
func newTap(r *bufio.Reader, max int) (*tap, error) {
	t := &tap{r: r, max: max, line: 1}
	if head, _ := r.Peek(len(byteOrderMark)); bytes.Equal(head, byteOrderMark) {
		t.kept = append(t.kept, byteOrderMark...)
		t.base = -int64(len(byteOrderMark))
		if _, err := r.Discard(len(byteOrderMark)); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *tap) Read(p []byte) (int, error) {
	if t.taken > 0 {
		t.base += int64(t.taken)
		t.kept = t.kept[:copy(t.kept, t.kept[t.taken:])]
		t.taken = 0
	}
	if len(t.kept) > t.max+tapped {
		return 0, errRecordTooLong
	}
	n, err := t.r.Read(p)
	t.kept = append(t.kept, p[:n]...)
	t.ended = t.ended || err == io.EOF
	return n, err
}

// take returns what was read up to an offset and was not taken before, valid until the next Read.
func (t *tap) take(end int64) []byte {
	record := t.upTo(end)
	t.taken += len(record)
	t.line += bytes.Count(record, []byte("\n"))
	return record
}

// upTo returns what take would.
func (t *tap) upTo(end int64) []byte { return t.kept[t.taken:int(end-t.base)] }

// rest returns what was read and not taken.
func (t *tap) rest() []byte { return t.kept[t.taken:] }
